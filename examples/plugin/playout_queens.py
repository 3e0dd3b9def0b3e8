"""Queens on a board, row by row, none of which attacks another: a problem that a package brings.

`pip install examples/plugin`, and `playout solve queens -p n=12` searches it. The name comes from
the entry point in `pyproject.toml`; nothing in Playout itself is edited.
"""

from __future__ import annotations

import playout


class Queens(playout.Problem):
    """Place a queen in each row; the score is how many stand when no free column is left."""

    fields = ("n",)

    def __init__(self, n: int = 8) -> None:
        self.n = n
        self.max_moves = self.max_length = n
        self.move_type = playout.record(column="i8")
        self.state_type = playout.record(rows="i8", columns=("i8", n))

    def reset(self, state):
        state.rows = 0

    def moves(self, state, moves):
        count = 0
        for column in range(self.n):
            free = state.rows < self.n
            for row in range(state.rows):
                apart = state.rows - row
                across = abs(column - state.columns[row])
                free = free and across != 0 and across != apart
            if free:
                moves[count].column = column
                count += 1
        return count

    def play(self, state, move):
        state.columns[state.rows] = move.column
        state.rows += 1

    def score(self, state):
        return float(state.rows)
