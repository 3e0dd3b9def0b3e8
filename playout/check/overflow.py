"""The part of `check_problem` that finds numbers without room in their field.

A number that is too large for an `i1` loses its high bits: a count of 128 is -128. Every move is
played once more with fields that are wide enough, and the two must agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from playout.compiled.records import Record

if TYPE_CHECKING:
    from playout.check.plain import PlainGames


class Overflow:
    """Plays moves with wide fields too, in which nothing is lost."""

    def __init__(self, games: PlainGames) -> None:
        self._games = games
        problem = games.problem
        self._state_type, self._move_type = widened(problem.state_type), widened(problem.move_type)
        # rules that hand records on to arrays of their own see the types that they know
        self._works = True

    def look(self, states: np.ndarray, legal: np.ndarray) -> None:
        """Whether the moves of a state have room in theirs."""
        wide = np.zeros(self._games.problem.max_moves, self._move_type)
        if self._call("moves", states.astype(self._state_type)[0], wide):
            self._compare("moves", "move", wide[: len(legal)], legal)

    def look_after(self, states: np.ndarray, move: np.ndarray, after: np.ndarray) -> None:
        """Whether the state after a move has room for what play() writes."""
        wide = states.astype(self._state_type)
        if self._call("play", wide[0], move.astype(self._move_type)[0]):
            self._compare("play", "state", wide, after)

    def _call(self, name: str, *args: Any) -> bool:
        if self._works:
            try:
                getattr(self._games.problem, name)(*args)
            except Exception:
                self._works = False
        return self._works

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
