"""One of the best solutions of a run, as `result.solutions` has them."""

from __future__ import annotations

from typing import Any


class Solution(dict[str, Any]):
    """A solution with its score; what takes a result's moves takes it too.

    It is the object that JSON has, so that `solution["score"]` is `solution.score`.

    Examples
    --------
    >>> import playout as po
    >>> found = po.solve("maximum:n=9", "nmcs", "300 playouts", seed=1, compiled=False, best=2)
    >>> found.solutions[0].score, found.solutions[0].moves == found.moves
    (6.0, True)
    """

    @property
    def score(self) -> float:
        """The score, or the cost, as replaying the moves gives it."""
        return float(self["score"])

    @property
    def moves(self) -> list[str]:
        """The moves for a person."""
        return list(self["moves"])

    @property
    def records(self) -> list[list[Any]]:
        """The same moves as the problem's records."""
        return list(self["records"])

    def __repr__(self) -> str:
        return f"Solution(score={self.score!r}, {len(self.moves)} moves)"
