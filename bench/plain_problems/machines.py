"""Three machines, 40 jobs with due dates, and a setup between jobs that depends on both."""

import numpy as np

import playout as po


class Machines(po.Problem):
    """Weighted lateness; the next job goes to the machine that is free first."""

    sense = "min"
    fields = ("takes", "setup", "due", "weight", "jobs", "machines")

    def __init__(self, jobs=40, machines=3, seed=45):
        draw = np.random.default_rng(seed)
        self.jobs, self.machines = jobs, machines
        self.takes = draw.integers(10, 60, jobs)
        kind = draw.integers(0, 5, jobs + 1)  # the last is what the machines are set up for
        between = draw.integers(5, 40, (5, 5))
        np.fill_diagonal(between, 0)
        self.setup = between[kind[:, None], kind[None]]
        self.due = draw.integers(40, 560, jobs)
        self.weight = draw.integers(1, 6, jobs)
        self.state_type = po.record(
            done=("i1", jobs), free=("i4", machines), last=("i4", machines), cost="i8"
        )
        self.move_type = po.record(machine="i4", job="i4")
        self.max_moves, self.max_length = jobs, jobs

    def reset(self, state):
        for machine in range(self.machines):
            state.last[machine] = self.jobs

    def moves(self, state, moves):
        machine = 0
        for other in range(1, self.machines):
            if state.free[other] < state.free[machine]:
                machine = other
        n = 0
        for job in range(self.jobs):
            if state.done[job] == 0:
                moves[n].machine = machine
                moves[n].job = job
                n += 1
        return n

    def play(self, state, move):
        end = state.free[move.machine] + self.setup[state.last[move.machine], move.job]
        end += self.takes[move.job]
        state.free[move.machine] = end
        state.last[move.machine] = move.job
        state.done[move.job] = 1
        state.cost += self.weight[move.job] * max(0, end - self.due[move.job])

    def code(self, state, move):
        return state.last[move.machine] * self.jobs + move.job

    def score(self, state):
        return state.cost
