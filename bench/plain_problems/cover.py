"""The smallest vertex cover of a random graph."""

import numpy as np

import playout as po


class VertexCover(po.Problem):
    """The number of vertices that touch all edges."""

    sense = "min"
    fields = ("a", "b")

    def __init__(self, vertices=80, edges=240, seed=4):
        draw = np.random.default_rng(seed)
        pairs = set()
        while len(pairs) < edges:
            a, b = draw.integers(0, vertices, 2)
            if a != b:
                pairs.add((min(a, b), max(a, b)))
        self.a = np.array([p[0] for p in sorted(pairs)], np.int64)
        self.b = np.array([p[1] for p in sorted(pairs)], np.int64)
        self.state_type = po.record(taken=("i1", vertices), count="i4")
        self.move_type = po.record(vertex="i4")
        self.max_moves, self.max_length = 2, vertices

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        # the first edge that is not covered: one of its ends
        for e in range(len(self.a)):
            if state.taken[self.a[e]] == 0 and state.taken[self.b[e]] == 0:
                moves[0].vertex = self.a[e]
                moves[1].vertex = self.b[e]
                return 2
        return 0

    def play(self, state, move):
        state.taken[move.vertex] = 1
        state.count += 1

    def score(self, state):
        return state.count
