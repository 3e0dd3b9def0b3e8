"""Bin packing: item after item into a bin that has room, or a new one."""

import numpy as np

import playout as po


class BinPacking(po.Problem):
    """Few bins, and among as few, uneven ones: the score rewards full bins."""

    fields = ("weight", "capacity")

    def __init__(self, items=60, capacity=100, seed=1):
        draw = np.random.default_rng(seed)
        self.weight = np.sort(draw.integers(15, 55, items))[::-1].copy()
        self.capacity = int(capacity)
        self.state_type = po.record(room=("i4", items), bins="i4", placed="i4")
        self.move_type = po.record(item="i4", bin="i4")
        self.max_moves, self.max_length = items + 1, items

    def reset(self, state):
        state.bins = 0

    def moves(self, state, moves):
        if state.placed == len(self.weight):
            return 0
        n = 0
        for b in range(state.bins):
            if state.room[b] >= self.weight[state.placed]:
                moves[n].item = state.placed
                moves[n].bin = b
                n += 1
        if n == 0 or state.bins < len(self.weight):
            moves[n].item = state.placed
            moves[n].bin = state.bins
            n += 1
        return n

    def play(self, state, move):
        if move.bin == state.bins:
            state.room[move.bin] = self.capacity
            state.bins += 1
        state.room[move.bin] -= self.weight[move.item]
        state.placed += 1

    def score(self, state):
        full = 0.0
        for b in range(state.bins):
            used = 1.0 - state.room[b] / self.capacity
            full += used * used
        return -state.bins + full / len(self.weight)
