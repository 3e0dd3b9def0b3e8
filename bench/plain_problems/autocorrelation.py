"""Low autocorrelation sequences: signs whose shifted products cancel."""

import playout as po


class Autocorrelation(po.Problem):
    """The merit factor of a sequence of signs; about 8 to 9 is the best for 60."""

    fields = ("length",)

    def __init__(self, length=49):
        self.length = int(length)
        self.state_type = po.record(sign=("i1", self.length), placed="i4")
        self.move_type = po.record(place="i4", sign="i1")
        self.max_moves, self.max_length = 2, self.length

    def reset(self, state):
        state.placed = 0

    def moves(self, state, moves):
        if state.placed == self.length:
            return 0
        for k in range(2):
            moves[k].place = state.placed
            moves[k].sign = 2 * k - 1
        return 2

    def play(self, state, move):
        state.sign[move.place] = move.sign
        state.placed += 1

    def score(self, state):
        energy = 0
        for shift in range(1, self.length):
            total = 0
            for i in range(self.length - shift):
                total += 1 if state.sign[i] == state.sign[i + shift] else -1
            energy += total * total
        return self.length * self.length / (2.0 * energy)
