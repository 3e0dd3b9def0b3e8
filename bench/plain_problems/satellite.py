"""A satellite: which of 70 places it photographs on its way round the earth."""

import numpy as np

import playout as po


class Satellite(po.Problem):
    """What the photographs are worth.

    A photograph takes 15 seconds, and each degree that the satellite turns before takes one. It
    starts while the place is in sight, and 90 seconds after the last one at most. There is room for
    nine photographs. At three times all are sent down; a full satellite waits for the next of them.
    """

    fields = ("opens", "closes", "angle", "value", "sent", "room", "longest")

    def __init__(self, places=70, room=9, longest=90, seed=70):
        draw = np.random.default_rng(seed)
        self.opens = np.sort(draw.integers(0, 2400, places))
        self.closes = self.opens + draw.integers(60, 200, places)
        self.angle = draw.integers(-45, 46, places)
        self.value = draw.integers(1, 21, places)
        self.sent = np.array([800, 1500, 2200])
        self.room, self.longest = room, longest
        self.state_type = po.record(
            taken=("?", places),
            at="i4",
            clock="i4",
            angle="i4",
            stored="i4",
            sendings="i4",
            worth="i4",
        )
        self.move_type = po.record(place="i4")
        self.max_moves = self.max_length = places

    def reset(self, state):
        state.at = len(self.value)  # no place yet

    def begin(self, state, place):
        """When a photograph of the place begins."""
        ready = state.clock + abs(self.angle[place] - state.angle)
        return max(ready, self.opens[place])

    def moves(self, state, moves):
        n = 0
        if state.stored == self.room:
            return 0
        for place in range(len(self.value)):
            if state.taken[place]:
                continue
            begin = self.begin(state, place)
            if begin <= self.closes[place] and begin - state.clock <= self.longest:
                moves[n].place = place
                n += 1
        return n

    def play(self, state, move):
        begin = self.begin(state, move.place)
        self.go_on(state, begin)
        state.stored += 1
        self.go_on(state, begin + 15)
        if state.stored == self.room and state.sendings < len(self.sent):
            self.go_on(state, self.sent[state.sendings])
        state.angle = self.angle[move.place]
        state.at = move.place
        state.taken[move.place] = True
        state.worth += self.value[move.place]

    def go_on(self, state, time):
        state.clock = time
        while state.sendings < len(self.sent) and self.sent[state.sendings] <= time:
            state.sendings += 1
            state.stored = 0

    def code(self, state, move):
        return state.at * len(self.value) + move.place

    def bias(self, state, move):
        lost = self.begin(state, move.place) - state.clock
        return self.value[move.place] / 10 - lost / 50

    def score(self, state):
        return state.worth
