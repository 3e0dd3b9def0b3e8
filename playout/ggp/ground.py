"""Grounding: every instance of a rule whose positive conditions can come about.

Static predicates, which depend on neither `true` nor `does`, are evaluated outright, those that
others need first. Of the others, `true` holds what `init` or `next` says, `does` what `legal` says,
and the negation of what changes is left to the network. A rule with many instances is split
(splitting.py) and all is done anew. Where this does not help, or all rules together have too many,
a survey finds out first what can come about, without keeping the instances. What is still too much
is refused by its predicate.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from playout.errors import DataError
from playout.ggp.checks import roles_of
from playout.ggp.components import components
from playout.ggp.joins import Clock, Join, Store, TooSlow
from playout.ggp.kif import (
    ASKED,
    DEEPEST,
    Atom,
    Rule,
    Rulesheet,
    Sign,
    Term,
    sign,
    term_order,
)
from playout.ggp.rewrite import Parts, dynamic_predicates, project, specialise, used
from playout.ggp.splitting import narrow, split_wide

SPLIT_FROM = 100_000  # instances of a rule from which on it is split
SPLIT_ALL_FROM = 5_000  # the same, where all rules together have too many
SURVEYED = 4  # times the most instances that a survey goes on for

Body = tuple[tuple[Atom, ...], tuple[Atom, ...]]  # positive and negated atoms


@dataclass(frozen=True)
class Limits:
    """How much a rulesheet may ask for."""

    instances: int = 1_000_000
    seconds: float = 55.0
    go_on: Callable[[], None] = lambda: None  # called now and then; what it raises ends it all


@dataclass
class Grounded:
    """The game without variables.

    `bodies` has for each derived atom the bodies of its instances; an atom without is false, one
    with an empty body true. They are given up when there is a network of them.
    """

    source: str
    roles: list[str]
    init: list[Term]
    bases: list[Term]
    actions: list[tuple[int, Term]]  # of which role, and the move
    bodies: dict[Atom, dict[Body, None]] = field(repr=False)
    instances: int
    rules: int


class _Wide(Exception):
    """A rule has many instances, or all together have too many."""

    def __init__(self, predicate: Sign, together: bool = False) -> None:
        self.predicate, self.together = predicate, together


class _Surveyed(Exception):
    """A survey has seen enough."""


def ground(sheet: Rulesheet, limits: Limits) -> Grounded:
    """All instances of a checked rulesheet's rules; DataError if there are too many."""
    parts = Parts()
    rules = project(specialise(list(sheet.rules)), parts) + parts.take()
    clock = Clock(limits.seconds, go_on=limits.go_on)
    may_split, splits = True, 0
    try:
        while True:
            grounder = _Grounder(sheet, rules, limits, clock, may_split)
            try:
                return grounder.run()
            except _Wide as wide:
                if (narrowed := narrow(rules, wide.predicate)) is not None:
                    rules = narrowed
                    continue
                most: float = SPLIT_FROM / 4
                if wide.together or splits:
                    most = SPLIT_ALL_FROM
                    grounder = _Grounder(sheet, rules, limits, clock, may_split)
                    grounder.survey()
                cut = split_wide(rules, grounder.store, parts, most)
                cut = used(project(cut + parts.take(), parts) + parts.take())
                may_split, rules, splits = cut != rules, cut, splits + 1
    except TooSlow:
        raise DataError(
            f"{sheet.source}, line {grounder.rule.line}: the rules for "
            f"{_shown(grounder.rule.head)} take more than {limits.seconds:g} s to ground "
            "(the option seconds)"
        ) from None


def _shown(head: Atom) -> str:
    """The name of a predicate as the rulesheet has it."""
    name: str = head[0].rpartition(" of ")[2]
    if name.startswith(ASKED):
        name = name.removeprefix(ASKED).rpartition("/")[0]
    return name.partition(" ")[0]


