"""The part of `check_problem` that compares outcomes: they must be a total preorder."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from playout.check.values import difference, is_finite, shown

if TYPE_CHECKING:
    from playout.check.plain import PlainGames

MOST_OUTCOMES = 24  # that are compared, each with every other
_GARBAGE = 0x5A


class Outcomes:
    """The outcomes that the games of `PlainGames` came to."""

    def __init__(self, plain: PlainGames) -> None:
        self.plain = plain
        self._outcomes: dict[bytes, np.ndarray] = {}

    def note(self, states: np.ndarray) -> None:
        for player in range(self.plain.problem.players):
            out = outcome_of(self.plain, states, player)
            if len(self._outcomes) < MOST_OUTCOMES:
                self._outcomes.setdefault(out.tobytes(), out)

    def check(self) -> None:
        """`better` must be a total preorder, `worth` a number from 0 to 1."""
        outs = list(self._outcomes.values())
        if not outs:
            return
        better = np.zeros((len(outs), len(outs)), int)
        for i, j in product(range(len(outs)), repeat=2):
            answer = self.plain.call("better", outs[i][0], outs[j][0])
            if not isinstance(answer, int | np.integer) or answer not in (-1, 0, 1):
                self.plain.stop("better() is not 1, 0 or -1", f"it returned {shown(answer)}")
            better[i, j] = answer
        self._check_preorder(outs, better)
        scores = [float(out[0].score) for out in outs]
        low, high = min(scores), max(scores)
        for out in outs:
            worth = self.plain.call("worth", out[0], low, high)
            if not is_finite(worth) or not 0 <= worth <= 1:
                self.plain.stop(
                    "worth() is not a number from 0 to 1",
                    f"it returned {shown(worth)} for {out[0]}, scores being {low:g} to {high:g}",
                )

    def _check_preorder(self, outs: list[np.ndarray], better: np.ndarray) -> None:
        says = "better() is not an order of outcomes"
        for i, j in product(range(len(outs)), repeat=2):
            if better[i, j] != -better[j, i]:
                self.plain.stop(
                    says,
                    f"better(a, b) is {better[i, j]} and better(b, a) is {better[j, i]} for a = "
                    f"{outs[i][0]} and b = {outs[j][0]}; one should be minus the other",
                )
        at_least = better >= 0
        for i, j in product(range(len(outs)), repeat=2):
            for k in np.flatnonzero(at_least[i] & at_least[:, j] & ~at_least[i, j]):
                self.plain.stop(
                    says,
                    f"{outs[i][0]} is at least as good as {outs[k][0]}, and that as {outs[j][0]}, "
                    "but the first is worse than the last",
                )


def outcome_of(plain: PlainGames, states: np.ndarray, player: int) -> np.ndarray:
    """What `outcome` writes, whatever `out` held before."""
    out = np.zeros(1, plain.problem.outcome_type)
    again = np.zeros_like(out)
    again.view(np.uint8)[:] = _GARBAGE
    for target in (out, again):
        plain.call("outcome", states[0], player, target[0], keep=states)
    if out.tobytes() != again.tobytes():
        plain.stop(
            "outcome() leaves part of the outcome unset",
            f"{difference(out, again)} when `out` held other things before; set every field of it",
        )
    if not is_finite(out[0].score):
        plain.stop("outcome() has a score that is no number", f"it is {shown(out[0].score)}")
    return out
