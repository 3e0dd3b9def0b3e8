"""The part of `check_problem` about `planes` and `output`: what a network sees and says.

Planes are finite, the same each time and for equal keys; every legal move of a state has an output
of its own; mirror images are played as what they are images of. A few games are looked at compiled
as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from playout.check.trace import Findings, Trace
from playout.check.values import shown
from playout.compiled import friendly, kernel
from playout.compiled.records import bytes_of, copy_of, in_place
from playout.contract import Game
from playout.errors import PlayoutError

if TYPE_CHECKING:
    from playout.check.plain import PlainGames

COMPILED_GAMES = 3
MIRRORED = 60  # positions whose mirror images are looked at
METHODS = ("planes", "output")


@kernel
def _look(problem, state, legal, n, planes, outputs):
    problem.planes(state[0], planes)
    for i in range(n):
        outputs[i] = problem.output(state[0], legal[i])


def check_shapes(problem: Any, findings: Findings) -> None:
    """Whether the attributes that go with the methods make sense."""
    name, own = type(problem).__name__, own_methods(problem)
    if not own:
        return
    if len(own) == 1:
        findings.add("planes() and output() go together", f"{name} has {own[0]}() only")
    shape, outputs, equal = problem.plane_shape, problem.outputs, problem.equal_planes
    if not (_are_numbers(shape, 3) and min(shape) > 0):
        findings.add(
            "plane_shape", f"{name}.plane_shape is {shape!r}; (planes, rows, columns) is right"
        )
    elif not (_are_numbers(equal, 2) and 0 <= equal[0] <= equal[1] <= shape[0]):
        findings.add(
            "equal_planes",
            f"{name}.equal_planes is {equal!r}; the first plane and that behind the last, of "
            f"{shape[0]}, is right",
        )
    if not _are_numbers((outputs,), 1) or outputs < 1:
        findings.add("outputs", f"{name}.outputs is {outputs!r}; a number over 0 is right")


def own_methods(problem: Any) -> list[str]:
    """Those of the methods that a class has."""
    return [name for name in METHODS if getattr(type(problem), name) is not getattr(Game, name)]


def _are_numbers(values: Any, count: int) -> bool:
    if not isinstance(values, tuple | list) or len(values) != count:
        return False
    return all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in values)


class Planes:
    """Looks at positions for the games of `PlainGames`."""

    def __init__(self, plain: PlainGames) -> None:
        self.plain = plain
        self.problem: Any = plain.problem
        self._wanted = len(own_methods(self.problem)) == len(METHODS)
        self._shape = self._shapes()
        self._seen: dict[int, bytes] = {}
        self._to_mirror = MIRRORED

    def look(self, states: np.ndarray, legal: np.ndarray, key: int) -> None:
        """Check one position that has legal moves."""
        if not self._wanted:
            return
        if self._shapes() != self._shape:
            self.plain.stop(
                "plane_shape or outputs changes",
                f"they were {self._shape} and are {self._shapes()}; one network sees all states",
            )
        planes = self._planes(states)
        if not np.isfinite(planes).all():
            place = tuple(int(i) for i in np.argwhere(~np.isfinite(planes))[0])
            self.plain.stop("planes() is not finite", f"{_place(place)} is {planes[place]}")
        again = self._planes(states.copy())
        if planes.tobytes() != again.tobytes():
            self.plain.stop(
                "planes() is not the same each time",
                f"{_difference(planes, again)} for the same state",
            )
        if self._seen.setdefault(key, planes.tobytes()) != planes.tobytes():
            before = np.frombuffer(self._seen[key], np.float32).reshape(planes.shape)
            self.plain.add(
                "planes() is not the same for equal keys",
                f"{_difference(before, planes)} in two states with the key {key}; predictions are "
                "kept by key()",
            )
        self._check_outputs(states, legal)
        if self._to_mirror > 0:
            self._to_mirror -= 1
            move = len(legal) // 2
            self._check_mirror(states, legal[move : move + 1].copy(), len(legal))

    def _check_outputs(self, states: np.ndarray, legal: np.ndarray) -> None:
        owners: dict[int, Any] = {}
        for move in legal:
            output = self.plain.twice("output", states, move)
            if not isinstance(output, int | np.integer) or isinstance(output, bool):
                self.plain.stop(
                    "output() is not an integer", f"it returned {shown(output)} for {move}"
                )
            if not 0 <= output < self.problem.outputs:
                self.plain.stop(
                    "output() is out of range",
                    f"it returned {output} for {move}; from 0 to {self.problem.outputs - 1} is "
                    f"right, as outputs is {self.problem.outputs}",
                )
            other = owners.setdefault(int(output), move)
            if other is not move:
                self.plain.stop(
                    "output() gives two moves the same output",
                    f"{other} and {move} both have {output}; each legal move needs its own",
                )

    def _check_mirror(self, states: np.ndarray, move: np.ndarray, count: int) -> None:
        image, other = states.copy(), move.copy()
        if not self.plain.call("mirror", image[0], in_place(other, 0)):
            return
        there = self.problem.new_moves()
        n = int(self.plain.call("moves", image[0], there))
        said = ""
        if n != count:
            said = f"there are {count} moves, but {n} in the mirror image"
        elif bytes_of(other[0]) not in set(map(bytes_of, there[:n])):
            said = f"{move[0]} becomes {other[0]}, which is not legal in the mirror image"
        if said:
            self.plain.stop("mirror() does not fit moves()", said)
        after, later = states.copy(), image.copy()
        self.plain.call("play", after[0], copy_of(move[0]))
        self.plain.call("play", later[0], copy_of(other[0]))
        if self.plain.call("moves", after[0], there) == 0:
            return
        self.plain.call("mirror", after[0], in_place(there, 0))
        if self.plain.integer("key", after) != self.plain.integer("key", later):
            self.plain.stop(
                "mirror() does not fit play()",
                f"{move[0]} played before and after mirror() gives two states with different keys",
            )

    def _planes(self, states: np.ndarray) -> np.ndarray:
        out = np.zeros(self.problem.plane_shape, np.float32)
        self.plain.call("planes", states[0], out, keep=states)
        return out

    def _shapes(self) -> tuple[Any, Any]:
        return tuple(self.problem.plane_shape), self.problem.outputs


def _difference(one: np.ndarray, other: np.ndarray) -> str:
    place = tuple(int(i) for i in np.argwhere(one != other)[0])
    return f"{_place(place)} is {one[place]} and {other[place]}"


def _place(place: tuple[int, ...]) -> str:
    return f"out[{', '.join(map(str, place))}]"


def compare_planes(problem: Any, traces: list[Trace], findings: Findings) -> None:
    """Planes and outputs of a few games compiled; the first difference is a finding."""
    if len(own_methods(problem)) < len(METHODS):
        return
    for trace in traces[:COMPILED_GAMES]:
        for i, legal in enumerate(trace.moves):
            if len(legal) == 0:
                continue
            found, plain = (
                (np.zeros(problem.plane_shape, np.float32), np.zeros(len(legal), np.int64))
                for _ in range(2)
            )
            _look.py_func(problem, trace.states[i].copy(), legal, len(legal), *plain)
            try:
                with friendly():
                    _look(problem, trace.states[i].copy(), legal.copy(), len(legal), *found)
            except PlayoutError as error:
                findings.add("compiled code fails", str(error))
                return
            said = ""
            if not np.allclose(found[0], plain[0], rtol=1e-5, atol=1e-6):
                said = f"after planes(), {_difference(plain[0], found[0])}, plain and compiled"
            elif (found[1] != plain[1]).any():
                k = int(np.argmax(found[1] != plain[1]))
                said = f"output() is {plain[1][k]} in plain Python and {found[1][k]} compiled"
            if said:
                where = f"game {trace.number}, move {i + 1}"
                findings.add("compiled code differs from plain Python", f"{where}: {said}")
                return
