"""Knightthrough: Breakthrough with knights, which only go forward.

A piece goes as a knight of chess, two rows forward and one aside or one row forward and two
aside, to an empty cell or onto an enemy, which it takes. See `pawn_race` for the set-up and the
end.
"""

from __future__ import annotations

import numpy as np

from playout.compiled.bits import bit, count_bits
from playout.contract import UNSURE
from playout.games.pawn_race import PawnRace


class Knightthrough(PawnRace):
    """Knightthrough.

    Parameters
    ----------
    width, height : int
        Columns, from 2, and rows, from 4; at most 64 cells in all.
    misere : bool
        Whether the player who would win loses.
    """

    fields = (*PawnRace.fields, "right_of", "left_of", "rows")
    steps = 4

    def __init__(self, width: int = 8, height: int = 8, misere: bool = False) -> None:
        super().__init__(width, height, misere, width - 2, 2 * width + 1)
        self.rows = self.height
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

    def _attacked(self, pieces, player):
        """The cells to which a player's pieces can go, but for his own pieces there."""
        found = np.uint64(0)
        for aside in (1, 2):
            forward = (3 - aside) * self.width
            right, left = pieces & self.right_of[aside], pieces & self.left_of[aside]
            if player == 0:
                found |= right << np.uint64(forward + aside) | left << np.uint64(forward - aside)
            else:
                found |= right >> np.uint64(forward - aside) | left >> np.uint64(forward + aside)
        return found & self.full

    def _winners(self, pieces, player):
        """The pieces that can arrive with one move: those that the edge's knights attack."""
        return pieces & self._attacked(self.edges[player], 1 - player)

    def lateness(self, state, move):
        """As Algorithm 5 of T. Cazenave, Monte Carlo Game Solver, MCS 2020.

        First moves that arrive. Then captures in the own three rows. Then moves into the last
        three rows, where more own pieces stand behind the target than enemies attack it.
        """
        if self.misere:
            return UNSURE
        player = np.int64(state.player)
        own, others = state.pieces[player], state.pieces[1 - player]
        target = bit(move.target)
        if target & self.edges[player]:
            return 0.0
        row = np.int64(move.target) // self.width
        if player == 1:
            row = self.rows - 1 - row
        if target & others and row < 3:
            return 1.0
        if row >= self.rows - 3:
            own &= ~bit(move.source)
            support = count_bits(own & self._attacked(target, 1 - player))
            attack = count_bits(others & self._attacked(target, player))
            if support > attack:
                return 2.0
        return UNSURE
