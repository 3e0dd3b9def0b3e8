"""Open stacks: 40 products are made one after another for 40 customers who wait for some each."""

import numpy as np

import playout as po


class Stacks(po.Problem):
    """The most orders that are begun and not finished at any time."""

    sense = "min"
    fields = ("wants",)

    def __init__(self, products=40, customers=40, seed=53):
        draw = np.random.default_rng(seed)
        self.wants = np.zeros((customers, products), np.int8)
        for customer in range(customers):
            self.wants[customer, draw.choice(products, draw.integers(2, 7), replace=False)] = 1
        self.state_type = po.record(
            made=("?", products), has=("i4", customers), left=("i4", customers), worst="i4"
        )
        self.move_type = po.record(product="i4")
        self.max_moves = self.max_length = products

    def reset(self, state):
        for customer in range(self.wants.shape[0]):
            for product in range(self.wants.shape[1]):
                state.left[customer] += self.wants[customer, product]

    def moves(self, state, moves):
        n = 0
        for product in range(self.wants.shape[1]):
            if not state.made[product]:
                moves[n].product = product
                n += 1
        return n

    def play(self, state, move):
        state.made[move.product] = True
        stacks = 0
        for customer in range(self.wants.shape[0]):
            begun = state.has[customer] > 0 and state.left[customer] > 0
            if self.wants[customer, move.product]:
                state.has[customer] += 1
                state.left[customer] -= 1
                begun = True
            if begun:
                stacks += 1
        state.worst = max(state.worst, stacks)

    def score(self, state):
        return state.worst
