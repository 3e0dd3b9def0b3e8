"""No finished state is evaluated twice, unless its objective is not repeatable."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from bench.plain_problems.features import Features
from playout.errors import ProblemError
from playout.run.known_scores import CHECKS, KnownScores, NotRepeatableWarning


def states(*numbers):
    array = np.zeros(len(numbers), po.record(number="i8"))
    array["number"] = numbers
    return array


def test_each_state_is_asked_for_once():
    asked = []

    def evaluate(batch):
        asked.extend(batch["number"].tolist())
        return batch["number"] * 2.0

    known = KnownScores(evaluate, "Twice")
    assert known.scores(states(1, 2, 1, 3)).tolist() == [2, 4, 2, 6]
    assert asked == [2, 1, 3] or sorted(asked) == [1, 2, 3]
    for _ in range(CHECKS + 20):
        assert known.scores(states(3, 4)).tolist() == [6, 8]
    assert asked.count(4) == 1
    assert asked.count(3) <= 1 + CHECKS
    assert known.evaluations == len(asked)


def test_an_objective_that_is_not_repeatable_is_said_and_asked_always():
    count = iter(range(1000))
    known = KnownScores(lambda batch: [float(next(count)) for _ in batch], "Noisy")
    known.scores(states(1))
    with pytest.warns(NotRepeatableWarning, match=r"Noisy.evaluate gave 0 and 1 for one state"):
        known.scores(states(1))
    before = known.evaluations
    known.scores(states(1, 1, 1))
    assert known.evaluations == before + 3


def test_too_few_scores():
    with pytest.raises(ProblemError, match=r"Short.evaluate was given 2 states and returned 1"):
        KnownScores(lambda batch: [0.0], "Short").scores(states(1, 2))


@pytest.mark.parametrize(
    "returned", [None, 3.0, "high", ["a", "b"], {"a": 1}, [(1.0, 2.0), (3.0, 4.0)]]
)
def test_what_are_no_scores(returned):
    message = r"Wrong.evaluate was given 2 states and returned .*: it should return a list or an"
    with pytest.raises(ProblemError, match=message):
        KnownScores(lambda batch: returned, "Wrong").scores(states(1, 2))


def test_features_are_not_fitted_again():
    problem = Features(columns=8, most=3, rows=60)
    result = po.solve(problem, "gnrpa:level=2", po.Playouts(600), seed=1, compiled=False)
    sets = 1 + 8 + 28 + 56
    assert result.counters["evaluations"] <= sets + CHECKS
    assert result.counters["evaluations"] + result.counters["repeated"] >= 600
    assert result.verified
