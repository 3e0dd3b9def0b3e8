"""Districts: the 64 towns of a land in eight connected districts with equal numbers of people."""

import numpy as np

import playout as po

ASIDE = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Districts(po.Problem):
    """How far the people of each district are from an eighth of all, summed up.

    Each border between two towns side by side of different districts costs 5. A district ends when
    it has an eighth of the people or no free town is beside it; the next one begins with the first
    town that is free. People in no district count as well.
    """

    sense = "min"
    fields = ("people", "aside", "size", "districts", "share")

    def __init__(self, size=8, districts=8, seed=63):
        draw = np.random.default_rng(seed)
        self.people = draw.integers(10, 100, (size, size))
        self.aside = np.array(ASIDE)
        self.size, self.districts = size, districts
        self.share = float(self.people.sum() / districts)
        self.state_type = po.record(
            district=("i4", (size, size)), has=("i4", districts + 1), count="i4"
        )
        self.move_type = po.record(x="i4", y="i4")
        self.max_moves = self.max_length = size * size

    def reset(self, state):
        self.begin(state)

    def begin(self, state):
        """A new district at the first free town, if there is one; the first district is 1."""
        for y in range(self.size):
            for x in range(self.size):
                if state.district[y, x] == 0:
                    state.count += 1
                    self.add(state, x, y)
                    return True
        return False

    def add(self, state, x, y):
        state.district[y, x] = state.count
        state.has[state.count] += self.people[y, x]

    def beside(self, state, x, y):
        for way in range(4):
            ax, ay = x + self.aside[way, 0], y + self.aside[way, 1]
            if ax >= 0 and ay >= 0 and ax < self.size and ay < self.size:
                if state.district[ay, ax] == state.count:
                    return True
        return False

    def grows(self, state):
        """Whether the present district wants another town and has one beside it."""
        if state.has[state.count] >= self.share:
            return False
        for y in range(self.size):
            for x in range(self.size):
                if state.district[y, x] == 0 and self.beside(state, x, y):
                    return True
        return False

    def moves(self, state, moves):
        n = 0
        if state.has[state.count] >= self.share:
            return 0
        for y in range(self.size):
            for x in range(self.size):
                if state.district[y, x] == 0 and self.beside(state, x, y):
                    moves[n].x = x
                    moves[n].y = y
                    n += 1
        return n

    def play(self, state, move):
        self.add(state, move.x, move.y)
        while state.count < self.districts and not self.grows(state):
            if not self.begin(state):
                return

    def score(self, state):
        cost = 0.0
        placed = 0
        for district in range(1, self.districts + 1):
            cost += abs(state.has[district] - self.share)
            placed += state.has[district]
        cost += self.people.sum() - placed
        for y in range(self.size):
            for x in range(self.size):
                if x > 0 and state.district[y, x] != state.district[y, x - 1]:
                    cost += 5
                if y > 0 and state.district[y, x] != state.district[y - 1, x]:
                    cost += 5
        return cost
