"""Cables: 45 houses are joined to a power station by a tree of cables between near ones."""

import numpy as np

import playout as po


class Cables(po.Problem):
    """The length of all cables, and 1 for each house that is left without.

    No place has more than three cables, and no house is more than seven cables from the station.
    """

    sense = "min"
    fields = ("one", "other", "length", "houses", "most", "deepest")

    def __init__(self, houses=45, neighbours=6, most=3, deepest=7, seed=62):
        draw = np.random.default_rng(seed)
        where = draw.random((houses + 1, 2))  # the station is the first
        far = np.sqrt(((where[:, None] - where[None]) ** 2).sum(2))
        joined = np.zeros(far.shape, bool)
        for place in range(houses + 1):
            joined[place, np.argsort(far[place])[1 : neighbours + 1]] = True
        self.one, self.other = np.nonzero(joined | joined.T)  # each pair both ways
        self.length = far[self.one, self.other]
        self.houses, self.most, self.deepest = houses, most, deepest
        self.state_type = po.record(
            on=("?", houses + 1),
            cables=("i4", houses + 1),
            depth=("i4", houses + 1),
            count="i4",
            total="f8",
        )
        self.move_type = po.record(cable="i4")
        self.max_moves, self.max_length = len(self.length), houses

    def reset(self, state):
        state.on[0] = True

    def moves(self, state, moves):
        n = 0
        for cable in range(len(self.length)):
            a, b = self.one[cable], self.other[cable]
            if not state.on[a] or state.on[b]:
                continue
            if state.cables[a] < self.most and state.depth[a] < self.deepest:
                moves[n].cable = cable
                n += 1
        return n

    def play(self, state, move):
        a, b = self.one[move.cable], self.other[move.cable]
        state.on[b] = True
        state.cables[a] += 1
        state.cables[b] += 1
        state.depth[b] = state.depth[a] + 1
        state.count += 1
        state.total += self.length[move.cable]

    def code(self, state, move):
        return move.cable

    def bias(self, state, move):
        return -10 * self.length[move.cable]

    def score(self, state):
        return state.total + self.houses - state.count
