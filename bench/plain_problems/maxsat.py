"""Maximum satisfiability: variables one after another, as many clauses as possible."""

import numpy as np

import playout as po


class MaxSat(po.Problem):
    """Random clauses of three literals, planted so that all can be satisfied."""

    fields = ("variable", "sign")

    def __init__(self, variables=80, clauses=340, seed=1):
        draw = np.random.default_rng(seed)
        truth = draw.integers(0, 2, variables)
        self.variable = np.array([draw.choice(variables, 3, replace=False) for _ in range(clauses)])
        self.sign = draw.integers(0, 2, (clauses, 3))
        for clause in range(clauses):
            if not (self.sign[clause] == truth[self.variable[clause]]).any():
                self.sign[clause, 0] = truth[self.variable[clause, 0]]
        self.state_type = po.record(value=("i1", variables), given="i4")
        self.move_type = po.record(variable="i4", value="i1")
        self.max_moves, self.max_length = 2, variables

    def reset(self, state):
        state.given = 0

    def moves(self, state, moves):
        if state.given == len(state.value):
            return 0
        for value in range(2):
            moves[value].variable = state.given
            moves[value].value = value
        return 2

    def play(self, state, move):
        state.value[move.variable] = move.value
        state.given += 1

    def score(self, state):
        met = 0
        for clause in range(len(self.variable)):
            for k in range(3):
                if state.value[self.variable[clause, k]] == self.sign[clause, k]:
                    met += 1
                    break
        return met
