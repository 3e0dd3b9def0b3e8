"""Choosing features for a model: an objective in plain Python that takes its time."""

import numpy as np

import playout as po


class Features(po.Problem):
    """Up to so many of the columns, in any order; the score is R squared on held-out rows."""

    fields = ("columns", "most")

    def __init__(self, columns=30, most=6, rows=400, seed=1):
        self.columns, self.most = int(columns), int(most)
        draw = np.random.default_rng(seed)
        x = draw.normal(size=(rows, columns))
        hidden = draw.choice(columns, most, replace=False)
        y = x[:, hidden] @ draw.normal(size=most) + x[:, hidden[0]] * x[:, hidden[1]]
        self.x, self.y = x, y + draw.normal(size=rows) * 0.3
        self.state_type = po.record(taken=("i1", columns), count="i4")
        self.move_type = po.record(column="i4")
        self.max_moves, self.max_length = columns, most

    def reset(self, state):
        state.count = 0

    def moves(self, state, moves):
        n = 0
        if state.count < self.most:
            for column in range(self.columns):
                if state.taken[column] == 0:
                    moves[n].column = column
                    n += 1
        return n

    def play(self, state, move):
        state.taken[move.column] = 1
        state.count += 1

    def evaluate(self, states):
        half = len(self.y) // 2
        scores = []
        for state in states:
            x = np.column_stack([np.ones(len(self.y)), self.x[:, state.taken.astype(bool)]])
            weights = np.linalg.lstsq(x[:half], self.y[:half], rcond=None)[0]
            wrong = self.y[half:] - x[half:] @ weights
            scores.append(1 - wrong @ wrong / ((self.y[half:] - self.y[half:].mean()) ** 2).sum())
        return scores
