"""A timetable: 40 lessons of 8 teachers and 6 classes in 20 hours, 3 rooms; wishes as costs."""

import numpy as np

import playout as po


class Timetable(po.Problem):
    """What teachers dislike, gaps of a class, lessons that are not given."""

    sense = "min"
    fields = ("teacher", "group", "dislike", "hours", "rooms")

    def __init__(self, lessons=40, teachers=8, groups=6, hours=20, rooms=3, seed=3):
        draw = np.random.default_rng(seed)
        self.teacher = draw.integers(0, teachers, lessons)
        self.group = draw.integers(0, groups, lessons)
        self.dislike = draw.integers(0, 5, (teachers, hours))
        self.hours, self.rooms = hours, rooms
        self.state_type = po.record(
            busy=("i1", (teachers, hours)),
            sits=("i1", (groups, hours)),
            full=("i4", hours),
            at="i4",
            cost="i4",
        )
        self.move_type = po.record(lesson="i4", hour="i4")
        self.max_moves, self.max_length = hours + 1, lessons

    def reset(self, state):
        state.at = 0

    def moves(self, state, moves):
        n = 0
        if state.at == len(self.teacher):
            return 0
        for hour in range(self.hours):
            if (
                state.full[hour] < self.rooms
                and state.busy[self.teacher[state.at], hour] == 0
                and state.sits[self.group[state.at], hour] == 0
            ):
                moves[n].lesson = state.at
                moves[n].hour = hour
                n += 1
        if n == 0:  # not given at all
            moves[0].lesson = state.at
            moves[0].hour = -1
            n = 1
        return n

    def play(self, state, move):
        if move.hour < 0:
            state.cost += 50
        else:
            state.busy[self.teacher[move.lesson], move.hour] = 1
            state.sits[self.group[move.lesson], move.hour] = 1
            state.full[move.hour] += 1
            state.cost += self.dislike[self.teacher[move.lesson], move.hour]
        state.at += 1

    def score(self, state):
        gaps = 0  # free hours of a class between two lessons of a day of four hours
        for g in range(state.sits.shape[0]):
            for day in range(self.hours // 4):
                first, last, n = -1, -1, 0
                for h in range(4 * day, 4 * day + 4):
                    if state.sits[g, h]:
                        if first < 0:
                            first = h
                        last = h
                        n += 1
                if n:
                    gaps += last - first + 1 - n
        return state.cost + 3 * gaps
