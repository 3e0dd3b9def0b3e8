"""Pentominoes: the twelve pieces of five squares on a board of 6 by 10."""

import numpy as np

import playout as po

PIECES = """
.##|##.|.#.  #####  #.|#.|#.|##  .#|.#|##|#.  ##|##|#.  ###|.#.|.#.
#.#|###  #..|#..|###  #..|##.|.##  .#.|###|.#.  .#|##|.#|.#  ##.|.#.|.##
"""


def placements(picture):
    """A piece in all its orientations: its squares, from the first one by columns."""
    rows = picture.split("|")
    squares = [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"]
    found = set()
    for _ in range(2):
        squares = [(-x, y) for x, y in squares]
        for _ in range(4):
            squares = sorted((-y, x) for x, y in squares)
            first = squares[0]
            found.add(tuple((x - first[0], y - first[1]) for x, y in squares))
    return sorted(found)


class Pentominoes(po.Problem):
    """The squares that are covered; each piece is there once, and may be turned over.

    The first free square by columns is covered by a piece, or left empty.
    """

    fields = ("piece", "squares", "high", "wide")

    def __init__(self, high=6, wide=10):
        all_of = [placements(picture) for picture in PIECES.split()]
        self.piece = np.array([piece for piece, those in enumerate(all_of) for _ in those])
        self.squares = np.array([squares for those in all_of for squares in those])
        self.high, self.wide = high, wide
        self.state_type = po.record(
            closed=("?", (wide, high)), used=("?", len(all_of)), at="i4", covered="i4"
        )
        self.move_type = po.record(at="i4", placed="i4")  # -1 leaves the square empty
        self.max_moves, self.max_length = len(self.piece) + 1, wide * high

    def fits(self, state, placed):
        if state.used[self.piece[placed]]:
            return False
        for i in range(5):
            x = state.at // self.high + self.squares[placed, i, 0]
            y = state.at % self.high + self.squares[placed, i, 1]
            if x >= self.wide or y < 0 or y >= self.high or state.closed[x, y]:
                return False
        return True

    def moves(self, state, moves):
        if state.at == self.wide * self.high:
            return 0
        n = 0
        for placed in range(len(self.piece)):
            if self.fits(state, placed):
                moves[n].at = state.at
                moves[n].placed = placed
                n += 1
        moves[n].at = state.at
        moves[n].placed = -1
        return n + 1

    def play(self, state, move):
        x, y = state.at // self.high, state.at % self.high
        if move.placed < 0:
            state.closed[x, y] = True
        else:
            state.used[self.piece[move.placed]] = True
            state.covered += 5
            for i in range(5):
                squares = self.squares[move.placed, i]
                state.closed[x + squares[0], y + squares[1]] = True
        while state.at < self.wide * self.high:
            if not state.closed[state.at // self.high, state.at % self.high]:
                break
            state.at += 1

    def score(self, state):
        return state.covered
