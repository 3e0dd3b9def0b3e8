"""Depots: which of 20 to open, and which of them serves each of 80 customers."""

import numpy as np

import playout as po


class Depots(po.Problem):
    """Customer after customer to a depot that has room; the first one of a depot opens it."""

    sense = "min"
    fields = ("distance", "demand", "room", "rent")

    def __init__(self, depots=20, customers=80, seed=42):
        draw = np.random.default_rng(seed)
        here, there = draw.random((customers, 2)), draw.random((depots, 2))
        far = np.sqrt(((here[:, None] - there[None]) ** 2).sum(2))
        self.demand = draw.integers(5, 36, customers)
        self.distance = far * self.demand[:, None] * 10
        self.room = draw.integers(170, 321, depots)
        self.rent = draw.uniform(400, 900, depots)
        self.state_type = po.record(load=("i4", depots), customer="i4", cost="f8")
        self.move_type = po.record(customer="i4", depot="i4")
        self.max_moves, self.max_length = depots, customers

    def moves(self, state, moves):
        n = 0
        if state.customer < len(self.demand):
            for depot in range(len(self.room)):
                if state.load[depot] + self.demand[state.customer] <= self.room[depot]:
                    moves[n].customer = state.customer
                    moves[n].depot = depot
                    n += 1
        return n

    def play(self, state, move):
        if state.load[move.depot] == 0:
            state.cost += self.rent[move.depot]
        state.load[move.depot] += self.demand[move.customer]
        state.cost += self.distance[move.customer, move.depot]
        state.customer += 1

    def bias(self, state, move):
        cost = self.distance[move.customer, move.depot]
        if state.load[move.depot] == 0:
            cost += self.rent[move.depot]
        return -cost / 100

    def score(self, state):
        return state.cost + 10000 * (len(self.demand) - state.customer)
