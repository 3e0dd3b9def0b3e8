"""`compare --target`: how soon runs reach a score, and what is known of those that did not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import playout as po
from playout.report.report_charts import charts
from playout.statistics import wilson
from tests.run.test_costs import TinyCosts
from tests.support.tiny_tree import TinyTree

LEAVES = np.arange(2**6)  # the best of 64 leaves is 63


@pytest.mark.parametrize("costs", [False, True])
def test_shares_and_times_by_hand(costs):
    problem = TinyCosts(63 - LEAVES) if costs else TinyTree(LEAVES)
    target = 3.0 if costs else 60.0
    table = po.compare(problem, ["random"], "32 playouts", runs=12, target=target)
    alone = [
        po.solve(problem, "random", po.Playouts(32) | po.Target(target), seed=seed)
        for seed in range(1, 13)
    ]
    sign = -1 if costs else 1
    times = [r.curve[-1][1] if sign * r.score >= sign * target else np.inf for r in alone]
    assert 0 < np.isfinite(times).sum() < 12  # some reach it and some do not
    report = table.report.tables[0]
    for cell in report.cells:
        there = sum(time <= int(cell.row) for time in times)
        assert (cell.ours.value, cell.ours.runs) == (there / 12, 12)
        assert (cell.ours.low, cell.ours.high) == wilson(there, 12)
    middle = sorted(times)[5]
    text = f"{middle:.4g}" if np.isfinite(middle) else "over 32"
    told = " ".join(str(table).split())  # wherever its lines end
    assert f"random {text} playouts ({int(np.isfinite(times).sum())} of 12 runs)" in told
    best = (min if costs else max)(r.score for r in alone)
    assert f"Best {'cost' if costs else 'score'} of all runs: random {best:.10g}." in told
    assert re.search(r"Playouts a second: random [\d,]+\.", told)
    (curve,) = report.pictures[0].curves
    for place, share, low, high in curve.points:
        there = sum(time <= place * (1 + 1e-9) for time in times)
        assert (share, (low, high)) == (there / 12, wilson(there, 12))


@pytest.mark.long
def test_a_target_that_nobody_reaches_is_not_a_time():
    table = po.compare(TinyTree(LEAVES), ["random", "nmcs"], "8 playouts", runs=3, target=1000)
    words = " ".join(str(table).split())
    assert "random over 8 playouts (0 of 3 runs); nmcs over 8 playouts (0 of 3 runs)" in words
    (picture,) = charts(table.report).values()
    assert "share of runs that reached it" in picture


def test_infinite_scores_are_counted():
    table = po.compare(TinyTree(np.full(2**6, -np.inf)), ["random", "nmcs"], "8 playouts", runs=3)
    words = " ".join(str(table).split())
    said = "Runs that end with an infinite score, which no mean can weigh"
    assert f"{said}: random 3 of 3; nmcs 3 of 3." in words
    sound = po.compare(TinyTree(LEAVES), ["random", "nmcs"], "8 playouts", runs=3)
    assert said not in " ".join(str(sound).split())
