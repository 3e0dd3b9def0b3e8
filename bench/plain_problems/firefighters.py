"""Firefighters: a fire spreads through a graph, and two places can be guarded before each step."""

import numpy as np

import playout as po


class Firefighters(po.Problem):
    """The number of places that do not burn. A place that is guarded never does."""

    fields = ("near", "degree", "places", "brigades", "start")

    def __init__(self, places=180, neighbours=5, brigades=2, seed=52):
        draw = np.random.default_rng(seed)
        where = draw.random((places, 2))
        far = np.sqrt(((where[:, None] - where[None]) ** 2).sum(2))
        joined = np.zeros((places, places), bool)
        for place in range(places):
            joined[place, np.argsort(far[place])[1 : neighbours + 1]] = True
        joined |= joined.T
        self.degree = joined.sum(1)
        self.near = np.full((places, self.degree.max()), -1)
        for place in range(places):
            self.near[place, : self.degree[place]] = np.flatnonzero(joined[place])
        self.places, self.brigades = places, brigades
        self.start = int(((where - 0.5) ** 2).sum(1).argmin())
        self.state_type = po.record(
            burns=("?", places), guarded=("?", places), sent="i4", burnt="i4", out="?"
        )
        self.move_type = po.record(place="i4")
        self.max_moves, self.max_length = places, places

    def reset(self, state):
        state.burns[self.start] = True
        state.burnt = 1

    def moves(self, state, moves):
        n = 0
        if not state.out:
            for place in range(self.places):
                if not state.burns[place] and not state.guarded[place]:
                    moves[n].place = place
                    n += 1
        return n

    def play(self, state, move):
        state.guarded[move.place] = True
        state.sent += 1
        if state.sent % self.brigades == 0:
            self.spread(state)

    def spread(self, state):
        catches = np.zeros(self.places, np.bool_)
        for place in range(self.places):
            if state.burns[place]:
                for i in range(self.degree[place]):
                    other = self.near[place, i]
                    if not state.burns[other] and not state.guarded[other]:
                        catches[other] = True
        state.out = True
        for place in range(self.places):
            if catches[place]:
                state.burns[place] = True
                state.burnt += 1
                state.out = False

    def score(self, state):
        return self.places - state.burnt
