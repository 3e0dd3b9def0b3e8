"""Linear ordering: 35 things in an order with most wins of the earlier over the later."""

import numpy as np

import playout as po


class LinearOrdering(po.Problem):
    """The sum of what is above the diagonal when rows and columns are put in the order."""

    fields = ("wins",)

    def __init__(self, things=35, seed=41):
        draw = np.random.default_rng(seed)
        self.wins = draw.integers(0, 100, (things, things))
        np.fill_diagonal(self.wins, 0)
        self.state_type = po.record(placed=("i1", things), total="i8")
        self.move_type = po.record(thing="i4")
        self.max_moves, self.max_length = things, things

    def moves(self, state, moves):
        n = 0
        for thing in range(len(self.wins)):
            if state.placed[thing] == 0:
                moves[n].thing = thing
                n += 1
        return n

    def play(self, state, move):
        state.placed[move.thing] = 1
        for other in range(len(self.wins)):
            if state.placed[other] == 0:
                state.total += self.wins[move.thing, other]

    def score(self, state):
        return state.total
