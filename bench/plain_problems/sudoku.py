"""Sudoku: fill cell after cell, the one with the fewest digits left first."""

import numpy as np

import playout as po

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
MEDIUM = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class Sudoku(po.Problem):
    """As many of the 81 cells as can be filled."""

    fields = ("given",)

    def __init__(self, puzzle=HARD):
        self.given = np.array([0 if c == "." else int(c) for c in puzzle], np.int64)
        self.state_type = po.record(cells=("i1", 81), filled="i4")
        self.move_type = po.record(cell="i4", digit="i4")
        self.max_moves, self.max_length = 9, 81

    def reset(self, state):
        for i in range(81):
            state.cells[i] = self.given[i]
            state.filled += self.given[i] > 0

    def fits(self, state, cell, digit):
        row, column = cell // 9, cell % 9
        for i in range(9):
            if state.cells[9 * row + i] == digit or state.cells[9 * i + column] == digit:
                return False
        for i in range(3):
            for j in range(3):
                if state.cells[9 * (row // 3 * 3 + i) + column // 3 * 3 + j] == digit:
                    return False
        return True

    def moves(self, state, moves):
        fewest, chosen = 10, -1
        for cell in range(81):
            if state.cells[cell] == 0:
                count = 0
                for digit in range(1, 10):
                    count += self.fits(state, cell, digit)
                if count < fewest:
                    fewest, chosen = count, cell
        if chosen < 0 or fewest == 0:
            return 0
        n = 0
        for digit in range(1, 10):
            if self.fits(state, chosen, digit):
                moves[n].cell = chosen
                moves[n].digit = digit
                n += 1
        return n

    def play(self, state, move):
        state.cells[move.cell] = move.digit
        state.filled += 1

    def score(self, state):
        return state.filled
