"""A knapsack with five limits and 100 items."""

import numpy as np

import playout as po


class Knapsack(po.Problem):
    """The value of what is packed."""

    fields = ("weight", "value", "room")

    def __init__(self, items=100, limits=5, seed=6):
        draw = np.random.default_rng(seed)
        self.weight = draw.integers(1, 1000, (items, limits))
        self.value = self.weight.sum(1) // limits + draw.integers(0, 500, items)
        self.room = self.weight.sum(0) // 2
        self.state_type = po.record(full=("i4", limits), at="i4", value="i4")
        self.move_type = po.record(item="i4", take="i1")
        self.max_moves, self.max_length = 2, items

    def reset(self, state):
        state.at = 0

    def moves(self, state, moves):
        if state.at == len(self.value):
            return 0
        moves[0].item = state.at
        moves[0].take = 0
        for k in range(len(self.room)):
            if state.full[k] + self.weight[state.at, k] > self.room[k]:
                return 1
        moves[1].item = state.at
        moves[1].take = 1
        return 2

    def play(self, state, move):
        if move.take:
            for k in range(len(self.room)):
                state.full[k] += self.weight[move.item, k]
            state.value += self.value[move.item]
        state.at += 1

    def score(self, state):
        return state.value
