"""Rewriting: the same game by rules that have fewer instances.

- `used` leaves out what nothing asks for, `base` and `input` among it.
- `specialise`: a helper that is only asked with constants gets a form for each set of them.
- `project`: a condition is replaced by what the rest of its rule sees of it.

How a long body is cut into parts is in splitting.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from playout.ggp.kif import (
    ASKED,
    Atom,
    Literal,
    Rule,
    Sign,
    Term,
    is_variable,
    sign,
    substitute,
    variables,
)

_ASKED_FOR = ("init", "legal", "next", "goal", "terminal", "role")
KEYWORDS = (*_ASKED_FOR, "true", "does", "distinct", "base", "input")
MOST_FORMS = 100  # of a predicate that is specialised


def used(rules: Iterable[Rule], asked_for: Iterable[str] = _ASKED_FOR) -> list[Rule]:
    """The rules that the start, the moves, their effects, the end or the goals depend on."""
    by_head: dict[Sign, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(sign(rule.head), []).append(rule)
    todo = [predicate for predicate in by_head if predicate[0] in asked_for]
    wanted = set(todo)
    for predicate in todo:
        for rule in by_head.get(predicate, ()):
            for literal in rule.body:
                if sign(literal.atom) not in wanted:
                    wanted.add(sign(literal.atom))
                    todo.append(sign(literal.atom))
    return [rule for rule in rules if sign(rule.head) in wanted]


def dynamic_predicates(rules: Iterable[Rule], more: Iterable[Sign] = ()) -> set[Sign]:
    """What depends on the state, on what is done, or on one `more`: it is not true for good."""
    callers: dict[Sign, list[Sign]] = {}
    for rule in rules:
        for literal in rule.body:
            callers.setdefault(sign(literal.atom), []).append(sign(rule.head))
    todo: list[Sign] = [("true", 2), ("does", 3), *more]
    found = set(todo)
    for predicate in todo:
        for caller in callers.get(predicate, ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return found


def specialise(rules: list[Rule]) -> list[Rule]:
    """Give dynamic helpers that are only asked with constants a form for each set of constants."""
    while True:
        dynamic = dynamic_predicates(rules)
        forms: dict[Sign, dict[tuple, None]] = {}
        for rule in rules:
            for literal in rule.body:
                predicate = sign(literal.atom)
                if predicate in dynamic and not _keeps_name(predicate):
                    forms.setdefault(predicate, {})[_constants(literal.atom)] = None
        heads = {sign(rule.head) for rule in rules}
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


def _keeps_name(predicate: Sign) -> bool:
    return predicate[0] in KEYWORDS or predicate[0].startswith(ASKED)


def _constants(atom: Atom) -> tuple:
    """The arguments that are symbols; None for the others."""
    return tuple(t if isinstance(t, str) and not is_variable(t) else None for t in atom[1:])


def _specialised(rules: list[Rule], predicate: Sign, forms: list[tuple]) -> list[Rule]:
    def named(form: tuple, arguments: Iterable[Term]) -> Atom:
        open_ones = (t for t, constant in zip(arguments, form, strict=True) if constant is None)
        name = " ".join("_" if constant is None else constant for constant in form)
        return (f"{predicate[0]} {name}", *open_ones)

    def call(literal: Literal) -> Literal:
        atom = literal.atom
        if sign(atom) != predicate:
            return literal
        return Literal(literal.positive, named(_constants(atom), atom[1:]))

    out = []
    for rule in rules:
        body = tuple(map(call, rule.body))
        if sign(rule.head) != predicate:
            out.append(Rule(rule.head, body, rule.line))
            continue
        for form in forms:
            values: dict[str, Term] = {}
            for term, constant in zip(rule.head[1:], form, strict=True):
                if constant is None:
                    continue
                if is_variable(term):
                    if values.setdefault(term, constant) != constant:
                        break
                elif term != constant:
                    break
            else:
                head = named(form, (substitute(term, values) for term in rule.head[1:]))
                new = (Literal(p, substitute(atom, values)) for p, atom in body)
                out.append(Rule(head, tuple(new), rule.line))
    return out


class Parts:
    """Names for the parts that rules are cut into; equal parts are one."""

    def __init__(self) -> None:
        self.names: dict[tuple, str] = {}
        self.rules: list[Rule] = []

    def take(self) -> list[Rule]:
        """The rules of the parts that were made since the last time."""
        taken, self.rules = self.rules, []
        return taken

    def part(self, kept: list[str], body: list[Literal], line: int) -> Literal:
        """A condition that says of the variables kept what the body says."""
        order = variables(*(literal.atom for literal in body))
        canon = {name: f"?{i}" for i, name in enumerate(order)}
        shape = (
            tuple(Literal(p, substitute(atom, canon)) for p, atom in body),
            tuple(canon[name] for name in kept),
        )
        if shape not in self.names:
            asked = body[0].atom[0].startswith(ASKED) and len(body) == 1
            name = f"{ASKED if asked else ''}part {len(self.names)} of {body[0].atom[0]}"
            self.names[shape] = name
            self.rules.append(Rule((name, *shape[1]), shape[0], line))
        return Literal(True, (self.names[shape], *kept))


def project(rules: list[Rule], parts: Parts) -> list[Rule]:
    """Replace conditions by what the rest of the rule sees of them."""
    out = []
    for rule in rules:
        body = list(rule.body)
        for i, literal in enumerate(body):
            mine = variables(literal.atom)
            if not literal.positive or literal.atom[0] == "distinct" or len(body) == 1:
                continue
            others = variables(rule.head, *(other.atom for j, other in enumerate(body) if j != i))
            kept = [name for name in mine if name in others]
            if len(kept) < len(mine):
                body[i] = parts.part(kept, [literal], rule.line)
        out.append(Rule(rule.head, tuple(body), rule.line))
    return out
