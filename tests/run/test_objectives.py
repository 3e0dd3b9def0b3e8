"""Objectives in plain Python that hold the global lock, or give another score each time."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError, ProblemError
from tests.run.test_costs import BlackBoxCosts
from tests.support.tiny_tree import TinyTree

LEAVES = np.random.default_rng(5).integers(1, 50, 3**5)


class BlackBox(TinyTree):
    def evaluate(self, states):
        return [float(self.leaves[leaf]) for leaf in states["leaf"]]


class TestProcesses:
    @pytest.mark.parametrize("algorithm", ["nmcs:level=2", "nrpa:level=2,P=5", "auto"])
    @pytest.mark.parametrize("cls", [BlackBox, BlackBoxCosts])
    def test_the_result_is_that_of_one_process(self, cls, algorithm):
        problem = cls(LEAVES, branches=3)
        one, three = (
            po.solve(
                problem,
                algorithm,
                "150 playouts",
                seed=3,
                compiled=False,
                workers=workers,
                parallel="processes",
            )
            for workers in (1, 3)
        )
        assert three.records == one.records
        assert [point[1:] for point in three.curve] == [point[1:] for point in one.curve]
        assert "evaluate" not in vars(problem)

    def test_they_are_other_processes_and_they_go(self):
        class Where(BlackBox):
            noisy = True

            def evaluate(self, states):
                return np.full(len(states), float(os.getpid()))

        result = po.solve(
            Where(LEAVES, branches=3),
            "nmcs",
            "30 playouts",
            compiled=False,
            workers=2,
            parallel="processes",
            seed=1,
        )
        assert result.score == os.getpid()  # evaluated afresh, in this process
        assert int(result.curve[-1][2]) != os.getpid()

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("raise ValueError('no data')", r"Wrong.evaluate: .*line 3.*: ValueError: no data"),
            ("pass", r"Wrong.evaluate was given \d states and returned None"),
            ("return [1.0]", r"evaluate was given \d states and returned 1 scores"),
            ("os.kill(os.getpid(), signal.SIGKILL)", "was killed"),
        ],
    )
    def test_what_goes_wrong_is_one_line(self, line, message):
        names = {"BlackBox": BlackBox, "os": os, "signal": signal}
        exec(f"class Wrong(BlackBox):\n    def evaluate(self, states):\n        {line}", names)
        with pytest.raises(ProblemError, match=message):
            po.solve(
                names["Wrong"](LEAVES, branches=9),
                "nmcs",
                "30 playouts",
                compiled=False,
                workers=2,
                parallel="processes",
                seed=1,
            )

    def test_a_compiled_score_needs_none(self):
        with pytest.raises(OptionError, match="TinyTree has a compiled score"):
            po.solve(TinyTree(LEAVES, branches=3), "nmcs", workers=2, parallel="processes")


class TestNoise:
    def test_the_score_is_a_fresh_mean_and_not_the_luckiest(self):
        draw = np.random.default_rng(1)

        class Noisy(BlackBox):
            noisy = True

            def evaluate(self, states):
                return self.leaves[states["leaf"]] + draw.normal(0, 10, len(states))

        result = po.solve(Noisy(LEAVES, branches=3), "random", "500 playouts", compiled=False)
        true = LEAVES[[3**4, 3**3, 9, 3, 1] @ np.array(result.records)[:, 0]]
        assert result.verified
        assert abs(result.score - true) < 15
        assert result.curve[-1][2] > result.score
        assert "the mean of 10 fresh evaluations" in result.notes[0]
        assert result.counters["repeated"] == 0  # nothing is remembered
