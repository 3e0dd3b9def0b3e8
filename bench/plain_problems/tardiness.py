"""Late orders: 50 jobs on one machine, each with a day on which it is due and a price of delay."""

import numpy as np

import playout as po


class Tardiness(po.Problem):
    """The sum over all jobs of how late they are, times their price."""

    sense = "min"
    fields = ("hours", "due", "price")

    def __init__(self, jobs=50, seed=51):
        draw = np.random.default_rng(seed)
        self.hours = draw.integers(1, 101, jobs)
        self.price = draw.integers(1, 11, jobs)
        total = self.hours.sum()
        self.due = draw.integers(total // 10, total * 7 // 10, jobs)
        self.state_type = po.record(done=("?", jobs), clock="i8", late="i8")
        self.move_type = po.record(job="i4")
        self.max_moves = self.max_length = jobs

    def moves(self, state, moves):
        n = 0
        for job in range(len(self.hours)):
            if not state.done[job]:
                moves[n].job = job
                n += 1
        return n

    def play(self, state, move):
        state.done[move.job] = True
        state.clock += self.hours[move.job]
        state.late += self.price[move.job] * max(0, state.clock - self.due[move.job])

    def score(self, state):
        return state.late
