"""A polish that takes long is cut off soon after the end of the run; a short one never is."""

from __future__ import annotations

import time

import numpy as np
import pytest

import playout as po
from playout.compiled.atomics import load


class Patient(po.Problem):
    """One move; its polish waits until it is told that the run is to end."""

    fields = ("ended",)

    def __init__(self):
        self.state_type, self.move_type = po.record(played="i8"), "i8"
        self.max_moves, self.max_length = 1, 1
        self.ended = np.zeros(1, np.int64)
        self.waited = False

    def reset(self, state):
        state.played = 0

    def moves(self, state, moves):
        moves[0] = 0
        return 1 - state.played

    def play(self, state, move):
        state.played = 1

    def score(self, state):
        return 1.0

    def polish(self, state, moves, first, length, rng):
        end = time.monotonic() + 60  # only to fail
        while load(self.ended, 0) == 0:
            time.sleep(0.01)
            assert time.monotonic() < end
        return length


def test_a_polish_is_cut_off_when_the_time_is_over():
    problem = Patient()
    result = po.solve(problem, po.Random(polish=True), po.Seconds(0.01), compiled=False)
    assert (result.stopped_by, result.playouts, result.score) == ("seconds", 1, 1.0)
    assert result.verified
    assert problem.ended[0] == 0  # other runs of the same problem have arrays of their own


def test_a_polish_is_cut_off_when_the_run_is_stopped():
    with po.start(Patient(), po.Random(polish=True), po.Seconds(1000), compiled=False) as search:
        while not search._run.has_begun():
            time.sleep(0.01)
        search.stop()
        assert search.result(50).stopped_by == "asked"


@pytest.mark.long
def test_the_tabu_search_of_a_colouring_is_cut_off():
    problem = po.problems.GraphColoring.random(1, n=60, k=3, polish_steps=10**15)
    stop = po.Seconds(0.01)
    result = po.solve(problem, po.GNRPA(level=3, N=50, polish=True), stop, seed=1)
    assert result.stopped_by == "seconds"
    assert result.verified
