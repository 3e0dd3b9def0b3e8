"""What is done about rules with many instances.

`narrow`: a helper is derived only for what it can be asked, as far as conditions that never change
say so: `(between ?a ?b ?c)`, asked with `(istype ?a king)`, is not derived for other pieces.

`split_wide`: the variables of a rule are eliminated one by one. All conditions with a variable that
stands nowhere else become a part of its own, which says of the other variables what the conditions
say. A rule of k variables with n values each has n^k instances; its parts have as many as the
variables that stand together. What is worth it, the numbers of atoms say that a first grounding has
met. A helper that never changes and has many atoms, such as "these four pieces have something in
common", is replaced by what it says where that lets a rule be split.
"""

from __future__ import annotations

from collections.abc import Iterable

from playout.ggp import kif
from playout.ggp.joins import Store
from playout.ggp.rewrite import KEYWORDS, Parts, dynamic_predicates

_WORTH = 0.6  # a split is made if it leaves less than this of the instances
_UNFOLD_FROM = 2000  # atoms of a helper from which on it may be replaced by what it says
_MOST_UNFOLDED = 4  # rules of such a helper


class Sizes:
    """How many atoms fit a condition, and how many values each of its variables has there."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[kif.Atom, tuple[float, dict[str, float]]] = {}

    def of(self, atom: kif.Atom) -> tuple[float, dict[str, float]]:
        """The number of atoms that fit, and the numbers of values of the variables."""
        if atom not in self.known:
            names = list(kif.variables(atom))
            index, _, _ = self.store.index(atom, {})
            rows = index.get((), [])
            values = {name: float(max(1, len(set(v)))) for name, v in zip(names, zip(*rows))}
            self.known[atom] = float(len(rows)), values or dict.fromkeys(names, 1.0)
        return self.known[atom]

    def rows(self, body: Iterable[kif.Literal]) -> float:
        """About how many instances a body has."""
        left = [literal.atom for literal in body if binds(literal)]
        bound: set[str] = set()
        total = 1.0
        while left:
            factors = []
            for atom in left:
                number, values = self.of(atom)
                for name in values:
                    if name in bound:
                        number /= values[name]
                factors.append(number)
            best = min(range(len(left)), key=factors.__getitem__)
            total *= factors[best]
            bound |= kif.variables(left.pop(best)).keys()
        return total

    def add_part(self, part: kif.Literal, body: list[kif.Literal]) -> None:
        """Note what a new part has."""
        values: dict[str, float] = {}
        for literal in body:
            if binds(literal):
                for name, number in self.of(literal.atom)[1].items():
                    values[name] = min(number, values.get(name, number))
        kept = {name: values[name] for name in kif.variables(part.atom)}
        most = 1.0
        for number in kept.values():
            most *= number
        self.known[part.atom] = min(most, self.rows(body)), kept


def binds(literal: kif.Literal) -> bool:
    """Whether a condition gives its variables values."""
    return literal.positive and literal.atom[0] != "distinct"


def split(rule: kif.Rule, sizes: Sizes, parts: Parts) -> tuple[kif.Rule, float]:
    """Cut off the parts that leave the fewest instances; about how many there are then.

    Variables are eliminated to the end, since it may be the second part that saves them.
    """
    body = list(rule.body)
    best, fewest, cut_off = body, _WORTH * sizes.rows(body), 0.0
    while (cut := _cheapest_part(rule, body, sizes)) is not None:
        whole, rest = cut
        outside = kif.variables(rule.head, *(literal.atom for literal in rest))
        kept = [n for n in kif.variables(*(literal.atom for literal in whole)) if n in outside]
        part = parts.part(kept, whole, rule)
        sizes.add_part(part, whole)
        body = [*rest, part]
        cut_off += sizes.rows(whole)
        if cut_off > fewest:
            break
        if sizes.rows(body) + cut_off < fewest:
            best, fewest = body, sizes.rows(body) + cut_off
    if best == list(rule.body):
        return rule, sizes.rows(best)
    return kif.Rule(rule.head, tuple(best), rule.line), fewest


def _cheapest_part(
    rule: kif.Rule, body: list[kif.Literal], sizes: Sizes
) -> tuple[list[kif.Literal], list[kif.Literal]] | None:
    """The part with the fewest instances that eliminates a variable, and the rest of the body."""
    best: tuple[float, list[kif.Literal], list[kif.Literal]] | None = None
    inner = (
        kif.variables(*(literal.atom for literal in body)).keys() - kif.variables(rule.head).keys()
    )
    for name in sorted(inner):
        inside = [literal for literal in body if name in kif.variables(literal.atom)]
        rest = [literal for literal in body if literal not in inside]
        whole = _bound_part(inside, rest, sizes)
        if whole is None or not rest or len(inside) == 1:
            continue  # a single condition is projected
        rows = sizes.rows(whole)
        if best is None or rows < best[0]:
            best = rows, whole, rest
    return best[1:] if best is not None else None


def _bound_part(
    inside: list[kif.Literal], rest: list[kif.Literal], sizes: Sizes
) -> list[kif.Literal] | None:
    """A part of a body with what else it takes to bind its variables; None if nothing does."""
    whole = list(inside)
    while True:
        bound = kif.variables(*(literal.atom for literal in whole if binds(literal)))
        missing = [n for n in kif.variables(*(literal.atom for literal in whole)) if n not in bound]
        if not missing:
            return whole
        more = [one for one in rest if binds(one) and missing[0] in kif.variables(one.atom)]
        if not more:
            return None
        whole.append(min(more, key=lambda one: sizes.of(one.atom)[0]))


def split_wide(rules: list[kif.Rule], store: Store, parts: Parts, most: float) -> list[kif.Rule]:
    """The rules, those with more than `most` instances, by the atoms in the store, split."""
    sizes = Sizes(store)
    helpers = _helpers(rules, store)
    out = []
    for rule in rules:
        if not rule.body or sizes.rows(rule.body) <= most:
            out.append(rule)
            continue
        one, instances = split(rule, sizes, parts)
        found = [one]
        if (unfolded := _unfolded(rule, helpers)) is not None:
            others = [split(other, sizes, parts) for other in unfolded]
            if sum(number for _, number in others) < _WORTH * instances:
                found = [other for other, _ in others]
        out += found
    return out


def _helpers(rules: list[kif.Rule], store: Store) -> dict[kif.Sign, list[kif.Rule]]:
    """Predicates of few rules and many atoms that never change and do not need themselves."""
    dynamic = dynamic_predicates(rules)
    found: dict[kif.Sign, list[kif.Rule]] = {}
    for rule in rules:
        found.setdefault(kif.sign(rule.head), []).append(rule)
    return {
        head: mine
        for head, mine in found.items()
        if head not in dynamic
        and len(mine) <= _MOST_UNFOLDED
        and len(store.of(head)) >= _UNFOLD_FROM
        and not any(kif.sign(literal.atom) == head for rule in mine for literal in rule.body)
        and all(kif.is_variable(term) for rule in mine for term in rule.head[1:])
        and all(len(kif.variables(rule.head)) == len(rule.head) - 1 for rule in mine)
    }


def _unfolded(rule: kif.Rule, helpers: dict[kif.Sign, list[kif.Rule]]) -> list[kif.Rule] | None:
    """A rule with its first condition of such a predicate replaced; None if it has none."""
    for literal in rule.body:
        if literal.positive and kif.sign(literal.atom) in helpers:
            rest = [other for other in rule.body if other is not literal]
            out = []
            for helper in helpers[kif.sign(literal.atom)]:
                own = kif.variables(*(one.atom for one in helper.body))
                values: dict[str, kif.Term] = {name: f"{name} of {literal.atom[0]}" for name in own}
                values |= dict(zip(helper.head[1:], literal.atom[1:], strict=True))
                body = [kif.Literal(p, kif.substitute(atom, values)) for p, atom in helper.body]
                out.append(kif.Rule(rule.head, (*rest, *body), rule.line))
            return out
    return None


def narrow(rules: list[kif.Rule], predicate: kif.Sign) -> list[kif.Rule] | None:
    """The rules with those of a predicate narrowed to what callers ask; None if none can be.

    As in checks.py, a predicate "asked" serves the grounder only.
    """
    dynamic = dynamic_predicates(rules)
    callers: list[tuple[kif.Rule, kif.Atom, list[kif.Literal]]] = []
    for rule in rules:
        still = [one for one in rule.body if kif.sign(one.atom) not in dynamic]
        for literal in rule.body:
            if kif.sign(literal.atom) == predicate:
                callers.append((rule, literal.atom, still))
    if predicate not in dynamic or predicate[0] in KEYWORDS or not callers:
        return None
    places = [
        place
        for place in range(1, predicate[1])
        if all(_is_restricted(atom[place], still) for _, atom, still in callers)
    ]
    asked = f"{kif.ASKED}{predicate[0]}/{predicate[1] - 1} narrowed"
    if not places or any(rule.head[0] == asked for rule in rules):
        return None
    out = []
    for rule in rules:
        if kif.sign(rule.head) == predicate:
            question = kif.Literal(True, (asked, *(rule.head[place] for place in places)))
            rule = kif.Rule(rule.head, (question, *rule.body), rule.line)
        out.append(rule)
    for rule, atom, still in callers:
        head = (asked, *(atom[place] for place in places))
        wanted = kif.variables(head)
        body = [
            one for one in still if binds(one) and wanted.keys() & kif.variables(one.atom).keys()
        ]
        bound = kif.variables(*(one.atom for one in body))
        body += [
            one
            for one in still
            if not binds(one) and kif.variables(one.atom).keys() <= bound.keys()
        ]
        out.append(kif.Rule(head, tuple(body), rule.line))
    return out


def _is_restricted(term: kif.Term, still: list[kif.Literal]) -> bool:
    names = kif.variables(term)
    bound = kif.variables(*(one.atom for one in still if binds(one)))
    return all(name in bound for name in names)