class _Grounder:
    def __init__(
        self, sheet: Rulesheet, rules: list[Rule], limits: Limits, clock: Clock, may_split: bool
    ) -> None:
        self.sheet, self.rules, self.limits = sheet, rules, limits
        self.clock, self.may_split = clock, may_split
        self.rule = rules[0]
        self.store = Store()
        self.dynamic = dynamic_predicates(rules, _own_negation(rules))
        self.count = 0
        self.surveys = False

    def run(self) -> Grounded:
        moving = [rule for rule in self.rules if sign(rule.head) in self.dynamic]
        still = [rule for rule in self.rules if sign(rule.head) not in self.dynamic]
        self._evaluate(still)
        bodies, reached = self._instances(moving)
        roles = roles_of(self.sheet)
        number = {role: i for i, role in enumerate(roles)}
        bases = sorted((a[1] for a in reached if sign(a) == ("true", 2)), key=term_order)
        does = [a for a in reached if sign(a) == ("does", 3) and a[1] in number]
        actions = sorted(((number[a[1]], a[2]) for a in does), key=_action_order)
        init = sorted((a[1] for a in self.store.of(("init", 2))), key=term_order)
        return Grounded(
            self.sheet.source, roles, init, bases, actions, bodies, self.count, len(self.rules)
        )

    def survey(self) -> None:
        """Fill the store with what can come about, as far as it is worth while."""
        self.surveys = True
        with suppress(_Surveyed):
            self.run()

    def _recorder(self, rule: Rule, note: Callable[[Atom, Body], bool]) -> Callable[..., None]:
        """What a join of a rule calls for each instance: it counts, and refuses too many."""
        count = 0
        many: float = SPLIT_FROM if self.may_split and not self.surveys else math.inf
        most = self.limits.instances * (SURVEYED if self.surveys else 1)

        def record(head: Atom, positive: tuple, negated: tuple) -> None:
            nonlocal count
            if note(head, (positive, negated)):
                count += 1
                self.count += 1 + (len(positive) + len(negated)) // 16
                if count > many or self.count > most:
                    raise self._too_many(rule, head, count > many)

        return record

    def _too_many(self, rule: Rule, head: Atom, of_one: bool) -> Exception:
        """What becomes of too many instances of one rule, or of all."""
        if self.surveys:
            return _Surveyed()
        if self.may_split:
            return _Wide(sign(rule.head), together=not of_one)
        return DataError(
            f"{self.sheet.source}, line {rule.line}: more than "
            f"{self.limits.instances:,} rule instances, the last of {_shown(head)} "
            "(the option instances)"
        )

    def _watchers(
        self, rules: list[Rule], note: Callable[[Atom, Body], bool], changes: set[Sign]
    ) -> tuple[dict[Sign, list[tuple[Rule, Callable]]], list[tuple[Rule, Callable]]]:
        """For each predicate the joins that a new atom of it starts; and those to run at first."""
        watchers: dict[Sign, list[tuple[Rule, Callable]]] = {}
        first = []
        for rule in rules:
            self.rule = rule
            record = self._recorder(rule, note)
            news = [
                i
                for i, (positive, atom) in enumerate(rule.body)
                if positive and sign(atom) in changes
            ]
            for i in news:
                join = Join(self.store, rule, i, self.dynamic, record).function(self.clock)
                watchers.setdefault(sign(rule.body[i].atom), []).append((rule, join))
            if not news:
                join = Join(self.store, rule, None, self.dynamic, record).function(self.clock)
                first.append((rule, join))
        return watchers, first

    def _work(
        self,
        watchers: dict[Sign, list[tuple[Rule, Callable]]],
        first: list[tuple[Rule, Callable]],
        queue: deque[Atom],
    ) -> None:
        for rule, join in first:
            self.rule = rule
            join(None)
        done = 0
        while queue:
            atom = queue.popleft()
            self.store.add(atom)
            done += 1
            if done & 1023 == 0:
                self.clock.look()
            for rule, join in watchers.get(sign(atom), ()):
                self.rule = rule
                join(atom)

    def _evaluate(self, rules: list[Rule]) -> None:
        """The static predicates."""
        by_head: dict[Sign, list[Rule]] = {}
        for rule in rules:
            by_head.setdefault(sign(rule.head), []).append(rule)
        needs = {
            head: [sign(literal.atom) for rule in mine for literal in rule.body]
            for head, mine in by_head.items()
        }
        for group in components(needs):
            seen: set[Atom] = set()
            queue: deque[Atom] = deque()

            def note(
                head: Atom, body: Body, seen: set[Atom] = seen, queue: deque[Atom] = queue
            ) -> bool:
                if head not in seen:
                    seen.add(head)
                    self._check_depth(head)
                    queue.append(head)
                return True

            mine = [rule for head in group for rule in by_head[head]]
            for rule in mine:
                if not rule.body:  # facts are many, and need no code
                    self.rule = rule
                    note(rule.head, ((), ()))
            watchers, first = self._watchers([r for r in mine if r.body], note, set(group))
            self._work(watchers, first, queue)

    def _instances(self, rules: list[Rule]) -> tuple[dict[Atom, dict[Body, None]], set[Atom]]:
        bodies: dict[Atom, dict[Body, None]] = {}
        reached: set[Atom] = set()
        queue: deque[Atom] = deque()

        def reach(atom: Atom) -> None:
            if atom not in reached:
                reached.add(atom)
                self._check_depth(atom)
                queue.append(atom)

        def note(head: Atom, body: Body) -> bool:
            mine = bodies.get(head)
            if mine is None:
                mine = bodies[head] = {}
                reach(head)
                if head[0] == "next" and len(head) == 2:
                    reach(("true", head[1]))
                elif head[0] == "legal" and len(head) == 3:
                    reach(("does", head[1], head[2]))
            elif body in mine:
                return False
            if not self.surveys:
                mine[body] = None
            return True

        watchers, first = self._watchers(rules, note, self.dynamic)
        for name, length in (("legal", 3), ("next", 2), ("goal", 3), ("terminal", 1)):
            if (name, length) not in self.dynamic:
                for atom in self.store.of((name, length)):
                    note(atom, ((), ()))
        for atom in self.store.of(("init", 2)):
            reach(("true", atom[1]))
        self._work(watchers, first, queue)
        return bodies, reached

    def _check_depth(self, atom: Atom) -> None:
        for term in atom:
            if isinstance(term, tuple) and _depth(term) > DEEPEST:
                raise self.sheet.error(
                    self.rule.line, f"the terms of {_shown(atom)} grow without end"
                )


