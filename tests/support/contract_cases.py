"""A problem and a game that keep the contract, and how to break it in one place."""

from __future__ import annotations

import numpy as np

from playout.compiled import record
from playout.contract import Game, Problem


class Sum(Problem):
    """Pick three numbers of 0 to 3; no number twice. It keeps the contract."""

    fields = ("weights",)

    def __init__(self):
        self.weights = np.array([1.0, 2.5, -4.0, 0.25])
        self.state_type = record(total="f8", taken=("i1", 4), left="i8")
        self.move_type = record(pick="i2", place="i4")
        self.max_moves = 4
        self.max_length = 3

    def reset(self, state):
        state.left = 3

    def moves(self, state, moves):
        n = 0
        if state.left > 0:
            for i in range(4):
                if state.taken[i] == 0:
                    moves[n].pick = i
                    moves[n].place = state.left
                    n += 1
        return n

    def play(self, state, move):
        state.taken[move.pick] = 1
        state.left -= 1
        state.total += self.weights[move.pick] * state.left

    def score(self, state):
        return state.total

    def code(self, state, move):
        return move.place * 4 + move.pick

    def bias(self, state, move):
        return self.weights[move.pick]


class Nim(Game):
    """Take one to three of ten; who takes the last wins. It keeps the contract."""

    def __init__(self):
        self.state_type = record(left="i8", player="i8")
        self.move_type = record(sticks="i8")
        self.max_moves = 3
        self.max_length = 10

    def reset(self, state):
        state.left = 10

    def moves(self, state, moves):
        n = min(3, state.left)
        for i in range(n):
            moves[i].sticks = i + 1
        return n

    def play(self, state, move):
        state.left -= move.sticks
        state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if player != state.player else 0.0


def changed(base=Sum, **methods):
    """A class that keeps the contract but for these methods and attributes."""
    return type("Broken", (base,), methods)()


class Costly(Sum):
    """Scored in plain Python, a batch at a time."""

    score = Problem.score

    def evaluate(self, states):
        return [float(sum(str(s.total).encode())) for s in states]


def assert_found(report, title, says):
    """A check has found this, and says so in one line."""
    assert not report.passed
    found = {finding.title: finding.explanation for finding in report.problems}
    assert title in found
    assert says in found[title]
    assert "\n" not in found[title]
    assert title in str(report)
