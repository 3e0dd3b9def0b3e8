"""`check_problem` finds what only shows when a problem is compiled.

The methods here are plain functions that Numba takes as they are.
"""

from __future__ import annotations

import numpy as np
import pytest

from playout.check import check_problem
from playout.compiled import record
from tests.support.contract_cases import Sum, changed

FROZEN = np.ones(1, np.int64)


def play_not_in_fields(self, state, move):
    state.taken[move.pick] = 1
    state.left -= self.max_length - 2


def test_what_cannot_be_compiled_is_a_finding_unless_told_otherwise():
    problem = changed(play=play_not_in_fields, fields=("weights",))
    report = check_problem(problem, games=3)
    (finding,) = report.problems
    assert finding.title == "compiled code fails"
    assert "state.left -= self.max_length - 2" in finding.explanation
    assert "'max_length' is not in Broken.fields" in finding.explanation
    assert check_problem(problem, games=3, compiled=False).passed


def test_an_exception_that_only_compiled_code_raises_is_a_finding():
    def score(self, state):
        # NumPy divides by zero with a warning only
        return 1.0 if 1.0 / (state.total - state.total) > 2.0 else 0.0

    report = check_problem(changed(score=score), games=2)
    (finding,) = report.problems
    assert finding.title == "compiled code fails"
    assert "ZeroDivisionError" in finding.explanation


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("moves", "moves() returned 4 in plain Python and 3 compiled"),
        ("play", "after move 1: state.total is"),
        ("score", "at the end: score() is"),
        ("code", "code() is"),
        ("bias", "bias() is"),
        ("key", "key() is"),
    ],
)
def test_a_difference_between_plain_and_compiled_is_found(method, says, monkeypatch):
    """Numba freezes a global array at compiling; plain Python reads what it is later."""

    def moves(self, state, moves):
        n = 0
        if state.left > 0:
            for i in range(4 - FROZEN[0]):
                if state.taken[i] == 0:
                    moves[n].pick = i
                    moves[n].place = state.left
                    n += 1
        return n

    def play(self, state, move):
        state.taken[move.pick] = 1
        state.left -= 1
        state.total += FROZEN[0]

    def score(self, state):
        return state.total + FROZEN[0]

    def code(self, state, move):
        return FROZEN[0] + move.pick

    def bias(self, state, move):
        return 1.0 + FROZEN[0]

    def key(self, state):
        return FROZEN[0] + state.left

    one = {"moves": moves, "play": play, "score": score, "code": code, "bias": bias, "key": key}
    problem = changed(**{method: one[method]})
    FROZEN[0] = 1
    assert check_problem(problem, games=1).passed  # compiles it with a 1
    FROZEN[0] = 0
    report = check_problem(problem, games=3)
    FROZEN[0] = 1
    (finding,) = report.problems
    assert finding.title == "compiled code differs from plain Python"
    assert says in finding.explanation


class Worths(Sum):
    """What each pick is worth is added up by NumPy, which adds in another order."""

    def __init__(self):
        super().__init__()
        self.weights = 1 / np.arange(1.0, 1000.0)

    def play(self, state, move):
        state.taken[move.pick] = 1
        state.left -= 1
        state.total += self.weights.sum()


def test_rounding_is_no_difference():
    problem = Worths()
    assert problem.weights.sum() != sum(problem.weights.tolist())
    report = check_problem(problem, games=3)
    assert report.passed, str(report)


def narrow_play(self, state, move):
    state.taken[move.pick] = 1
    state.left -= 1
    state.total += 1 << (state.left + 6)


def narrow_moves(self, state, moves):
    n = 0
    if state.left << 7 != 0:
        for i in range(4):
            if state.taken[i] == 0:
                moves[n].pick = i
                moves[n].place = state.left
                n += 1
    return n


def narrow_score(self, state):
    return float(1 << (state.left + 8))


@pytest.mark.parametrize("method", [narrow_play, narrow_moves, narrow_score])
def test_arithmetic_in_few_bits_is_told_as_the_reason(method):
    """NumPy shifts within the eight bits of an `i1`, compiled code within 64."""

    class Narrow(Sum):
        def __init__(self):
            super().__init__()
            self.state_type = record(total="f8", taken=("i1", 4), left="i1")

    problem = changed(Narrow, **{method.__name__.removeprefix("narrow_"): method})
    (finding,) = check_problem(problem, games=3).problems
    assert finding.title == "compiled code differs from plain Python"
    assert finding.explanation.endswith("write int(...) around it")
