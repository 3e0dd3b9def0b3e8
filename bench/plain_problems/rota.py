"""A rota: 10 nurses, 14 days, early, late and night shifts; what is not as wished costs."""

import numpy as np

import playout as po

OFF, EARLY, LATE, NIGHT = 0, 1, 2, 3


class Rota(po.Problem):
    """Day by day, nurse by nurse: a shift, or a day off."""

    sense = "min"
    fields = ("wish", "need", "nurses", "days")

    def __init__(self, nurses=10, days=14, seed=12):
        draw = np.random.default_rng(seed)
        self.nurses, self.days = nurses, days
        self.wish = draw.integers(0, 6, (nurses, days, 4)) * (draw.random((nurses, days, 4)) < 0.3)
        self.need = np.array([0, 3, 2, 2])
        self.state_type = po.record(
            shift=("i1", nurses),  # of the day before
            row=("i1", nurses),  # days worked without a day off
            worked=("i1", nurses),
            there=("i1", 4),
            day="i4",
            nurse="i4",
            cost="i4",
        )
        self.move_type = po.record(nurse="i4", day="i4", shift="i4")
        self.max_moves, self.max_length = 4, nurses * days

    def moves(self, state, moves):
        n = 0
        if state.day == self.days:
            return 0
        for shift in range(4):
            # no early shift after a night, no more than six days in a row
            if shift != OFF and state.row[state.nurse] == 6:
                continue
            if shift == EARLY and state.shift[state.nurse] == NIGHT:
                continue
            moves[n].nurse = state.nurse
            moves[n].day = state.day
            moves[n].shift = shift
            n += 1
        return n

    def play(self, state, move):
        nurse = move.nurse
        state.cost += self.wish[nurse, move.day, move.shift]
        if move.shift == OFF:
            if state.row[nurse] == 1:
                state.cost += 4  # a single day of work
            state.row[nurse] = 0
        else:
            state.row[nurse] += 1
            state.worked[nurse] += 1
            if state.shift[nurse] == NIGHT and move.shift == LATE:
                state.cost += 6
        state.shift[nurse] = move.shift
        state.there[move.shift] += 1
        state.nurse += 1
        if state.nurse == self.nurses:
            for shift in range(1, 4):
                missing = self.need[shift] - state.there[shift]
                state.cost += 20 * missing if missing > 0 else -3 * missing
                state.there[shift] = 0
            state.there[OFF] = 0
            state.nurse = 0
            state.day += 1

    def score(self, state):
        cost = state.cost
        for nurse in range(self.nurses):
            cost += 5 * abs(state.worked[nurse] - 10)
        return cost
