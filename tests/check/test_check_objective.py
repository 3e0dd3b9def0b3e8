"""`check_problem` on what a finished game is worth: `evaluate`, `bound` and `polish`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from playout.check import check_problem
from tests.support.contract_cases import Costly, assert_found, changed

counter = itertools.count()


def evaluate_one(self, states):
    return states.total


def evaluate_nothing(self, states):
    [float(state.total) for state in states]


def evaluate_short(self, states):
    return [1.0]


def evaluate_changing(self, states):
    states["total"] = 0
    return np.zeros(len(states))


def evaluate_by_chance(self, states):
    return [float(next(counter)) for _ in states]


def evaluate_by_batch(self, states):
    return np.full(len(states), len(states))


def polish_nothing(self, state, moves, first, length, rng):
    pass


def polish_failing(self, state, moves, first, length, rng):
    return state.nothing


BROKEN = [
    (
        lambda: changed(Costly, evaluate=evaluate_short),
        "evaluate() does not return one score for each state",
        "20 states",
    ),
    (lambda: changed(Costly, evaluate=evaluate_nothing), "evaluate() returns None", "return?"),
    (lambda: changed(Costly, evaluate=evaluate_one), "evaluate() fails", "it gets an array of"),
    (lambda: changed(Costly, evaluate=evaluate_changing), "evaluate() changes the states", "read"),
    (
        lambda: changed(Costly, evaluate=evaluate_by_chance),
        "evaluate() is not the same each time",
        "then",
    ),
    (
        lambda: changed(Costly, evaluate=evaluate_by_batch),
        "evaluate() depends on the batch",
        "alone",
    ),
    (
        lambda: changed(Costly, evaluate=lambda self, states: np.full(len(states), np.nan)),
        "evaluate() is not finite",
        "nan",
    ),
    (
        lambda: changed(Costly, evaluate=lambda self, states: 1 / 0),
        "evaluate() fails",
        "ZeroDivisionError",
    ),
    (lambda: changed(bound=lambda self: "7"), "bound() is not a finite number", "'7' (a str)"),
    (lambda: changed(bound=lambda self: np.nan), "bound() is not a finite number", "nan"),
    (lambda: changed(bound=lambda self: -1.0), "bound() is beaten", "it returned -1.0, but game"),
    (
        lambda: changed(bound=lambda self: 1e9, sense="min"),
        "bound() is beaten",
        "a cost that none can be better than",
    ),
    (lambda: changed(polish=polish_nothing), "polish() breaks the rules", "it returned None"),
    (lambda: changed(polish=polish_failing), "polish() fails", "`return state.nothing`: the rec"),
]


@pytest.mark.parametrize(
    ("make", "title", "says"), BROKEN, ids=[f"{i}-{b[1]}" for i, b in enumerate(BROKEN)]
)
def test_a_broken_objective(make, title, says):
    assert_found(check_problem(make()), title, says)


def test_noise_that_is_meant_is_no_fault():
    noisy = changed(Costly, evaluate=evaluate_by_chance, noisy=True)
    assert check_problem(noisy, games=2, compiled=False).passed
    meant = check_problem(changed(Costly, evaluate=evaluate_by_chance), games=2, compiled=False)
    assert "noisy = True on the class" in str(meant)


def test_a_bound_that_none_beats_and_one_that_is_not_known():
    for bound in (1e9, np.int64(10**9), None):
        problem = changed(bound=lambda self, bound=bound: bound)
        assert check_problem(problem, games=2, compiled=False).passed
