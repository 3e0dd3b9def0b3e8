"""Breakthrough (D. Troyka, 2000): pawns that go forward, straight or diagonally.

A pawn goes one row forward: straight on or diagonally to an empty cell, or diagonally onto an
enemy, which it takes. See `pawn_race` for the set-up and the end.
"""

from __future__ import annotations

import numpy as np

from playout.games.pawn_race import PawnRace


class Breakthrough(PawnRace):
    """Breakthrough.

    Parameters
    ----------
    width, height : int
        Columns, from 2, and rows, from 4; at most 64 cells in all.
    misere : bool
        Whether the player who would win loses.
    """

    fields = (*PawnRace.fields, "not_left", "not_right")
    steps = 3

    def __init__(self, width: int = 8, height: int = 8, misere: bool = False) -> None:
        super().__init__(width, height, misere, width - 1, width + 1)
        left = sum(1 << row * self.width for row in range(self.height))
        self.not_left = self.full & ~np.uint64(left)
        self.not_right = self.full & ~np.uint64(left << (self.width - 1))

    def moves(self, state, moves):
        if state.won:
            return 0
        width, one = np.uint64(self.width), np.uint64(1)
        step = self.width
        own, others = state.pieces[state.player], state.pieces[1 - state.player]
        free = self.full & ~own
        if state.player == 0:
            n = self._steps_to(moves, 0, own << width & free & ~others, step)
            n = self._steps_to(moves, n, (own & self.not_left) << (width - one) & free, step - 1)
            return self._steps_to(
                moves, n, (own & self.not_right) << (width + one) & free, step + 1
            )
        n = self._steps_to(moves, 0, own >> width & free & ~others, -step)
        n = self._steps_to(moves, n, (own & self.not_right) >> (width - one) & free, 1 - step)
        return self._steps_to(moves, n, (own & self.not_left) >> (width + one) & free, -1 - step)

    def _attacked(self, pieces, player):
        """The cells where a player's pieces can take."""
        width, one = np.uint64(self.width), np.uint64(1)
        left, right = pieces & self.not_left, pieces & self.not_right
        if player == 0:
            return (left << (width - one) | right << (width + one)) & self.full
        return right >> (width - one) | left >> (width + one)

    def _winners(self, pieces, player):
        """The pieces that can arrive with one move: one aside is always possible."""
        width = np.uint64(self.width)
        edge = self.edges[player]
        return pieces & (edge >> width if player == 0 else edge << width)
