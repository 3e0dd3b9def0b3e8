"""A tour of random cities, with a bias towards near ones and 2-opt as polish."""

import numpy as np

import playout as po


class Tour(po.Problem):
    """The shortest round trip; the score is its length, negative."""

    fields = ("distance",)

    def __init__(self, cities=50, seed=1, scale=1.0):
        places = np.random.default_rng(seed).random((cities, 2)) * scale
        self.distance = np.sqrt(((places[:, None] - places[None]) ** 2).sum(2))
        self.state_type = po.record(seen=("i1", cities), at="i4", count="i4", length="f8")
        self.move_type = po.record(city="i4")
        self.max_moves, self.max_length = cities, cities

    def reset(self, state):
        state.seen[0] = 1
        state.count = 1

    def moves(self, state, moves):
        n = 0
        for city in range(len(self.distance)):
            if state.seen[city] == 0:
                moves[n].city = city
                n += 1
        return n

    def play(self, state, move):
        state.length += self.distance[state.at, move.city]
        state.at = move.city
        state.seen[move.city] = 1
        state.count += 1

    def code(self, state, move):
        return state.at * len(self.distance) + move.city

    def bias(self, state, move):
        return -10 * self.distance[state.at, move.city]

    def score(self, state):
        return -(state.length + self.distance[state.at, 0])


class PolishedTour(Tour):
    """The same with 2-opt."""

    def polish(self, state, sequence, first, length, rng):
        better = True
        while better:
            better = False
            for i in range(first, length - 1):
                before = sequence[i - 1].city if i > 0 else 0
                for j in range(i + 1, length):
                    after = sequence[j + 1].city if j + 1 < length else 0
                    a, b = sequence[i].city, sequence[j].city
                    new = self.distance[before, b] + self.distance[a, after]
                    if new < self.distance[before, a] + self.distance[b, after] - 1e-12:
                        u, v = i, j
                        while u < v:
                            sequence[u].city, sequence[v].city = sequence[v].city, sequence[u].city
                            u += 1
                            v -= 1
                        better = True
        return length
