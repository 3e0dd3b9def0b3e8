"""Power plants: which of seven run in each of the twelve parts of a day."""

import numpy as np

import playout as po


class Plants(po.Problem):
    """What the power of a day costs.

    A plant that runs gives some power at least. The rest that is asked for is given by the cheapest
    ones. What cannot be given costs 300 a unit, what nobody asked for 20. A plant that was started
    runs for a while, and one that was stopped stands still for a while. All stand still before.
    """

    sense = "min"
    fields = ("least", "most", "start", "run", "unit", "while_on", "while_off", "demand")

    def __init__(self, plants=7, parts=12, seed=69):
        draw = np.random.default_rng(seed)
        self.most = draw.integers(40, 150, plants)
        self.least = self.most * draw.integers(30, 60, plants) // 100
        self.start = draw.integers(300, 2500, plants)
        self.run = draw.integers(100, 600, plants)
        self.unit = np.sort(draw.integers(8, 40, plants))  # the cheapest first
        self.while_on = draw.integers(1, 5, plants)
        self.while_off = draw.integers(1, 4, plants)
        wave = 0.55 - 0.25 * np.cos(2 * np.pi * np.arange(parts) / parts)
        self.demand = (self.most.sum() * (wave + draw.uniform(-0.1, 0.1, parts))).astype(int)
        # since: for how many parts of the day a plant has been as it is
        self.state_type = po.record(
            on=("?", plants), since=("i4", plants), part="i4", plant="i4", cost="i8"
        )
        self.move_type = po.record(part="i4", plant="i4", on="i4")
        self.max_moves, self.max_length = 2, plants * parts

    def reset(self, state):
        for plant in range(len(self.most)):
            state.since[plant] = self.while_off[plant]

    def moves(self, state, moves):
        n = 0
        if state.part == len(self.demand):
            return 0
        plant = state.plant
        still = self.while_on[plant] if state.on[plant] else self.while_off[plant]
        for on in range(2):
            if int(state.on[plant]) == on or state.since[plant] >= still:
                moves[n].part = state.part
                moves[n].plant = plant
                moves[n].on = on
                n += 1
        return n

    def play(self, state, move):
        plant = move.plant
        if move.on == int(state.on[plant]):
            state.since[plant] += 1
        else:
            state.since[plant] = 1
            state.on[plant] = move.on == 1
            if move.on:
                state.cost += self.start[plant]
        state.plant += 1
        if state.plant == len(self.most):
            self.supply(state)
            state.plant = 0
            state.part += 1

    def supply(self, state):
        asked = self.demand[state.part]
        for plant in range(len(self.most)):
            if state.on[plant]:
                asked -= self.least[plant]
                state.cost += self.run[plant] + self.least[plant] * self.unit[plant]
        if asked < 0:
            state.cost -= 20 * asked
            return
        for plant in range(len(self.most)):
            if state.on[plant]:
                more = min(asked, self.most[plant] - self.least[plant])
                asked -= more
                state.cost += more * self.unit[plant]
        state.cost += 300 * asked

    def code(self, state, move):
        return (move.part * len(self.most) + move.plant) * 2 + move.on

    def score(self, state):
        return state.cost
