"""A Golomb ruler: marks of which no two pairs are as far apart; 11 fit on a length of 72."""

import playout as po


class Golomb(po.Problem):
    """More marks first, then a shorter ruler; the mark at 0 is there."""

    fields = ("length", "step")

    def __init__(self, length=85, step=24):
        self.length, self.step = length, step
        self.state_type = po.record(marks=("i4", 20), count="i4", seen=("i1", length + 1))
        self.move_type = po.record(mark="i4")
        self.max_moves, self.max_length = step, 20

    def reset(self, state):
        state.count = 1  # the mark at 0

    def moves(self, state, moves):
        n = 0
        last = state.marks[state.count - 1]
        for mark in range(last + 1, min(last + self.step, self.length) + 1):
            free = True
            for i in range(state.count):
                if state.seen[mark - state.marks[i]]:
                    free = False
            if free:
                moves[n].mark = mark
                n += 1
        return n

    def play(self, state, move):
        for i in range(state.count):
            state.seen[move.mark - state.marks[i]] = 1
        state.marks[state.count] = move.mark
        state.count += 1

    def score(self, state):
        return state.count - state.marks[state.count - 1] / 1000.0
