"""Bin covering: 60 things, as many boxes as possible with 100 or more in each."""

import numpy as np

import playout as po


class Covering(po.Problem):
    """The next thing into the box; a box that has 100 is closed, and the next one is begun."""

    fields = ("size", "wanted")

    def __init__(self, things=60, wanted=100, seed=7):
        self.size = np.random.default_rng(seed).integers(12, 60, things)
        self.wanted = wanted
        self.state_type = po.record(used=("i1", things), box="i4", boxes="i4")
        self.move_type = po.record(thing="i4")
        self.max_moves, self.max_length = things, things

    def moves(self, state, moves):
        n = 0
        for thing in range(len(self.size)):
            if state.used[thing] == 0:
                moves[n].thing = thing
                n += 1
        return n

    def play(self, state, move):
        state.used[move.thing] = 1
        state.box += self.size[move.thing]
        if state.box >= self.wanted:
            state.boxes += 1
            state.box = 0

    def score(self, state):
        return state.boxes
