"""A flow shop: the order of jobs that all pass the same machines, to be done soonest."""

import numpy as np

import playout as po


class FlowShop(po.Problem):
    """The time at which the last job leaves the last machine."""

    sense = "min"
    fields = ("time",)

    def __init__(self, jobs=20, machines=10, seed=5):
        self.time = np.random.default_rng(seed).integers(1, 100, (jobs, machines))
        self.state_type = po.record(done=("i1", jobs), free=("i4", machines), count="i4")
        self.move_type = po.record(job="i4", place="i4")
        self.max_moves, self.max_length = jobs, jobs

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        for job in range(len(self.time)):
            if state.done[job] == 0:
                moves[n].job = job
                moves[n].place = state.count
                n += 1
        return n

    def play(self, state, move):
        end = 0
        for machine in range(self.time.shape[1]):
            end = max(end, state.free[machine]) + self.time[move.job, machine]
            state.free[machine] = end
        state.done[move.job] = 1
        state.count += 1

    def score(self, state):
        return state.free[self.time.shape[1] - 1]
