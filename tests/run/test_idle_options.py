"""An option that cannot have mattered is said in one line, and what mattered is not."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.run.idle_options import LONG, _evaluate_note
from playout.run.portfolio import _Steps
from playout.run.steps import Evaluated
from tests.support.tiny_tree import TinyTree

LEAVES = np.random.default_rng(5).integers(0, 50, 3**5)


class Biased(TinyTree):
    def bias(self, state, move):
        return 0.5 * move.branch


PLAIN, BIASED = TinyTree(LEAVES, branches=3), Biased(LEAVES, branches=3)


def notes(problem, algorithm, playouts=60, **settings):
    return po.solve(
        problem, algorithm, po.Playouts(playouts), seed=1, compiled=False, **settings
    ).notes


@pytest.mark.parametrize(
    ("problem", "algorithm", "note"),
    [
        (PLAIN, "nrpa:level=4,N=10", "level=4 is as level=2 here: that alone takes 100 playouts"),
        (PLAIN, "gnrpa", "gnrpa is as nrpa here: TinyTree has no bias()"),
        (PLAIN, "gnrpa:strength=3", "strength=3 is of the bias, and TinyTree has none"),
        (PLAIN, "random:bias=true", "bias=true does nothing: TinyTree has no bias()"),
        (BIASED, "gnrpa:diversity=score", "diversity=score is about beams, and beam=1 has none"),
        (PLAIN, "nmcs:level=4", "level=4 is too high: there was no time for its second move"),
    ],
)
def test_what_cannot_matter_is_said(problem, algorithm, note):
    (said,) = notes(problem, algorithm)
    assert said.startswith(note)


@pytest.mark.parametrize(
    ("problem", "algorithm"),
    [
        (PLAIN, "nrpa:level=4,N=3"),  # 27 playouts of level 3 are over
        (PLAIN, "nrpa"),
        (BIASED, "gnrpa"),
        (BIASED, "gnrpa:strength=3"),
        (PLAIN, "gnrpa:tau=2"),
        (PLAIN, "nmcs:level=2"),
        (PLAIN, "auto"),
        (PLAIN, "random"),
    ],
)
def test_what_matters_is_not(problem, algorithm):
    assert notes(problem, algorithm) == []


def test_the_level_that_is_named_finds_the_same():
    high = po.solve(PLAIN, "nrpa:level=5,N=10", "60 playouts", seed=3, compiled=False)
    assert "as level=2" in high.notes[0]
    low = po.solve(PLAIN, "nrpa:level=2,N=10", "60 playouts", seed=3, compiled=False)
    assert (high.records, high.score) == (low.records, low.score)


def test_workers_that_share_nothing():
    (said,) = notes(BIASED, "gnrpa", workers=2, parallel="leaf")
    assert "1 here, for 2 workers to share" in said


def test_it_is_printed_saved_and_in_json(tmp_path):
    result = po.solve(PLAIN, "gnrpa", "9 playouts", seed=1, compiled=False)
    assert "note        gnrpa is as nrpa here" in str(result)
    assert result.to_json()["notes"] == result.notes
    result.save(tmp_path / "r.json")
    assert po.Result.load(tmp_path / "r.json") == result


def run_of(seconds, *evaluating):
    workers = [
        SimpleNamespace(take_step=SimpleNamespace(evaluating=lambda spent=spent: spent))
        for spent in evaluating
    ]
    return SimpleNamespace(workers=workers, seconds=lambda: seconds)


def test_an_objective_that_costs_most_of_a_long_run_is_said():
    (said,) = _evaluate_note(run_of(2 * LONG, 1.9 * LONG), 8)
    assert said.startswith("evaluate took 95% of the time: -o P=8 --workers 8 --parallel processes")
    assert _evaluate_note(run_of(2 * LONG, 0.5 * LONG, 0.6 * LONG), 8)  # two workers, one lock
    assert not _evaluate_note(run_of(2 * LONG, 0.9 * LONG), 8)
    assert not _evaluate_note(run_of(0.9 * LONG, 0.8 * LONG), 8)
    assert not _evaluate_note(run_of(2 * LONG, 1.9 * LONG), 1)


def test_the_time_of_evaluate_is_counted():
    class Asked(TinyTree):
        score = None

        def evaluate(self, states):
            return [float(i) for i in range(len(states))]

    problem = Asked(LEAVES, branches=3)
    search = po.NMCS().start(problem, 1)
    step = Evaluated(problem, compiled=False)
    assert step.evaluating() == 0
    with wrapping():
        step(search, 5)
    assert step.evaluating() > 0
    assert hasattr(_Steps, "evaluating")  # auto hands it on
