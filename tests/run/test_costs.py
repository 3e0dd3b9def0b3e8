"""Costs (`sense = "min"`): the lowest is found, and shown as what it is everywhere."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.contract import maximised
from playout.errors import OptionError, ProblemError
from playout.run.known_scores import NotRepeatableWarning
from tests.support.cli_shell import Shell
from tests.support.tiny_tree import TinyTree

LEAVES = np.random.default_rng(5).integers(1, 50, 3**5)


class TinyCosts(TinyTree):
    """The same tree, to be left by the lowest leaf."""

    sense = "min"


class BlackBoxCosts(TinyCosts):
    def evaluate(self, states):
        return [float(self.leaves[leaf]) for leaf in states["leaf"]]


COSTS, SCORES = TinyCosts(LEAVES, branches=3), TinyTree(-LEAVES, branches=3)


@pytest.mark.parametrize("algorithm", ["auto", "random", "nmcs:level=2", "gnrpa:level=2", "uct"])
def test_costs_are_searched_as_their_negatives(algorithm):
    cost = po.solve(COSTS, algorithm, "300 playouts", seed=3, compiled=False)
    score = po.solve(SCORES, algorithm, "300 playouts", seed=3, compiled=False)
    assert cost.records == score.records
    assert cost.score == -score.score > 0
    assert cost.verified
    assert [point[2] for point in cost.curve] == [-point[2] for point in score.curve]


@pytest.mark.long
def test_compiled_and_evaluated_costs():
    """One compiled class, and an objective in plain Python."""
    plain = po.solve(COSTS, "random", "200 playouts", seed=1, compiled=False)
    for problem in (COSTS, BlackBoxCosts(LEAVES, branches=3)):
        found = po.solve(problem, "random", "200 playouts", seed=1, compiled=problem is COSTS)
        assert (found.score, found.records) == (plain.score, plain.records)


def test_two_workers_have_one_curve_of_costs():
    found = po.solve(COSTS, "random", "200 playouts", seed=1, workers=2, compiled=False)
    costs = [point[2] for point in found.curve]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == found.score


def test_costs_that_are_not_repeatable_are_told_as_costs():
    class Drawn(TinyCosts):
        def evaluate(self, states):
            return 1.0 + np.random.default_rng().random(len(states))

    with pytest.warns(NotRepeatableWarning, match=r"Drawn.evaluate gave 1\.\d+ and 1\.\d+ for"):
        po.solve(Drawn(LEAVES, branches=3), "random", "2000 playouts", seed=1, compiled=False)


def test_a_target_is_a_cost_at_most():
    seen = []
    found = po.solve(
        COSTS,
        "random",
        po.Target(5) | po.Playouts(5000),
        seed=1,
        compiled=False,
        progress=seen.append,
    )
    assert (found.stopped_by, found.score <= 5) == ("target", True)
    assert seen[-1].best == found.score
    assert all(point[2] > 5 for point in found.curve[:-1])


def test_it_is_shown_as_a_cost(tmp_path):
    found = po.solve(COSTS, "random", "50 playouts", seed=1, compiled=False)
    assert f"cost        {found.score:g} (the replay agrees)" in str(found)
    assert "score" not in str(found)
    assert found.to_json()["sense"] == "min"
    found.save(tmp_path / "r.json")
    assert po.Result.load(tmp_path / "r.json") == found
    assert "sense" not in po.solve(SCORES, "random", "5 playouts", compiled=False).to_json()


def test_a_checkpoint_goes_on_with_the_same_costs(tmp_path):
    whole = po.solve(COSTS, "nmcs", "90 playouts", seed=2, compiled=False)
    for budget in (30, 90):
        found = po.solve(
            COSTS, "nmcs", po.Playouts(budget), seed=2, compiled=False, checkpoint=tmp_path / "c"
        )
    assert (found.score, found.records) == (whole.score, whole.records)
    assert [point[1:] for point in found.curve] == [point[1:] for point in whole.curve]


@pytest.mark.long
def test_the_command_line(tmp_path):
    (tmp_path / "costs.py").write_text(
        "from tests.run.test_costs import LEAVES, TinyCosts as Tiny\n"
        "class TinyCosts(Tiny):\n"
        "    def __init__(self):\n"
        "        super().__init__(LEAVES, branches=3)\n"
    )
    shell = Shell(tmp_path)
    words = ("costs.py:TinyCosts", "-a", "random", "--playouts", 60, "--seed", 1, "--interpreted")
    assert "\ncost " in shell("solve", *words).stdout
    text = shell("compare", *words[:5], "-a", "nmcs", "--runs", 3, "--interpreted").stdout
    assert "mean cost by playouts" in text
    assert "lower is better" in text


class TestRefused:
    def test_another_sense(self):
        problem = TinyTree(LEAVES, branches=3)
        problem.sense = "low"
        with pytest.raises(ProblemError, match="sense is 'low': 'max' or 'min'"):
            po.solve(problem, "random", "5 playouts", compiled=False)

    def test_a_rule_that_asks_the_score(self):
        class Greedy(TinyCosts):
            def bias(self, state, move):
                return -self.score(state)

        with pytest.raises(ProblemError, match=r"Greedy.bias asks score\(\)"):
            maximised(Greedy(LEAVES, branches=3))

    def test_an_outcome_of_ones_own(self):
        """Nobody knows whether its score is a cost, too."""

        class Both(TinyCosts):
            def outcome(self, state, player, out):
                out.score = 1.0

        with pytest.raises(OptionError, match=r"score of outcome\(\) is to be high"):
            po.episode(Both(LEAVES, branches=3), "openloop", "9 playouts", compiled=False)
