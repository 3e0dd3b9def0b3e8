"""A project: 40 tasks that wait for others and share three kinds of workers."""

import numpy as np

import playout as po


class Project(po.Problem):
    """The day on which all is done; a task begins as soon as its workers are free all along."""

    sense = "min"
    fields = ("days", "need", "workers", "after", "tasks", "horizon")

    def __init__(self, tasks=40, seed=43):
        draw = np.random.default_rng(seed)
        self.tasks = tasks
        self.days = draw.integers(1, 11, tasks)
        self.need = draw.integers(0, 11, (tasks, 3)) * (draw.random((tasks, 3)) < 0.6)
        self.workers = np.array([14, 12, 13])
        self.after = np.zeros((tasks, tasks), np.int8)  # [a, b]: a comes after b
        for task in range(3, tasks):
            for other in draw.integers(max(0, task - 15), task, 2):
                self.after[task, other] = 1
        self.horizon = int(self.days.sum())
        self.state_type = po.record(
            end=("i4", tasks), busy=("i4", (3, self.horizon)), done=("i1", tasks), last="i4"
        )
        self.move_type = po.record(task="i4")
        self.max_moves, self.max_length = tasks, tasks

    def ready(self, state, task):
        if state.done[task]:
            return False
        open_before = 0
        for other in range(task):
            if self.after[task, other] and not state.done[other]:
                open_before += 1
        return open_before == 0

    def moves(self, state, moves):
        n = 0
        for task in range(self.tasks):
            if self.ready(state, task):
                moves[n].task = task
                n += 1
        return n

    def play(self, state, move):
        task = move.task
        start = 0
        for other in range(task):
            if self.after[task, other]:
                start = max(start, state.end[other])
        day = start
        while day < start + self.days[task]:
            free = True
            for kind in range(3):
                if state.busy[kind, day] + self.need[task, kind] > self.workers[kind]:
                    free = False
            day += 1
            if not free:
                start = day
        for day in range(start, start + self.days[task]):
            for kind in range(3):
                state.busy[kind, day] += self.need[task, kind]
        state.end[task] = start + self.days[task]
        state.done[task] = 1
        state.last = max(state.last, state.end[task])

    def score(self, state):
        return state.last
