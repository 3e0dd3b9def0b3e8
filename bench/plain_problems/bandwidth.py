"""Graph bandwidth: number the vertices so that neighbours have near numbers."""

import numpy as np

import playout as po


class Bandwidth(po.Problem):
    """The largest difference between the numbers of two neighbours."""

    sense = "min"
    fields = ("joined", "n")

    def __init__(self, n=30, edges=60, seed=2):
        draw = np.random.default_rng(seed)
        self.n = n
        self.joined = np.zeros((n, n), np.int8)
        while self.joined.sum() < 2 * edges:
            a, b = draw.integers(0, n, 2)
            if a != b:
                self.joined[a, b] = self.joined[b, a] = 1
        self.state_type = po.record(number=("i4", n), count="i4", worst="i4")
        self.move_type = po.record(vertex="i4")
        self.max_moves, self.max_length = n, n

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        k = 0
        for v in range(self.n):
            if state.number[v] == 0:
                moves[k].vertex = v
                k += 1
        return k

    def play(self, state, move):
        state.count += 1
        state.number[move.vertex] = state.count
        for v in range(self.n):
            if self.joined[v, move.vertex] and state.number[v] > 0:
                state.worst = max(state.worst, state.count - state.number[v])

    def score(self, state):
        return state.worst
