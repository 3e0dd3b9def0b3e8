"""Joins: the instances of a rule, by nested loops over hash indices that are compiled to Python.

A rule has one function for each condition that may be the newest one (semi-naive evaluation, an
atom at a time), and one without, for conditions that are all known.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playout.ggp import kif

Record = Callable[[kif.Atom, tuple, tuple], None]  # told of an instance: head, positive, negated
_TICKS = 1 << 16  # turns of a loop between two looks at the clock
_GUESS = 200  # atoms of a predicate whose number is not known yet


class TooSlow(Exception):
    """The clock of the grounder has run out."""


class Clock:
    """When something must have ended, by the time that this thread computes.

    What a rulesheet is refused for does not depend on what else the machine does. In a match it is
    the clock on the wall that counts (`time.monotonic`).
    """

    def __init__(
        self,
        seconds: float,
        now: Callable[[], float] = time.thread_time,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        self.now, self.end, self.go_on = now, now() + seconds, go_on

    def look(self) -> None:
        """Raise `TooSlow` if the time is over; `go_on` may raise what it likes."""
        self.go_on()
        if self.now() > self.end:
            raise TooSlow


class Store:
    """All atoms known, by predicate, in the order in which they came, with the indices of joins."""

    def __init__(self) -> None:
        self.atoms: dict[kif.Sign, dict[kif.Atom, None]] = {}
        self._watchers: dict[kif.Sign, list[Callable[[kif.Atom], None]]] = {}
        self._indices: dict[tuple, dict[tuple, list[tuple]]] = {}

    def of(self, predicate: kif.Sign) -> dict[kif.Atom, None]:
        """The atoms of a predicate."""
        return self.atoms.setdefault(predicate, {})

    def add(self, atom: kif.Atom) -> None:
        """Note an atom in every index that it belongs to."""
        predicate = kif.sign(atom)
        self.of(predicate)[atom] = None
        for watch in self._watchers.get(predicate, ()):
            watch(atom)

    def forget(self, predicates: set[kif.Sign]) -> None:
        """Know no atoms of some predicates any more."""
        for predicate in predicates:
            self.atoms.pop(predicate, None)
            self._watchers.pop(predicate, None)
        for shape in [shape for shape in self._indices if kif.sign(shape[0]) in predicates]:
            del self._indices[shape]

    def index(
        self, pattern: kif.Atom, bound: dict[str, None]
    ) -> tuple[dict[tuple, list[tuple]], list[str], list[str]]:
        """From the bound variables of a pattern to lists of its free ones; both, in their order."""
        names = kif.variables(pattern)
        keys = [name for name in names if name in bound]
        free = [name for name in names if name not in bound]
        canon = {name: f"?{i}" for i, name in enumerate(names)}
        shape = (kif.substitute(pattern, canon), tuple(canon[name] for name in keys))
        if shape not in self._indices:
            index = self._indices[shape] = {}
            watch = _filing(pattern, keys, free, index)
            for atom in self.of(kif.sign(pattern)):
                watch(atom)
            self._watchers.setdefault(kif.sign(pattern), []).append(watch)
        return self._indices[shape], keys, free


def _filing(
    pattern: kif.Atom, keys: list[str], free: list[str], index: dict[tuple, list[tuple]]
) -> Callable[[kif.Atom], None]:
    """A function that files an atom under its key, if it has the form of the pattern."""
    tests, where = _taken_apart(pattern)
    key, value = (_tuple(where[name] for name in names) for names in (keys, free))
    lines = [f"if not ({' and '.join(tests)}): return"] if tests else []
    lines += [
        f"key = {key}",
        "found = index.get(key)",
        f"if found is None: index[key] = [{value}]",
        f"else: found.append({value})",
    ]
    return _function("file", lines, {"index": index})


def _taken_apart(pattern: kif.Atom) -> tuple[list[str], dict[str, str]]:
    """What an atom `a` of this form must meet, and where each variable stands in it."""
    tests: list[str] = []
    where: dict[str, str] = {}

    def look(term: kif.Term, place: str) -> None:
        if isinstance(term, tuple):
            tests.append(f"type({place}) is tuple and len({place}) == {len(term)}")
            for i, part in enumerate(term):
                look(part, f"{place}[{i}]")
        elif not kif.is_variable(term):
            tests.append(f"{place} == {term!r}")
        elif term in where:
            tests.append(f"{place} == {where[term]}")
        else:
            where[term] = place

    for i, part in enumerate(pattern[1:], 1):
        look(part, f"a[{i}]")
    return tests, where


def _function(name: str, lines: list[str], space: dict[str, Any]) -> Any:
    exec(f"def {name}(a):\n" + "\n".join("    " + line for line in lines), space)
    return space[name]


def _tuple(parts: Any) -> str:
    return "(" + "".join(f"{part}, " for part in parts) + ")"


class Join:
    """The code for the instances of a rule; `first` is the condition that is the atom given."""

    def __init__(
        self,
        store: Store,
        rule: kif.Rule,
        first: int | None,
        dynamic: set[kif.Sign],
        record: Record,
    ) -> None:
        self.store, self.rule, self.dynamic = store, rule, dynamic
        self.names: dict[str, str] = {}
        self.space: dict[str, Any] = {"record": record, "ticks": _TICKS}
        self.lines: list[str] = []
        self.depth = 0
        self.left = [literal for i, literal in enumerate(rule.body) if i != first]
        if first is not None:
            tests, where = _taken_apart(rule.body[first].atom)
            if tests:
                self._put(f"if not ({' and '.join(tests)}): return")
            for name, place in where.items():
                self._put(f"{self._name(name)} = {place}")

    def function(self, clock: Clock) -> Callable[[kif.Atom | None], None]:
        """The compiled join."""
        self.space["clock"] = clock
        self._put("n = 0")
        self._test()
        while self.left and any(self._binds(literal) for literal in self.left):
            best = min(filter(self._binds, self.left), key=self._cost)
            self.left.remove(best)
            index, keys, free = self.store.index(best.atom, self._bound())
            table = self._given(index)
            key = _tuple(self.names[name] for name in keys)
            self._put(
                f"for {_tuple(map(self._name, free)) if free else '_'} in {table}.get({key}, ()):"
            )
            self.depth += 1
            if self.depth > 1:
                self._put("n += 1")
                self._put("if n == ticks: n = 0; clock.look()")
            self._test()
        assert not self.left, "an unsafe rule"
        body = [one for one in self.rule.body if kif.sign(one.atom) in self.dynamic]
        positive, negated = (
            _tuple(self._term(a) for p, a in body if p == kind and not _is_asked(a))
            for kind in (True, False)
        )
        self._put(f"record({self._term(self.rule.head)}, {positive}, {negated})")
        return _function("join", self.lines, self.space)

    def _bound(self) -> dict[str, None]:
        return dict.fromkeys(self.names)

    def _binds(self, literal: kif.Literal) -> bool:
        return literal.positive and literal.atom[0] != "distinct"

    def _cost(self, literal: kif.Literal) -> tuple[float, int]:
        names = kif.variables(literal.atom)
        free = sum(name not in self.names for name in names)
        size = len(self.store.of(kif.sign(literal.atom)))
        if kif.sign(literal.atom) in self.dynamic:
            size = max(size, _GUESS)
        return float(size) ** (free / max(1, len(names))), free

    def _test(self) -> None:
        """Test the conditions whose variables are all bound."""
        again = []
        skip = "continue" if self.depth else "return"
        for literal in self.left:
            positive, atom = literal
            if any(name not in self.names for name in kif.variables(atom)):
                again.append(literal)
            elif atom[0] == "distinct":
                sides = f"{self._term(atom[1])} {'==' if positive else '!='} {self._term(atom[2])}"
                self._put(f"if {sides}: {skip}")
            elif positive or kif.sign(atom) not in self.dynamic:
                known = self._given(self.store.of(kif.sign(atom)))
                word = "not in" if positive else "in"
                self._put(f"if {self._term(atom)} {word} {known}: {skip}")
            # else: a negated condition that changes; whether it holds is the network's to say
        self.left = again

    def _put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def _name(self, variable: str) -> str:
        self.names[variable] = f"v{len(self.names)}"
        return self.names[variable]

    def _given(self, value: Any) -> str:
        name = f"t{len(self.space)}"
        self.space[name] = value
        return name

    def _term(self, term: kif.Term) -> str:
        if isinstance(term, tuple):
            return _tuple(map(self._term, term))
        return self.names[term] if kif.is_variable(term) else repr(term)


def _is_asked(atom: kif.Atom) -> bool:
    return bool(atom[0].startswith(kif.ASKED))
