"""What a network of a problem or game sees and says, without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

from playout.contract import Game
from playout.errors import ProblemError


@dataclass(frozen=True)
class Shape:
    """The planes that a network sees and the number of its outputs, one for each move."""

    planes: int
    rows: int
    columns: int
    outputs: int

    def __str__(self) -> str:
        return (
            f"{self.planes} planes of {self.columns}x{self.rows} (columns x rows) "
            f"and {self.outputs} outputs"
        )


def shape_of(problem: Game) -> Shape:
    """The shape of a problem's networks; ProblemError if the problem says none."""
    name = type(problem).__name__
    for method in ("planes", "output"):
        if getattr(type(problem), method) is getattr(Game, method):
            raise ProblemError(
                f"{name} cannot be learned: it has no {method}() method, which tells a network of "
                "its states and moves"
            )
    planes, outputs = problem.plane_shape, problem.outputs
    if len(planes) != 3 or min(planes) < 1 or outputs < 1:
        raise ProblemError(
            f"{name} should set plane_shape = (planes, rows, columns) and outputs, numbers over 0; "
            f"they are {planes} and {outputs}"
        )
    return Shape(int(planes[0]), int(planes[1]), int(planes[2]), int(outputs))
