"""No three in line: points on a grid of which no three lie on a straight line."""

import playout as po


class NoThreeInLine(po.Problem):
    """Points placed row by row, two in a row at most; 2 for each row is the most there can be."""

    fields = ("size",)

    def __init__(self, size=12):
        self.size = int(size)
        points = 2 * self.size
        self.state_type = po.record(x=("i4", points), y=("i4", points), count="i4", row="i4")
        self.move_type = po.record(row="i4", column="i4")
        self.max_moves, self.max_length = self.size + 1, 3 * self.size

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        if state.row == self.size:
            return 0
        first = 0  # the second point of a row lies right of the first
        here = 0
        for i in range(state.count):
            if state.y[i] == state.row:
                first = state.x[i] + 1
                here += 1
        if here < 2:
            for column in range(first, self.size):
                free = True
                for i in range(state.count):
                    for j in range(i):
                        dx, dy = state.x[j] - state.x[i], state.y[j] - state.y[i]
                        if dx * (state.row - state.y[i]) == dy * (column - state.x[i]):
                            free = False
                if free:
                    moves[n].row = state.row
                    moves[n].column = column
                    n += 1
        moves[n].row = state.row  # on to the next row
        moves[n].column = -1
        return n + 1

    def play(self, state, move):
        if move.column < 0:
            state.row += 1
        else:
            state.x[state.count] = move.column
            state.y[state.count] = move.row
            state.count += 1

    def score(self, state):
        return state.count
