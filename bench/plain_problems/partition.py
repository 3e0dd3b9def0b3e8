"""A graph in two halves of 30 vertices, with as few edges as possible between them."""

import numpy as np

import playout as po


class Partition(po.Problem):
    """One vertex after the other, to the left or to the right."""

    sense = "min"
    fields = ("edge",)

    def __init__(self, vertices=60, edges=150, seed=5):
        draw = np.random.default_rng(seed)
        places = draw.random((vertices, 2))
        distance = ((places[:, None] - places[None]) ** 2).sum(2)
        distance[np.tril_indices(vertices)] = np.inf
        self.edge = np.zeros((vertices, vertices), np.int8)
        nearest = np.argsort(distance.ravel(), kind="stable")[: 2 * edges]
        for pair in draw.choice(nearest, edges, replace=False):
            a, b = divmod(int(pair), vertices)
            self.edge[a, b] = self.edge[b, a] = 1
        self.state_type = po.record(side=("i1", vertices), full=("i4", 2), at="i4", cut="i4")
        self.move_type = po.record(vertex="i4", side="i4")
        self.max_moves, self.max_length = 2, vertices

    def moves(self, state, moves):
        n = 0
        if state.at < len(self.edge):
            for side in range(2):
                if state.full[side] < len(self.edge) // 2:
                    moves[n].vertex = state.at
                    moves[n].side = side
                    n += 1
        return n

    def play(self, state, move):
        for other in range(state.at):
            if self.edge[move.vertex, other] and state.side[other] != move.side:
                state.cut += 1
        state.side[move.vertex] = move.side
        state.full[move.side] += 1
        state.at += 1

    def score(self, state):
        return state.cut
