"""A proof that makes its Monte Carlo search late, for games whose past counts: `latemc`.

Where a position's worth depends on how it came about, as under superko, what a move came to
elsewhere says little of it here: success learnt in the proof then stands in the way of what the
search has counted at the very position. So it only serves until the search is made, which a small
game does not come to; from then on the order is that of the paper (`monte_carlo_order.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.algorithms.array_checks import within
from playout.contract import Game
from playout.solvers.learns_later import LearnsLater
from playout.solvers.monte_carlo_order import MonteCarlo
from playout.solvers.move_orders import Success


class LateMonteCarlo(LearnsLater, Success):
    """By `success` until the proof has taken `later` moves, then by `mc`.

    Parameters
    ----------
    blend : float
        As for `mc`.
    others
        See `LearnsLater` and `Success`.
    """

    fields: tuple[str, ...] = (*Success.fields, "paper", "learnt")
    name = "latemc"

    def __init__(self, *, blend: float = 0.0, **others: Any) -> None:
        super().__init__(blend=blend, **others)
        mine = {name: getattr(self, name) for name in ("playouts", "seed", "alpha", "blend")}
        self.paper = MonteCarlo(**mine)

    def prepare(self, game: Game, root: np.ndarray) -> None:
        super().prepare(game, root)
        self.learnt = np.zeros(1, np.int64)
        self.paper.prepare_unlearnt(game)
        if not self.later:
            self.learn(game, root)

    def learn(self, game: Game, root: np.ndarray) -> None:
        """Search the root; from then on the order is that of `mc`."""
        self.paper.seed, self.paper.look = self.seed, self.look
        self.paper.prepare(game, root)
        self.paper.look = None
        self.seconds = self.paper.seconds
        self.learnt[0] = 1

    def take_over(self, other: LateMonteCarlo) -> None:
        self.paper = other.paper
        self.learnt[0] = 1

    def check_arrays(self) -> None:
        within(self.learnt, 0, 1, "whether the order has learnt")

    def score(self, game, state, moves, n, scores, depth):
        if self.learnt[0]:
            self.paper.score(game, state, moves, n, scores, depth)
        else:
            self.score_by_success(game, state, moves, n, scores, depth)

    score_by_success = Success.score
