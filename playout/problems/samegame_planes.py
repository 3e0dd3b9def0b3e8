"""What a network sees of SameGame, and the boards that it is shown more often than they are met.

A plane of empty cells and one for each colour, bottom row first; a move is the lowest cell of the
leftmost of its group. From A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration
Using MCTS.
"""

from __future__ import annotations

import numpy as np

from playout.compiled.random import random_below
from playout.contract import Problem


class SameGamePlanes(Problem):
    """The part of `SameGame` that networks learn from."""

    def planes(self, state, out):
        for column in range(self.width):
            base = (column + 1) * self.stride + 1
            for row in range(self.stride - 2):
                out[state.board[base + row], row, column] = 1.0

    def output(self, state, move):
        return (np.int64(move.row) - 1) * self.width + np.int64(move.cell) // self.stride - 1

    def mirror(self, state, move):
        board, tile, heights, stride = state.board, state.tile, state.heights, self.stride
        for left in range(1, state.columns // 2 + 1):
            right = state.columns + 1 - left
            heights[left], heights[right] = heights[right], heights[left]
            for row in range(1, stride - 1):
                p, q = left * stride + row, right * stride + row
                board[p], board[q] = board[q], board[p]
                if self.follow:
                    tile[p], tile[q] = tile[q], tile[p]
        # the group that is found first, from the mirrored cell on, is that of the move
        column = state.columns + 1 - np.int64(move.cell) // stride
        state.count = 0
        self._find_groups(state, column, column, np.int64(move.row))
        group = state.groups[0]
        move.code, move.cell, move.row = group.code, group.cell, group.row
        state.count = 0
        self._find_groups(state, 1, state.columns, 1)
        return True

    def draw(self, state, rng):
        for column in range(1, self.width + 1):
            for row in range(1, self.stride - 1):
                colour = 1 + random_below(rng, self.colours)
                state.board[column * self.stride + row] = colour
                state.counts[colour] += 1
        self._number_tiles(state)
        state.heights[:] = self.heights
        state.columns = self.width
        self._find_groups(state, 1, self.width, 1)
