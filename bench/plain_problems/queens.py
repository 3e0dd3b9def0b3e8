"""Peaceable queens: as many white and black queens as possible that do not attack each other."""

import playout as po


class Peaceable(po.Problem):
    """Place a white and a black queen in turn; the score is the number of pairs."""

    fields = ("side",)

    def __init__(self, side=9):
        self.side = int(side)
        cells = self.side**2
        self.state_type = po.record(taken=("i1", cells), barred=("i1", (2, cells)), placed="i4")
        self.move_type = po.record(cell="i4", colour="i4")
        self.max_moves = self.max_length = cells

    def reset(self, state):
        state.placed = 0

    def moves(self, state, moves):
        colour = state.placed % 2
        n = 0
        for cell in range(self.side**2):
            if state.taken[cell] == 0 and state.barred[colour, cell] == 0:
                moves[n].cell = cell
                moves[n].colour = colour
                n += 1
        return n

    def play(self, state, move):
        other, side = 1 - move.colour, self.side
        row, column = move.cell // side, move.cell % side
        state.taken[move.cell] = 1
        for r in range(side):
            for c in range(side):
                if r == row or c == column or r - c == row - column or r + c == row + column:
                    state.barred[other, r * side + c] = 1
        state.placed += 1

    def score(self, state):
        return state.placed // 2
