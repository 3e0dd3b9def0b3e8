"""Quadratic assignment: 12 plants on 12 places."""

import numpy as np

import playout as po


class Assignment(po.Problem):
    """What is carried, times how far."""

    sense = "min"
    fields = ("flow", "distance")

    def __init__(self, n=12, seed=9):
        draw = np.random.default_rng(seed)
        flow = draw.integers(0, 10, (n, n))
        self.flow = flow + flow.T
        places = draw.integers(0, 20, (n, 2))
        self.distance = np.abs(places[:, None] - places[None]).sum(2)
        self.state_type = po.record(where=("i4", n), used=("i1", n), count="i4")
        self.move_type = po.record(place="i4")
        self.max_moves, self.max_length = n, n

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        if state.count < len(self.flow):
            for place in range(len(self.flow)):
                if state.used[place] == 0:
                    moves[n].place = place
                    n += 1
        return n

    def play(self, state, move):
        state.where[state.count] = move.place
        state.used[move.place] = 1
        state.count += 1

    def score(self, state):
        cost = 0
        for i in range(len(self.flow)):
            for j in range(i):
                cost += self.flow[i, j] * self.distance[state.where[i], state.where[j]]
        return cost
