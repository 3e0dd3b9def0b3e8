"""Elimination: the order in which the 45 unknowns of sparse equations are eliminated."""

import numpy as np

import playout as po


class Elimination(po.Problem):
    """The number of new pairs.

    Two unknowns are a pair if an equation has both. When one is eliminated, all that were a pair
    with it become pairs of each other.
    """

    sense = "min"
    fields = ("pairs",)

    def __init__(self, unknowns=45, pairs=110, seed=64):
        draw = np.random.default_rng(seed)
        self.pairs = np.zeros((unknowns, unknowns), bool)
        lower, upper = np.triu_indices(unknowns, 1)
        chosen = draw.choice(len(lower), pairs, replace=False)
        self.pairs[lower[chosen], upper[chosen]] = True
        self.pairs |= self.pairs.T
        self.state_type = po.record(
            pair=("?", (unknowns, unknowns)), gone=("?", unknowns), new="i4"
        )
        self.move_type = po.record(unknown="i4")
        self.max_moves = self.max_length = unknowns

    def reset(self, state):
        state.pair[:] = self.pairs

    def moves(self, state, moves):
        n = 0
        for unknown in range(len(self.pairs)):
            if not state.gone[unknown]:
                moves[n].unknown = unknown
                n += 1
        return n

    def play(self, state, move):
        state.gone[move.unknown] = True
        for a in range(len(self.pairs)):
            if state.gone[a] or not state.pair[move.unknown, a]:
                continue
            for b in range(a):
                if state.gone[b] or not state.pair[move.unknown, b]:
                    continue
                if not state.pair[a, b]:
                    state.pair[a, b] = True
                    state.pair[b, a] = True
                    state.new += 1

    def bias(self, state, move):
        left = 0
        for other in range(len(self.pairs)):
            if state.pair[move.unknown, other] and not state.gone[other]:
                left += 1
        return -left

    def score(self, state):
        return state.new
