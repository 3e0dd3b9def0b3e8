"""Peg solitaire on Wiegleb's board of 45 holes: jump until no jump is left."""

import numpy as np

import playout as po

BOARD = """
...ooo...
...ooo...
...ooo...
ooooooooo
oooo.oooo
ooooooooo
...ooo...
...ooo...
...ooo...
"""


class Pegs(po.Problem):
    """The number of pegs taken off, 43 at most: one is left then. The middle is empty at first."""

    fields = ("board",)

    def __init__(self):
        rows = BOARD.split()
        self.board = np.array([[char == "o" for char in row] for row in rows]).astype(np.int8)
        self.board[4, 4] = 2  # a hole without a peg
        self.state_type = po.record(peg=("i1", (9, 9)), taken="i4")
        self.move_type = po.record(row="i1", column="i1", direction="i1")
        self.max_moves, self.max_length = 4 * 45, 43

    def reset(self, state):
        for y in range(9):
            for x in range(9):
                state.peg[y, x] = 1 if self.board[y, x] == 1 else 0

    def moves(self, state, moves):
        n = 0
        for y in range(9):
            for x in range(9):
                if state.peg[y, x] == 1:
                    for direction in range(4):
                        dy = (0, 1, 0, -1)[direction]
                        dx = (1, 0, -1, 0)[direction]
                        v, u = y + 2 * dy, x + 2 * dx
                        if 0 <= v < 9 and 0 <= u < 9 and self.board[v, u] > 0:
                            if state.peg[y + dy, x + dx] == 1 and state.peg[v, u] == 0:
                                moves[n].row = y
                                moves[n].column = x
                                moves[n].direction = direction
                                n += 1
        return n

    def play(self, state, move):
        dy = (0, 1, 0, -1)[move.direction]
        dx = (1, 0, -1, 0)[move.direction]
        state.peg[move.row, move.column] = 0
        state.peg[move.row + dy, move.column + dx] = 0
        state.peg[move.row + 2 * dy, move.column + 2 * dx] = 1
        state.taken += 1

    def score(self, state):
        return state.taken

    def render(self, state):
        lines = []
        for y in range(9):
            row = ("O" if state.peg[y, x] else "." for x in range(9))
            lines.append("".join(c if b else " " for c, b in zip(row, self.board[y], strict=True)))
        return "\n".join(lines)
