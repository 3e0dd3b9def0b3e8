"""Knightthrough: Breakthrough with knights, which only go forward.

A piece goes as a knight of chess, two rows forward and one aside or one row forward and two
aside, to an empty cell or onto an enemy, which it takes. See `races` for the set-up and the end.
"""

from __future__ import annotations

import numpy as np

from playout.games.races import Race


class Knightthrough(Race):
    """Knightthrough.

    Parameters
    ----------
    width : int
        Columns, from 2; at most 64 cells in all.
    height : int
        Rows, from 4.
    misere : bool
        Whether the player who would win loses.
    """

    fields = (*Race.fields, "right_of", "left_of")
    steps = 4

    def __init__(self, width: int = 8, height: int = 8, misere: bool = False) -> None:
        super().__init__(width, height, misere, width - 2, 2 * width + 1)
        # the cells that have at least so many columns to their right, and to their left
        masks = []
        for aside in (0, 1, 2):
            narrow = (1 << max(0, self.width - aside)) - 1
            rows = sum(narrow << row * self.width for row in range(self.height))
            masks.append((rows, rows << aside & int(self.full)))
        self.right_of = np.array([right for right, _ in masks], np.uint64)
        self.left_of = np.array([left for _, left in masks], np.uint64)

    def moves(self, state, moves):
        if state.won:
            return 0
        own = state.pieces[state.player]
        free = self.full & ~own
        n = 0
        for aside in (1, 2):
            forward = (3 - aside) * self.width
            right, left = own & self.right_of[aside], own & self.left_of[aside]
            if state.player == 0:
                there = right << np.uint64(forward + aside) & free
                n = self._steps_to(moves, n, there, forward + aside)
                there = left << np.uint64(forward - aside) & free
                n = self._steps_to(moves, n, there, forward - aside)
            else:
                there = right >> np.uint64(forward - aside) & free
                n = self._steps_to(moves, n, there, aside - forward)
                there = left >> np.uint64(forward + aside) & free
                n = self._steps_to(moves, n, there, -forward - aside)
        return n
