"""Crews: who flies the 70 flights of a day between six towns."""

import numpy as np

import playout as po


class Crews(po.Problem):
    """The pay of all crews, with a hotel for each that does not end where it began.

    A crew needs 30 minutes between two flights and works 10 hours at most. It is paid for its
    minutes from the first start to the last landing, four hours at least, and 100 for coming.
    """

    sense = "min"
    fields = ("start", "end", "here", "there")

    def __init__(self, flights=70, towns=6, seed=55):
        draw = np.random.default_rng(seed)
        minutes = draw.integers(45, 130, (towns, towns))
        self.start = np.sort(draw.integers(6 * 60, 21 * 60, flights))
        self.here = draw.integers(0, towns, flights)
        self.there = (self.here + draw.integers(1, towns, flights)) % towns
        self.end = self.start + minutes[self.here, self.there]
        self.state_type = po.record(
            town=("i4", flights),
            home=("i4", flights),
            began=("i4", flights),
            landed=("i4", flights),
            crews="i4",
            flight="i4",
        )
        self.move_type = po.record(flight="i4", crew="i4")
        self.max_moves = self.max_length = flights

    def moves(self, state, moves):
        flight = state.flight
        if flight == len(self.start):
            return 0
        n = 0
        for crew in range(state.crews):
            if (
                state.town[crew] == self.here[flight]
                and state.landed[crew] + 30 <= self.start[flight]
                and self.end[flight] - state.began[crew] <= 600
            ):
                moves[n].flight = flight
                moves[n].crew = crew
                n += 1
        moves[n].flight = flight  # a crew that has not flown yet
        moves[n].crew = state.crews
        return n + 1

    def play(self, state, move):
        if move.crew == state.crews:
            state.crews += 1
            state.home[move.crew] = self.here[move.flight]
            state.began[move.crew] = self.start[move.flight]
        state.town[move.crew] = self.there[move.flight]
        state.landed[move.crew] = self.end[move.flight]
        state.flight += 1

    def score(self, state):
        pay = 0
        for crew in range(state.crews):
            pay += 100 + max(240, state.landed[crew] - state.began[crew])
            if state.town[crew] != state.home[crew]:
                pay += 150
        return pay
