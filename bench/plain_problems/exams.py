"""Exams: 40 exams in 12 half days, with students who sit several of them."""

import numpy as np

import playout as po


class Exams(po.Problem):
    """Two exams at once cost 50 a student, one after the other 3, two half days apart 1."""

    sense = "min"
    fields = ("both", "slots")

    def __init__(self, exams=40, students=200, slots=12, seed=8):
        draw = np.random.default_rng(seed)
        self.both = np.zeros((exams, exams), np.int64)
        for _ in range(students):
            sits = draw.choice(exams, 4, replace=False)
            for a in sits:
                for b in sits:
                    self.both[a, b] += a != b
        self.slots = slots
        self.state_type = po.record(slot=("i1", exams), at="i4", cost="i4")
        self.move_type = po.record(exam="i4", slot="i4")
        self.max_moves, self.max_length = slots, exams

    def moves(self, state, moves):
        if state.at == len(self.both):
            return 0
        for slot in range(self.slots):
            moves[slot].exam = state.at
            moves[slot].slot = slot
        return self.slots

    def play(self, state, move):
        for other in range(state.at):
            apart = abs(state.slot[other] - move.slot)
            if apart == 0:
                state.cost += 50 * self.both[move.exam, other]
            elif apart == 1:
                state.cost += 3 * self.both[move.exam, other]
            elif apart == 2:
                state.cost += self.both[move.exam, other]
        state.slot[move.exam] = move.slot
        state.at += 1

    def score(self, state):
        return state.cost
