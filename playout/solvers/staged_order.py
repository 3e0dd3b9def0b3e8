"""Orders that learn apart for each stage of the game: what is good early may be bad late."""

from __future__ import annotations

import numpy as np

from playout.contract import Game
from playout.errors import OptionError
from playout.solvers.move_order import MoveOrder


class StagedOrder(MoveOrder):
    """An order whose arrays have a row for each stage.

    Parameters
    ----------
    stage : int
        What was learnt is put together for so many moves: by how many the game says are left,
        else by depth.
    """

    fields: tuple[str, ...] = ("stage", "stages", "longest")

    def __init__(self, *, stage: int = 4) -> None:
        if isinstance(stage, bool) or not isinstance(stage, int) or stage < 1:
            raise OptionError(f"stage={stage!r}: a whole number from 1")
        self.stage = stage

    def prepare(self, game: Game, root: np.ndarray) -> None:
        self.longest = game.max_length + 2
        self.stages = self.longest // self.stage + 1

    def stage_of(self, game, state, depth):
        left = game.left(state)
        if left < 0:
            left = self.longest - depth
        return min(left // self.stage, self.stages - 1)
