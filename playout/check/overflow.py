"""The part of `check_problem` that finds numbers without room in their field.

A number that is too large for an `i1` loses its high bits: a count of 128 is -128. Every move is
played once more with fields that are wide enough, and the two must agree. These fields also tell
of a fraction that is written into a whole number, which loses it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.compiled.records import Record

if TYPE_CHECKING:
    from playout.check.plain import PlainGames

Told = Callable[[str, Any], None]  # of a field, and what is written into it


class Overflow:
    """Plays moves with wide fields too, in which nothing is lost."""

    def __init__(self, games: PlainGames) -> None:
        self._games = games
        problem = games.problem
        self._state_type = watched(widened(problem.state_type), "state", self._cut)
        self._move_type = watched(widened(problem.move_type), "move", self._cut)
        self._method = ""
        # rules that hand records on to arrays of their own see the types that they know
        self._works = True

    def look(self, states: np.ndarray, legal: np.ndarray) -> None:
        """Whether the moves of a state have room in theirs."""
        wide = np.zeros(self._games.problem.max_moves, self._move_type)
        filled = WatchedNumbers.over(wide, self._cut) if wide.dtype.kind in "iu" else wide
        if self._call("moves", states.astype(self._state_type)[0], filled):
            self._compare("moves", "move", wide[: len(legal)], legal)

    def look_after(self, states: np.ndarray, move: np.ndarray, after: np.ndarray) -> None:
        """Whether the state after a move has room for what play() writes."""
        wide = states.astype(self._state_type)
        if self._call("play", wide[0], move.astype(self._move_type)[0]):
            self._compare("play", "state", wide, after)

    def _call(self, name: str, *args: Any) -> bool:
        if self._works:
            self._method = name
            try:
                getattr(self._games.problem, name)(*args)
            except Exception:
                self._works = False
        return self._works

    def _cut(self, field: str, value: Any) -> None:
        self._games.findings.note(
            f"{self._method}() writes {value} into {field}, a whole number: its fraction is lost "
            f"({self._games.where})",
            once="fraction",
        )

    def _compare(self, method: str, what: str, wide: np.ndarray, narrow: np.ndarray) -> None:
        for field, value, kind in lost(wide, narrow, what):
            bounds = np.iinfo(kind)
            self._games.stop(
                f"{method}() writes a number that has no room",
                f"{field} should be {value}, but its type {np.dtype(kind).str[1:]} goes from "
                f"{bounds.min} to {bounds.max}: give it a wider one",
            )


def widened(kind: Any) -> np.dtype:
    """A type with 64 bits for every whole number."""
    dtype = np.dtype(kind)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((widened(base), shape))
    if dtype.names is not None:
        fields = [(name, widened(dtype[name])) for name in dtype.names]
        return np.dtype((dtype.type if issubclass(dtype.type, Record) else np.void, fields))
    return np.dtype(np.int64) if dtype.kind in "iu" and dtype.itemsize < 8 else dtype


def watched(dtype: np.dtype, what: str, told: Told) -> np.dtype:
    """A record type of the same fields, which tells of fractions that are lost."""
    if dtype.names is None or not issubclass(dtype.type, Record):
        return dtype
    fields = {name: property(itemgetter(name)) for name in dtype.names}
    for name in dtype.names:
        whole = dtype[name].kind in "iu"
        fields[name] = fields[name].setter(_writer(name, f"{what}.{name}", told if whole else None))
    made: Any = type(Record)
    kind = made("Watched", (Record,), {"__slots__": (), **fields})
    return np.dtype((kind, [(name, dtype[name]) for name in dtype.names]))


def _writer(name: str, field: str, told: Told | None) -> Callable[[Any, Any], None]:
    def write(record: Any, value: Any) -> None:
        if told is not None and has_fraction(value):
            told(field, value)
        np.void.__setitem__(record, name, value)

    return write


class WatchedNumbers(np.ndarray):
    """Moves that are plain numbers, which tell of fractions that are lost."""

    told: Told | None = None

    @classmethod
    def over(cls, array: np.ndarray, told: Told) -> WatchedNumbers:
        """The same numbers, watched."""
        numbers = array.view(cls)
        numbers.told = told
        return numbers

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.told is not None and has_fraction(value):
            self.told("a move", value)
        super().__setitem__(index, value)


def has_fraction(value: Any) -> bool:
    """Whether a value is a number that is not whole."""
    return isinstance(value, float | np.floating) and value != np.floor(value)


def lost(wide: np.ndarray, narrow: np.ndarray, what: str) -> list[tuple[str, int, np.dtype]]:
    """The first number that is another in the narrow fields: where, what it is, and its type."""
    if narrow.dtype.names is None:
        if narrow.dtype.kind not in "iu" or narrow.dtype.itemsize == 8:
            return []
        differ = np.flatnonzero(wide.ravel() != narrow.ravel())
        if not len(differ):
            return []
        value = int(wide.ravel()[differ[0]])
        where = f"{what}[{differ[0]}]" if narrow.size > 1 else what
        bounds = np.iinfo(narrow.dtype)
        # others are another move's or a rule's that knows its types
        return [] if bounds.min <= value <= bounds.max else [(where, value, narrow.dtype)]
    for name in narrow.dtype.names:
        if found := lost(wide[name], narrow[name], f"{what}.{name}"):
            return found
    return []
