"""Playouts that follow the problem's bias, in the algorithms that have no policy."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import playout as po
from playout.algorithms.search import FINE, step
from tests.support.forms import long

BIASES = (-1.0, 0.0, 2.0, -40.0)


class Draws(po.Problem):
    """Six moves among four, whose biases are those above; the score is the sum of the moves."""

    fields = ("biases",)

    def __init__(self):
        self.biases = np.array(BIASES)
        self.max_moves, self.max_length = 4, 6
        self.move_type = po.record(number="i8")
        self.state_type = po.record(done="i8", total="i8", counts=("i8", 4))

    def reset(self, state):
        state.done = 0

    def moves(self, state, moves):
        if state.done == 6:
            return 0
        for number in range(4):
            moves[number].number = number
        return 4

    def play(self, state, move):
        state.counts[move.number] += 1
        state.total += move.number
        state.done += 1

    def score(self, state):
        return float(state.total)

    def bias(self, state, move):
        return self.biases[move.number]


def test_moves_are_drawn_in_proportion():
    problem = Draws()
    search = po.Random(bias=True).start(problem, 3)
    counts = np.zeros(4)
    for _ in range(200):
        assert step(search, problem, 16) == FINE
        counts += search.states["counts"].sum(axis=0)
    expected = np.array([exp(bias) for bias in BIASES])
    expected *= counts.sum() / expected.sum()
    assert counts[3] == 0
    # 19,200 draws: five standard deviations
    assert (abs(counts - expected)[:3] < 5 * np.sqrt(expected[:3])).all()


@pytest.mark.parametrize(
    "algorithm", [po.Random(bias=True), po.NMCS(level=1, bias=True), long(po.UCT(bias=True))]
)
def test_compiled_is_interpreted(algorithm):
    problem = Draws()
    found = po.solve(problem, algorithm, po.Playouts(120), seed=5)
    plain = po.solve(problem, algorithm, po.Playouts(120), seed=5, compiled=False)
    assert found.verified
    assert (found.score, found.records) == (plain.score, plain.records)
    assert found.options["bias"] is True