class Derivation(_Grounder):
    """What follows from rules and facts outright, nothing being left to a network."""

    def __init__(self, sheet: Rulesheet, limits: Limits) -> None:
        super().__init__(sheet, list(sheet.rules), limits, self._clock(limits), may_split=False)
        self.dynamic = set()

    def _clock(self, limits: Limits) -> Clock:
        """A match does not wait for who is slow, whatever the reason."""
        return Clock(limits.seconds, time.monotonic)

    def derive(self, rules: list[Rule]) -> None:
        """Add what follows from rules to what is known; DataError if it takes too long."""
        self.count, self.clock = 0, self._clock(self.limits)
        try:
            self._evaluate(rules)
        except TooSlow:
            reason = f"{_shown(self.rule.head)} takes more than {self.limits.seconds:g} s to derive"
            raise self.sheet.error(self.rule.line, reason) from None


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term)) if isinstance(term, tuple) else 0


def _action_order(action: tuple[int, Term]) -> tuple:
    return action[0], term_order(action[1])


def _own_negation(rules: list[Rule]) -> set[Sign]:
    """Predicates that need their own negation, with other arguments: left to the network."""
    needs: dict[Sign, list[Sign]] = {}
    negated: set[tuple[Sign, Sign]] = set()
    for rule in rules:
        for positive, atom in rule.body:
            needs.setdefault(sign(rule.head), []).append(sign(atom))
            if not positive:
                negated.add((sign(rule.head), sign(atom)))
    found: set[Sign] = set()
    for group in components(needs):
        inside = set(group)
        if any(head in inside and other in inside for head, other in negated):
            found |= inside
    return found
