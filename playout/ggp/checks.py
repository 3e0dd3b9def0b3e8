"""What the specification asks of a rulesheet, each refusal with the line of the rule.

Files in use break some of it, and such things are let pass: predicates of several arities, goals
and legal moves of symbols that are no roles, conditions on what holds at the start, a rule whose
variables only its callers bind (it is made safe by `asked`, below).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from playout.errors import DataError
from playout.ggp.components import components
from playout.ggp.kif import (
    ASKED,
    Literal,
    Rule,
    Rulesheet,
    Sign,
    Term,
    is_variable,
    sign,
    term_text,
    variables,
)
from playout.ggp.rewrite import used

MOST_ROLES = 8

_ARITY = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "distinct": 2,
    "base": 1,
    "input": 2,
}
_NEVER_HEAD = ("true", "does", "distinct", "not", "or", "and")
_NEVER_CONDITION = ("next",)
_NEEDED = (("terminal", 1), ("goal", 3), ("legal", 3))
_KEYWORDS = {(name, arity + 1) for name, arity in _ARITY.items()}


def checked(sheet: Rulesheet) -> Rulesheet:
    """The rulesheet, made safe; DataError if it is none that can be played.

    Rules that nothing depends on, such as those of `base` and `input`, are left out: what is wrong
    with them does no harm.
    """
    for rule in sheet.rules:
        _check_words(sheet, rule)
    _check_roles(sheet)
    sheet = Rulesheet(sheet.source, tuple(used(sheet.rules)))
    heads = {sign(rule.head) for rule in sheet.rules}
    for name, length in _NEEDED:
        if (name, length) not in heads:
            raise DataError(f"{sheet.source}: there is no rule for {name!r}")
    _check_dependence(sheet)
    _check_strata(sheet)
    return _made_safe(sheet)


def _check_words(sheet: Rulesheet, rule: Rule) -> None:
    """Keywords have their arity and stand where they may."""
    name = rule.head[0]
    if name in ("<=", ":-"):
        raise sheet.error(rule.line, "'<=' inside of a rule")
    if name in _NEVER_HEAD:
        raise sheet.error(rule.line, f"{name!r} cannot be the head of a rule")
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        name = atom[0]
        if name == "sees" or (name == "role" and atom[1:] == ("random",)):
            raise sheet.error(
                rule.line,
                f"{name!r} of GDL-II: games with chance or hidden information are not read",
            )
        if name in _ARITY and len(atom) - 1 != _ARITY[name]:
            raise sheet.error(
                rule.line, f"{name!r} takes {_ARITY[name]} arguments, not {len(atom) - 1}"
            )
        for term in _inside(atom[1:]):
            if isinstance(term, tuple) and (isinstance(term[0], tuple) or term[0][0] == "?"):
                raise sheet.error(rule.line, f"{term_text(term)} has no name that is a symbol")
            if isinstance(term, tuple) and term[0] in ("not", "or", "and", "<="):
                raise sheet.error(rule.line, f"{term[0]!r} inside of {term_text(atom)}")
    for literal in rule.body:
        if literal.atom[0] in _NEVER_CONDITION:
            raise sheet.error(rule.line, f"{literal.atom[0]!r} cannot be a condition")


def _inside(terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        yield term
        if isinstance(term, tuple):
            yield from _inside(term[1:])


def roles_of(sheet: Rulesheet) -> list[str]:
    """The roles, in the order of the rulesheet."""
    found = [rule.head[1] for rule in sheet.rules if sign(rule.head) == ("role", 2)]
    return list(dict.fromkeys(found))


def _check_roles(sheet: Rulesheet) -> None:
    for rule in sheet.rules:
        if rule.head[0] == "role" and (rule.body or not isinstance(rule.head[1], str)):
            raise sheet.error(rule.line, "a role is a fact with one symbol, as (role white)")
        if rule.head[0] == "role" and variables(rule.head):
            raise sheet.error(rule.line, "a role is a symbol, not a variable")
    roles = roles_of(sheet)
    if not roles:
        raise DataError(f"{sheet.source}: there is no role, as (role white)")
    if len(roles) > MOST_ROLES:
        raise DataError(f"{sheet.source}: {len(roles)} roles; at most {MOST_ROLES} can play")


def _needs(sheet: Rulesheet) -> dict[Sign, dict[Sign, int]]:
    """For each predicate those it depends on, with the line of a rule that says so."""
    needs: dict[Sign, dict[Sign, int]] = {}
    for rule in sheet.rules:
        mine = needs.setdefault(sign(rule.head), {})
        for _, atom in rule.body:
            mine.setdefault(sign(atom), rule.line)
    return needs


def _check_dependence(sheet: Rulesheet) -> None:
    """`init` tells the start, and what is legal or over does not depend on what is done."""
    needs = _needs(sheet)
    never: dict[str, tuple[str, ...]] = {
        "init": ("true", "does", "next", "legal", "goal", "terminal"),
        "legal": ("does", "next"),
        "goal": ("does", "next"),
        "terminal": ("does", "next"),
        "next": (),
    }
    for head, forbidden in never.items():
        todo = [predicate for predicate in needs if predicate[0] == head]
        seen = set(todo)
        while todo:
            for needed, line in needs.get(todo.pop(), {}).items():
                if needed[0] in forbidden:
                    raise sheet.error(line, f"{head!r} depends on {needed[0]!r}, which it may not")
                if needed not in seen:
                    seen.add(needed)
                    todo.append(needed)


def _check_strata(sheet: Rulesheet) -> None:
    """No rule depends on its own negation; which rules a condition asks, its constants say."""
    asked = _RulesAsked(sheet.rules)
    needs = {i: asked.all_of(rule) for i, rule in enumerate(sheet.rules)}
    for group in components(needs):
        inside = set(group)
        for i in group:
            rule = sheet.rules[i]
            for positive, atom in rule.body:
                back = [j for j in asked.by(atom) if j in inside] if not positive else []
                if back:
                    way = [sheet.rules[j].head[0] for j in _way(needs, back[0], i, inside)]
                    raise sheet.error(
                        rule.line,
                        f"negation through recursion: {rule.head[0]} -> not {' -> '.join(way)}",
                    )


class _RulesAsked:
    """Which rules may derive an atom: those whose head it may be equal to."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.heads: dict[Sign, list[int]] = {}
        for i, rule in enumerate(rules):
            if rule.body:  # a fact needs nothing
                self.heads.setdefault(sign(rule.head), []).append(i)

    def by(self, atom: tuple) -> list[int]:
        found = self.heads.get(sign(atom), ())
        return [i for i in found if may_be_equal(self.rules[i].head, atom)]

    def all_of(self, rule: Rule) -> list[int]:
        return list(dict.fromkeys(i for literal in rule.body for i in self.by(literal.atom)))


