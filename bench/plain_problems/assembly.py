"""An assembly line: 60 tasks in stations of 100 seconds, some on the left, some on the right."""

import numpy as np

import playout as po

EITHER = 0  # 1 is the left side and 2 the right one


class Assembly(po.Problem):
    """The number of stations; of the last one only the part of it that is busy.

    A task comes after those that it needs. A station turns the car to the other side as often as
    its tasks ask for it, which takes 6 seconds each time.
    """

    sense = "min"
    fields = ("seconds", "side", "needs", "cycle", "turning")

    def __init__(self, tasks=60, cycle=100, turn=6, seed=61):
        draw = np.random.default_rng(seed)
        self.seconds = draw.integers(8, 46, tasks)
        self.side = draw.integers(0, 3, tasks)
        self.needs = np.zeros((tasks, tasks), bool)  # the first needs the second
        for task in range(1, tasks):
            recent = np.arange(max(0, task - 15), task)
            count = min(len(recent), draw.integers(0, 4))
            self.needs[task, draw.choice(recent, count, replace=False)] = True
        self.cycle, self.turning = cycle, turn
        self.state_type = po.record(
            done=("?", tasks), waits=("i4", tasks), stations="i4", busy="i4", side="i4"
        )
        self.move_type = po.record(task="i4")
        self.max_moves = self.max_length = tasks

    def reset(self, state):
        for task in range(len(self.seconds)):
            for other in range(len(self.seconds)):
                if self.needs[task, other]:
                    state.waits[task] += 1
        state.stations = 1

    def turns(self, state, task):
        """Whether the car has to be turned for a task in the present station."""
        side = self.side[task]
        return side != EITHER and state.side != EITHER and side != state.side

    def fits(self, state, task):
        seconds = self.seconds[task]
        if self.turns(state, task):
            seconds += self.turning
        return state.busy + seconds <= self.cycle

    def moves(self, state, moves):
        n = 0
        for task in range(len(self.seconds)):
            if not state.done[task] and state.waits[task] == 0 and self.fits(state, task):
                moves[n].task = task
                n += 1
        if n > 0:
            return n
        for task in range(len(self.seconds)):  # a new station
            if not state.done[task] and state.waits[task] == 0:
                moves[n].task = task
                n += 1
        return n

    def play(self, state, move):
        task = move.task
        if not self.fits(state, task):
            state.stations += 1
            state.busy = 0
            state.side = EITHER
        if self.turns(state, task):
            state.busy += self.turning
        state.busy += self.seconds[task]
        if self.side[task] != EITHER:
            state.side = self.side[task]
        state.done[task] = True
        for other in range(len(self.seconds)):
            if self.needs[other, task]:
                state.waits[other] -= 1

    def score(self, state):
        return state.stations - 1 + state.busy / self.cycle
