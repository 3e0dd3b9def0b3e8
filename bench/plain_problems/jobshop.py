"""Job shop scheduling: operations one after another, each as early as possible."""

import numpy as np

import playout as po

FT10 = """
0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45
"""


class JobShop(po.Problem):
    """The shortest makespan, negative as the score; ft10's optimum is 930."""

    fields = ("machine", "time")

    def __init__(self, jobs=0, machines=0, seed=1):
        if jobs:
            draw = np.random.default_rng(seed)
            self.machine = np.array([draw.permutation(machines) for _ in range(jobs)])
            self.time = draw.integers(5, 100, (jobs, machines))
        else:
            table = np.array([line.split() for line in FT10.split("\n") if line], np.int64)
            self.machine, self.time = table[:, ::2].copy(), table[:, 1::2].copy()
        jobs, machines = self.machine.shape
        self.state_type = po.record(
            done=("i4", jobs), job_free=("i4", jobs), machine_free=("i4", machines)
        )
        self.move_type = po.record(job="i4", operation="i4")
        self.max_moves, self.max_length = jobs, jobs * machines

    def reset(self, state):
        state.done[0] = 0

    def moves(self, state, moves):
        n = 0
        for job in range(len(self.machine)):
            if state.done[job] < self.machine.shape[1]:
                moves[n].job = job
                moves[n].operation = state.done[job]
                n += 1
        return n

    def play(self, state, move):
        machine = self.machine[move.job, move.operation]
        start = max(state.job_free[move.job], state.machine_free[machine])
        end = start + self.time[move.job, move.operation]
        state.job_free[move.job] = end
        state.machine_free[machine] = end
        state.done[move.job] += 1

    def score(self, state):
        return -max(state.job_free)


class ActiveJobShop(JobShop):
    """The same by active schedules (B. Giffler and G. L. Thompson, 1960).

    Of the operations that come next, one could end first. To choose from are those on its machine
    that could begin before that.
    """

    def moves(self, state, moves):
        first, machine, n = 1 << 30, -1, 0
        for job in range(len(self.machine)):
            if state.done[job] < self.machine.shape[1]:
                here = self.machine[job, state.done[job]]
                start = max(state.job_free[job], state.machine_free[here])
                if start + self.time[job, state.done[job]] < first:
                    first = start + self.time[job, state.done[job]]
                    machine = here
        for job in range(len(self.machine)):
            if state.done[job] < self.machine.shape[1]:
                here = self.machine[job, state.done[job]]
                if here == machine and max(state.job_free[job], state.machine_free[here]) < first:
                    moves[n].job = job
                    moves[n].operation = state.done[job]
                    n += 1
        return n
