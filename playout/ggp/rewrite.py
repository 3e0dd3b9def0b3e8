"""Rewriting: the same game by rules that have fewer instances.

- `used` leaves out what nothing asks for, `base` and `input` among it.
- `specialise`: a helper that is only asked with constants gets a form for each set of them.
- `project`: a condition is replaced by what the rest of its rule sees of it.

How a long body is cut into parts is in splitting.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from playout.ggp import kif

_ASKED_FOR = ("init", "legal", "next", "goal", "terminal", "role")
KEYWORDS = (*_ASKED_FOR, "true", "does", "distinct", "base", "input")
MOST_FORMS = 100  # of a predicate that is specialised


def used(rules: Iterable[kif.Rule], asked_for: Iterable[str] = _ASKED_FOR) -> list[kif.Rule]:
    """The rules that the start, the moves, their effects, the end or the goals depend on."""
    by_head: dict[kif.Sign, list[kif.Rule]] = {}
    for rule in rules:
        by_head.setdefault(kif.sign(rule.head), []).append(rule)
    todo = [predicate for predicate in by_head if predicate[0] in asked_for]
    wanted = set(todo)
    for predicate in todo:
        for rule in by_head.get(predicate, ()):
            for literal in rule.body:
                if kif.sign(literal.atom) not in wanted:
                    wanted.add(kif.sign(literal.atom))
                    todo.append(kif.sign(literal.atom))
    return [rule for rule in rules if kif.sign(rule.head) in wanted]


def dynamic_predicates(rules: Iterable[kif.Rule], more: Iterable[kif.Sign] = ()) -> set[kif.Sign]:
    """What depends on the state, on what is done, or on one `more`: it is not true for good."""
    callers: dict[kif.Sign, list[kif.Sign]] = {}
    for rule in rules:
        for literal in rule.body:
            callers.setdefault(kif.sign(literal.atom), []).append(kif.sign(rule.head))
    todo: list[kif.Sign] = [("true", 2), ("does", 3), *more]
    found = set(todo)
    for predicate in todo:
        for caller in callers.get(predicate, ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return found


def specialise(rules: list[kif.Rule]) -> list[kif.Rule]:
    """Give dynamic helpers that are only asked with constants a form for each set of constants."""
    while True:
        dynamic = dynamic_predicates(rules)
        forms: dict[kif.Sign, dict[tuple, None]] = {}
        for rule in rules:
            for literal in rule.body:
                predicate = kif.sign(literal.atom)
                if predicate in dynamic and not _keeps_name(predicate):
                    forms.setdefault(predicate, {})[_constants(literal.atom)] = None
        heads = {kif.sign(rule.head) for rule in rules}
        found = [
            predicate
            for predicate, asked in forms.items()
            if predicate in heads
            and len(asked) <= MOST_FORMS
            and all(any(constant is not None for constant in form) for form in asked)
        ]
        if not found:
            return rules
        rules = _specialised(rules, found[0], list(forms[found[0]]))


def _keeps_name(predicate: kif.Sign) -> bool:
    return predicate[0] in KEYWORDS or predicate[0].startswith(kif.ASKED)


def _constants(atom: kif.Atom) -> tuple:
    """The arguments that are symbols; None for the others."""
    return tuple(t if isinstance(t, str) and not kif.is_variable(t) else None for t in atom[1:])


def _specialised(rules: list[kif.Rule], predicate: kif.Sign, forms: list[tuple]) -> list[kif.Rule]:
    def named(form: tuple, arguments: Iterable[kif.Term]) -> kif.Atom:
        open_ones = (t for t, constant in zip(arguments, form, strict=True) if constant is None)
        name = " ".join("_" if constant is None else constant for constant in form)
        return (f"{predicate[0]} {name}", *open_ones)

    def call(literal: kif.Literal) -> kif.Literal:
        atom = literal.atom
        if kif.sign(atom) != predicate:
            return literal
        return kif.Literal(literal.positive, named(_constants(atom), atom[1:]))

    out = []
    for rule in rules:
        body = tuple(map(call, rule.body))
        if kif.sign(rule.head) != predicate:
            out.append(kif.Rule(rule.head, body, rule.line))
            continue
        for form in forms:
            values: dict[str, kif.Term] = {}
            for term, constant in zip(rule.head[1:], form, strict=True):
                if constant is None:
                    continue
                if kif.is_variable(term):
                    if values.setdefault(term, constant) != constant:
                        break
                elif term != constant:
                    break
            else:
                head = named(form, (kif.substitute(term, values) for term in rule.head[1:]))
                new = (kif.Literal(p, kif.substitute(atom, values)) for p, atom in body)
                out.append(kif.Rule(head, tuple(new), rule.line))
    return out


class Parts:
    """Names for the parts that rules are cut into; equal parts are one."""

    def __init__(self) -> None:
        self.names: dict[tuple, str] = {}
        self.rules: list[kif.Rule] = []

    def take(self) -> list[kif.Rule]:
        """The rules of the parts that were made since the last time."""
        taken, self.rules = self.rules, []
        return taken

    def part(self, kept: list[str], body: list[kif.Literal], rule: kif.Rule) -> kif.Literal:
        """A condition that says of the variables kept what the body, cut from a rule, says."""
        order = kif.variables(*(literal.atom for literal in body))
        canon = {name: f"?{i}" for i, name in enumerate(order)}
        shape = (
            tuple(kif.Literal(p, kif.substitute(atom, canon)) for p, atom in body),
            tuple(canon[name] for name in kept),
        )
        if shape not in self.names:
            asked = body[0].atom[0].startswith(kif.ASKED) and len(body) == 1
            name = f"{kif.ASKED if asked else ''}part {len(self.names)} of {rule.head[0]}"
            self.names[shape] = name
            self.rules.append(kif.Rule((name, *shape[1]), shape[0], rule.line))
        return kif.Literal(True, (self.names[shape], *kept))


def project(rules: list[kif.Rule], parts: Parts) -> list[kif.Rule]:
    """Replace conditions by what the rest of the rule sees of them."""
    out = []
    for rule in rules:
        body = list(rule.body)
        for i, literal in enumerate(body):
            mine = kif.variables(literal.atom)
            if not literal.positive or literal.atom[0] == "distinct" or len(body) == 1:
                continue
            others = kif.variables(
                rule.head, *(other.atom for j, other in enumerate(body) if j != i)
            )
            kept = [name for name in mine if name in others]
            if len(kept) < len(mine):
                body[i] = parts.part(kept, [literal], rule)
        out.append(kif.Rule(rule.head, tuple(body), rule.line))
    return out