def may_be_equal(a: Term, b: Term) -> bool:
    """Whether two terms agree but for variables."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(may_be_equal, a, b))
    return a == b or is_variable(a) or is_variable(b)


def _way(needs: dict[int, list[int]], start: int, goal: int, inside: set[int]) -> list[int]:
    """The shortest way from one rule to another by what each needs."""
    before = {start: start}
    todo = [start]
    for one in todo:
        for other in needs[one]:
            if other in inside and other not in before:
                before[other] = one
                todo.append(other)
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


# Safety: every variable of a rule stands in a positive condition that binds it.


def _made_safe(sheet: Rulesheet) -> Rulesheet:
    """A rule that does not bind a variable of its head gets it from those who ask for it.

    `(<= (apart ?x ?y) (distinct ?x ?y))` binds nothing by itself. A predicate "asked apart" then
    holds what the other conditions of each caller bring, and is a condition of the rule; it serves
    the grounder only and is no part of the game. Where nobody binds it the variable is unsafe.
    """
    rules = [_with_role(rule) for rule in sheet.rules]
    open_places: dict[Sign, set[int]] = {}  # arguments that the rules of a predicate leave unbound
    changed = True
    while changed:
        changed = False
        for rule in rules:
            head = sign(rule.head)
            bound = _bound(rule, open_places)
            for place, term in enumerate(rule.head):
                if place in open_places.get(head, ()) or all(v in bound for v in variables(term)):
                    continue
                if head in _KEYWORDS:
                    raise _unsafe(sheet, rule, variables(term), bound)
                open_places.setdefault(head, set()).add(place)
                changed = True
    out: list[Rule] = []
    for rule in rules:
        bound = _bound(rule, open_places)
        everything = variables(rule.head, *(literal.atom for literal in rule.body))
        if any(name not in bound for name in everything):
            raise _unsafe(sheet, rule, everything, bound)
        body = rule.body
        if sign(rule.head) in open_places:
            body = (Literal(True, _asking(rule.head, open_places)), *body)
        out.append(Rule(rule.head, body, rule.line))
        binding = [one for one in body if _binds(one) and sign(one.atom) not in open_places]
        for literal in body:
            if sign(literal.atom) in open_places:
                asked = _asking(literal.atom, open_places)
                out.append(Rule(asked, tuple(_connected(asked, binding)), rule.line))
    return Rulesheet(sheet.source, tuple(out))


def _with_role(rule: Rule) -> Rule:
    """`(legal ?r ...)` and `(goal ?r ...)` are said of roles, even where no condition says so."""
    if rule.head[0] in ("legal", "goal"):
        bound = variables(*(literal.atom for literal in rule.body if _binds(literal)))
        if is_variable(rule.head[1]) and rule.head[1] not in bound:
            role = Literal(True, ("role", rule.head[1]))
            return Rule(rule.head, (role, *rule.body), rule.line)
    return rule


def _binds(literal: Literal) -> bool:
    return literal.positive and literal.atom[0] != "distinct"


def _bound(rule: Rule, open_places: dict[Sign, set[int]]) -> dict[str, None]:
    """The variables that a rule's positive conditions bind, and those that it is asked with."""
    found: dict[str, None] = {}
    for literal in filter(_binds, rule.body):
        left_open = open_places.get(sign(literal.atom), ())
        found |= variables(*(t for i, t in enumerate(literal.atom) if i not in left_open))
    for place in open_places.get(sign(rule.head), ()):
        found |= variables(rule.head[place])
    return found


def _unsafe(
    sheet: Rulesheet, rule: Rule, names: Iterable[str], bound: dict[str, None]
) -> DataError:
    name = next(name for name in names if name not in bound)
    return sheet.error(
        rule.line, f"the variable {name} is in no positive condition of the rule for {rule.head[0]}"
    )


def _asking(atom: tuple, open_places: dict[Sign, set[int]]) -> tuple:
    places = sorted(open_places[sign(atom)])
    return (f"{ASKED}{atom[0]}/{len(atom) - 1}", *(atom[place] for place in places))


def _connected(asked: tuple, binding: list[Literal]) -> list[Literal]:
    """The conditions that bind what is asked, and those that share variables with them."""
    wanted = set(variables(asked))
    found: list[Literal] = []
    while True:
        more = [o for o in binding if o not in found and wanted & variables(o.atom).keys()]
        if not more:
            return found
        found += more
        for literal in more:
            wanted |= variables(literal.atom).keys()
