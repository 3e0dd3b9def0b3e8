"""The part of `check_problem` that looks at notation, places and symmetries, in plain Python.

What `move_text` and `position_text` write must be read back as what it was. Moves must be
inside of the picture, each in a place of its own. A symmetry must be one
of the rules: it takes legal moves to legal moves, it makes no difference whether a move is
played before or after it, and all of them together are a group.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.check.values import difference, is_finite, shown
from playout.compiled.records import bytes_of, copy_of, in_place, same_record
from playout.contract import Game, Problem

if TYPE_CHECKING:
    from playout.check.plain import PlainGames

_GARBAGE = 0xA5


class Rules:
    """Looks at positions for the games of `PlainGames`."""

    def __init__(self, plain: PlainGames) -> None:
        self.plain = plain
        self.problem: Any = plain.problem
        self._own_notation = _defines(self.problem, "position_text", "read_position")
        self._own_places = _defines(self.problem, "where")

    def look(self, states: np.ndarray, legal: np.ndarray) -> None:
        """Check one position, whose legal moves these are."""
        if not isinstance(self.problem, Problem):
            self._check_move_texts(states, legal)
        if self._own_places:
            self._check_places(states, legal)
        if self._own_notation:
            self._check_position(states, len(legal))
        if self.problem.symmetries > 1:
            for symmetry in range(self.problem.symmetries):
                self._check_symmetry(states, legal, symmetry)

    # notation

    def _check_move_texts(self, states: np.ndarray, legal: np.ndarray) -> None:
        seen: dict[str, int] = {}
        for i, move in enumerate(legal):
            text = self.plain.call("move_text", states[0], move, keep=states)
            j = seen.setdefault("".join(str(text).split()).lower(), i)
            if j != i:
                self.plain.add(
                    "move_text() gives two moves the same text",
                    f"moves[{j}] and moves[{i}] are both {text!r}, capitals and blanks aside; "
                    "parse_move() could not tell them apart",
                )
                return
        if len(legal):
            move = legal[len(legal) // 2]
            text = self.plain.call("move_text", states[0], move, keep=states)
            read = self.plain.call("parse_move", states[0], text, keep=states)
            if not same_record(move, read):
                self.plain.add(
                    "parse_move() does not read what move_text() writes",
                    f"{text!r} is {move}, but was read as {shown(read)}",
                )

    def _check_places(self, states: np.ndarray, legal: np.ndarray) -> None:
        size = _size(self.plain.call("svg", states[0], keep=states))
        seen: dict[Any, int] = {}
        for i, move in enumerate(legal):
            places = self.plain.call("where", states[0], move, keep=states)
            if not _are_points(places):
                self.plain.stop(
                    "where() does not return points",
                    f"it returned {shown(places)}; return a tuple of at most two (x, y)",
                )
            for x, y in places:
                if size is None or not (0 <= x <= size[0] and 0 <= y <= size[1]):
                    inside = "there is no picture" if size is None else f"which is {size} large"
                    self.plain.stop(
                        "where() is outside of the picture", f"{(x, y)} of moves[{i}]; {inside}"
                    )
            j = seen.setdefault(places, i) if places else i
            if j != i and not isinstance(self.problem, Problem):
                self.plain.stop(
                    "where() gives two moves the same place",
                    f"moves[{j}] and moves[{i}] are both at {places}: a click could not tell them "
                    "apart",
                )

    def _check_position(self, states: np.ndarray, count: int) -> None:
        text = self.plain.call("position_text", states[0], keep=states)
        if not isinstance(text, str) or "\n" in text or not text.strip():
            self.plain.stop("position_text() is not one line", f"it returned {shown(text)}")
        read = self.plain.call("read_position", text)
        if not self.problem.is_one_state(read):
            self.plain.stop(
                "read_position() does not return an array of one state",
                f"it returned {shown(read)}",
            )
        moves = int(self.plain.call("moves", read[0], self.problem.new_moves()))
        wrong = [
            f"{name} {before} became {after}"
            for name, before, after in (
                ("position_text()", text, self.plain.call("position_text", read[0])),
                ("the number of moves", count, moves),
                ("key()", self._key(states), self._key(read)),
                ("turn()", self._turn(states, count), self._turn(read, count)),
                ("the reward", self._rewards(states, count), self._rewards(read, count)),
            )
            if before != after
        ]
        if wrong:
            self.plain.add(
                "read_position() does not read what position_text() writes",
                f"after reading {text!r}, {wrong[0]}",
            )

    # symmetries

    def _check_symmetry(self, states: np.ndarray, legal: np.ndarray, symmetry: int) -> None:
        seen = self._transform(states, symmetry)
        where = f"under symmetry {symmetry}"
        if symmetry == 0 and seen.tobytes() != states.tobytes():
            self.plain.stop(
                "symmetry 0 is not the identity", f"under it, {difference(states, seen)}"
            )
        count = len(legal)
        if self._turn(seen, count) != self._turn(states, count):
            self.plain.stop(
                "transform() changes whose turn it is",
                f"{self._turn(states, count)} became {self._turn(seen, count)} {where}",
            )
        there = self.problem.new_moves()
        n = int(self.plain.call("moves", seen[0], there))
        expected = [self._transform_move(legal[i : i + 1], symmetry) for i in range(count)]
        if sorted(m.tobytes() for m in expected) != sorted(map(bytes_of, there[:n])):
            legal_there = set(map(bytes_of, there[:n]))
            stray = [i for i in range(count) if expected[i].tobytes() not in legal_there]
            if n != count:
                what = f"there are {count} moves, but {n} {where}"
            elif stray:
                i = stray[0]
                what = f"{legal[i]} becomes {expected[i][0]} {where}, which is not legal there"
            else:
                what = f"two moves become the same {where}"
            self.plain.stop("transform() and transform_move() do not fit moves()", what)
        if self._rewards(seen, count) != self._rewards(states, count):
            self.plain.stop(
                "transform() changes the reward",
                f"{self._rewards(states, count)} became {self._rewards(seen, count)} {where}",
            )
        if self._canonical(seen) != self._canonical(states):
            self.plain.stop(
                "the symmetries are not a group",
                f"the lowest key() of all its symmetric forms is another {where}; each symmetry "
                "after another must be one of them, and key() must depend on the position only",
            )
        if count:
            i = (count + symmetry) // 2 % count
            self._check_play(states, legal[i : i + 1], seen, expected[i], symmetry)

    def _check_play(
        self, states: np.ndarray, move: np.ndarray, seen: np.ndarray, other: np.ndarray, number: int
    ) -> None:
        after, later = states.copy(), seen.copy()
        self.plain.call("play", after[0], copy_of(move[0]))
        self.plain.call("play", later[0], copy_of(other[0]))
        after = self._transform(after, number)
        if self._key(after) != self._key(later):
            said = difference(after, later) or "key() differs for the same state"
            self.plain.stop(
                "transform() and play() do not fit",
                f"{move[0]} played before and after symmetry {number}: {said}",
            )

    def _transform(self, states: np.ndarray, symmetry: int) -> np.ndarray:
        return self._filled("transform", states, symmetry, "state")

    def _transform_move(self, move: np.ndarray, symmetry: int) -> np.ndarray:
        return self._filled("transform_move", move, symmetry, "move")

    def _filled(self, name: str, given: np.ndarray, symmetry: int, what: str) -> np.ndarray:
        """What a method writes, whatever `out` held before."""
        out, again = np.zeros_like(given), np.zeros_like(given)
        again.view(np.uint8)[:] = _GARBAGE
        for target in (out, again):
            self.plain.call(name, given[0], symmetry, in_place(target, 0), keep=given)
        if out.tobytes() != again.tobytes():
            self.plain.stop(
                f"{name}() leaves part of the {what} unset",
                f"symmetry {symmetry}: the result depends on what `out` held before; "
                "set every field of it",
            )
        return out

    def _canonical(self, states: np.ndarray) -> int:
        forms = range(self.problem.symmetries)
        return min(self._key(self._transform(states, symmetry)) for symmetry in forms)

    # what is compared

    def _key(self, states: np.ndarray) -> int:
        return self.plain.integer("key", states)

    def _turn(self, states: np.ndarray, count: int) -> int:
        return int(self.plain.call("turn", states[0])) if count else 0

    def _rewards(self, states: np.ndarray, count: int) -> list[float]:
        return self.plain.rewards(states) if count == 0 else []


def _defines(problem: Any, *names: str) -> bool:
    """Whether the class has methods of its own for all these."""
    return all(getattr(type(problem), name) is not getattr(Game, name) for name in names)


def _size(picture: Any) -> tuple[float, float] | None:
    """How wide and high an SVG picture is in its own units; None if there is none."""
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', picture if picture else "")
    return (float(found[1]), float(found[2])) if found else None


def _are_points(places: Any) -> bool:
    if not isinstance(places, tuple) or len(places) > 2:
        return False
    return all(
        isinstance(point, tuple) and len(point) == 2 and all(map(is_finite, point))
        for point in places
    )
