"""A problem of one's own, in a page: fill a sack.

playout check examples/knapsack.py:Knapsack
playout solve examples/knapsack.py:Knapsack --seconds 5 --show
playout solve examples/knapsack.py:Knapsack random:7 -a nmcs
"""

from __future__ import annotations

import numpy as np

import playout


class Knapsack(playout.Problem):
    """Choose items of the highest total value whose total weight fits in the sack."""

    fields = ("weight", "value", "capacity")  # what compiled code may read

    def __init__(self, weight, value, capacity):
        self.weight = np.array(weight, np.int64)
        self.value = np.array(value, np.float64)
        self.capacity = int(capacity)
        items = len(self.weight)
        self.max_moves = items  # the most moves at any time
        self.max_length = items  # the most moves in all
        self.move_type = playout.record(item="i8")
        self.state_type = playout.record(room="i8", worth="f8", taken=("i1", items))

    # The rules. A state starts as zeros; a move is one more item.

    def reset(self, state):
        state.room = self.capacity

    def moves(self, state, moves):
        n = 0
        for item in range(len(self.weight)):
            if not state.taken[item] and self.weight[item] <= state.room:
                moves[n].item = item
                n += 1
        return n  # 0 when nothing fits any more: the end

    def play(self, state, move):
        state.taken[move.item] = 1
        state.room -= self.weight[move.item]
        state.worth += self.value[move.item]

    def score(self, state):
        return state.worth

    # Optional: what helps the search, and what a person sees.

    def code(self, state, move):
        return move.item  # a move is the same move whenever it is played

    def bias(self, state, move):
        return self.value[move.item] / self.weight[move.item]  # dense items are likelier

    def render(self, state):
        items = " ".join(str(item) for item in np.flatnonzero(state.taken))
        return f"items {items or 'none'}\nworth {state.worth:g}, room for {state.room} more"

    # Where instances come from.

    @classmethod
    def random(cls, seed=0, *, items: int = 40):
        rng = np.random.default_rng(seed)
        weight = rng.integers(5, 60, items)
        value = weight + rng.integers(0, 20, items)
        return cls(weight, value, weight.sum() // 2)

    @classmethod
    def default(cls, *, items: int = 40):
        return cls.random(1, items=items)
