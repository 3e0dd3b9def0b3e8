"""A Costas array: a mark in each row and column, no two pairs of marks with the same difference."""

import playout as po


class Costas(po.Problem):
    """Columns filled before none is possible; all of them make a Costas array."""

    fields = ("size",)

    def __init__(self, size=17):
        self.size = int(size)
        self.state_type = po.record(
            row=("i4", self.size),
            used=("i1", self.size),
            seen=("i1", (self.size, 2 * self.size)),
            count="i4",
        )
        self.move_type = po.record(column="i4", row="i4")
        self.max_moves, self.max_length = self.size, self.size

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        if state.count == self.size:
            return 0
        for row in range(self.size):
            free = state.used[row] == 0
            for before in range(state.count):
                difference = row - state.row[before] + self.size
                if state.seen[state.count - before, difference]:
                    free = False
            if free:
                moves[n].column = state.count
                moves[n].row = row
                n += 1
        return n

    def play(self, state, move):
        for before in range(state.count):
            state.seen[state.count - before, move.row - state.row[before] + self.size] = 1
        state.row[state.count] = move.row
        state.used[move.row] = 1
        state.count += 1

    def score(self, state):
        return state.count
