"""A magic square: rows, columns and diagonals with equal sums."""

import playout as po


class Magic(po.Problem):
    """How far all sums together are off the one wanted; 0 is a magic square."""

    sense = "min"
    fields = ("size",)

    def __init__(self, size=5):
        self.size = int(size)
        cells = self.size * self.size
        self.state_type = po.record(number=("i4", cells), used=("i1", cells + 1), count="i4")
        self.move_type = po.record(cell="i4", number="i4")
        self.max_moves, self.max_length = cells, cells

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        if state.count == self.size * self.size:
            return 0
        for number in range(1, self.size * self.size + 1):
            if state.used[number] == 0:
                moves[n].cell = state.count
                moves[n].number = number
                n += 1
        return n

    def play(self, state, move):
        state.number[move.cell] = move.number
        state.used[move.number] = 1
        state.count += 1

    def score(self, state):
        size = self.size
        wanted = size * (size * size + 1) // 2
        off, down, up = 0, 0, 0
        for i in range(size):
            row, column = 0, 0
            for j in range(size):
                row += state.number[size * i + j]
                column += state.number[size * j + i]
            off += abs(row - wanted) + abs(column - wanted)
            down += state.number[size * i + i]
            up += state.number[size * i + size - 1 - i]
        return off + abs(down - wanted) + abs(up - wanted)
