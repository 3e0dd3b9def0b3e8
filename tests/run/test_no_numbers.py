"""Scores and biases that are infinite or NaN: a search of compiled code does not pass them over."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.errors import ProblemError
from tests.support.tiny_tree import TinyTree

LEAVES = np.random.default_rng(5).integers(0, 50, 3**5)
CANNOT_BE_WEIGHED = "infinite number, which cannot be weighed against others"


class Infinite(TinyTree):
    """Bad leaves are infinitely bad, which the best sequence does not show."""

    def score(self, state):
        return self.leaves[state.leaf] if self.leaves[state.leaf] > 30 else -np.inf


class InfiniteCost(Infinite):
    sense = "min"

    def score(self, state):
        return self.leaves[state.leaf] if self.leaves[state.leaf] < 20 else np.inf


class Outside(TinyTree):
    def evaluate(self, states):
        return [-np.inf if state.leaf % 4 else 1.0 for state in states]


class OneNaN(TinyTree):
    """Most moves have a bias."""

    def bias(self, state, move):
        return np.nan if move.branch == 1 and state.played == 2 else 0.5


class AllNaN(TinyTree):
    def bias(self, state, move):
        return np.nan


class PlusInfinity(TinyTree):
    def bias(self, state, move):
        return np.inf if move.branch == 1 else 0.0


class OnlyMinusInfinity(TinyTree):
    def bias(self, state, move):
        return -np.inf


class MinusInfinity(TinyTree):
    """One move is never chosen: that can be weighed."""

    def bias(self, state, move):
        return -np.inf if move.branch == 1 else 0.0


@pytest.mark.parametrize("algorithm", ["random", "nmcs:level=2", "gnrpa:level=2", "auto"])
@pytest.mark.parametrize("cls", [Infinite, InfiniteCost, Outside])
def test_infinite_scores_are_told_though_the_best_is_finite(cls, algorithm):
    result = po.solve(cls(LEAVES, 3), algorithm, playouts=200, seed=1, compiled=False)
    told = [note for note in result.notes if CANNOT_BE_WEIGHED in note]
    asked = "evaluate()" if cls is Outside else "score()"
    bad = "a high cost" if cls is InfiniteCost else "a low score"
    assert len(told) == 1
    assert told[0].startswith(asked)
    assert f"give a bad result {bad}" in told[0]


def test_finite_scores_have_no_such_note():
    for algorithm in ("random", "auto"):
        notes = po.solve(TinyTree(LEAVES, 3), algorithm, playouts=200, seed=1, compiled=False).notes
        assert not any("infinite" in note for note in notes)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("algorithm", ["gnrpa:level=2", "random:bias=true"])
@pytest.mark.parametrize("cls", [OneNaN, AllNaN, PlusInfinity, OnlyMinusInfinity])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_bias_that_is_none_ends_the_search(cls, algorithm, compiled):
    with pytest.raises(ProblemError, match=r"bias\(\) returned NaN, or an infinite number"):
        po.solve(cls(LEAVES, 3), algorithm, playouts=200, seed=1, compiled=compiled)


@pytest.mark.parametrize("algorithm", ["gnrpa:level=2", "random:bias=true"])
def test_a_move_with_no_weight_at_all_is_never_chosen(algorithm):
    problem = MinusInfinity(LEAVES, 3)
    result = po.solve(problem, algorithm, playouts=200, seed=1, compiled=False)
    assert all(branch != 1 for (branch,) in result.records)


def test_an_evaluate_of_nan_is_named():
    class Nothing(TinyTree):
        def evaluate(self, states):
            return np.full(len(states), np.nan)

    with pytest.raises(ProblemError, match=r"Nothing\.evaluate returned NaN"):
        po.solve(Nothing(LEAVES, 3), "random", playouts=20, compiled=False)
