"""Intervals and tests by hand-computed cases and against SciPy; measures and curves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from playout.report.curves import Curves
from playout.statistics import fisher, holm, mean_interval, welch, wilson
from playout.study.cell_figures import Sample, compare_samples, compare_with_paper, summary
from playout.study.specification import Cell, Figure, Table


def table(**settings):
    return Table("1", "t", (Cell("r", "c", 1.0),), seconds=1, playouts=1, runs=1, **settings)


def test_mean_interval_by_hand():
    # 1, 2, 3: mean 2, deviation 1, error 1/sqrt(3); t with 2 degrees of freedom is 4.302653
    mean, half = mean_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.302652729749464 / math.sqrt(3))


def test_one_value_has_no_interval():
    assert mean_interval([5.0]) == (5.0, None)


def test_equal_values_have_an_interval_of_zero():
    assert mean_interval([5.0, 5.0, 5.0]) == (5.0, 0.0)


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (8, 10), (10, 10), (50, 200)])
def test_wilson_against_scipy(k, n):
    low, high = wilson(k, n)
    theirs = stats.binomtest(k, n).proportion_ci(0.95, "wilson")
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_welch_against_scipy():
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, 12), rng.normal(0.5, 3, 30)
    theirs = stats.ttest_ind(a, b, equal_var=False).pvalue
    ours = compare_samples(Sample((a,)), Sample((b,)), table())
    assert ours == pytest.approx(theirs, rel=1e-9)


def test_welch_without_spread():
    assert welch(1.0, 0.0, 5, 1.0, 0.0, 5) == 1.0
    assert welch(1.0, 0.0, 5, 2.0, 0.0, 5) == 0.0


@pytest.mark.parametrize("case", [(3, 10, 9, 10), (0, 5, 5, 5), (7, 20, 7, 20), (1, 200, 9, 200)])
def test_fisher_against_scipy(case):
    a, n, b, m = case
    assert fisher(*case) == pytest.approx(
        stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue, rel=1e-6
    )


def test_holm_by_hand():
    # sorted 0.01, 0.02, 0.04: times 3, 2, 1 and never falling: 0.03, 0.04, 0.04
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_sum_of_means_adds_variances():
    a, b = np.array([1.0, 3.0]), np.array([10.0, 14.0])
    ours = summary(Sample((a, b)), table())
    # means 2 and 12; variances of the means 1 and 4; t with 1 degree of freedom is 12.7062
    assert ours.value == 14.0
    assert ours.high - ours.value == pytest.approx(12.706204736174694 * math.sqrt(5))
    assert ours.runs == 2


def test_best_and_success():
    a, b = np.array([1.0, 3.0]), np.array([10.0, 14.0])
    best = summary(Sample((a, b)), table(measure="best"))
    assert (best.value, best.low, best.runs) == (17.0, None, 2)
    share = summary(Sample((a,)), table(measure="success", target=3.0))
    assert (share.value, share.runs) == (0.5, 2)
    assert (share.low, share.high) == wilson(1, 2)
    assert compare_with_paper(Sample((a,)), Figure(3.0), table(measure="best")) is None


def test_a_paper_without_spread_has_ours():
    a = np.array([1.0, 2.0, 3.0, 4.0])
    error = a.std(ddof=1) / 2
    expected = welch(2.5, error, 4, 3.5, a.std(ddof=1) / math.sqrt(200), 200)
    assert compare_with_paper(Sample((a,)), Figure(3.5), table(paper_runs=200)) == expected


def test_a_papers_interval_is_used_in_the_tables_unit():
    a = np.array([1e6, 2e6, 3e6])
    ours = compare_with_paper(Sample((a,)), Figure(2.5, 0.98), table(paper_runs=200, unit=1e6))
    assert ours == pytest.approx(welch(2e6, 1e6 / math.sqrt(3), 3, 2.5e6, 5e5, 200))


@pytest.mark.parametrize("size", [1e300, 1e160, 1.0, 1e-200])
def test_numbers_of_any_size(size):
    """What can be told of some scores can be told of them in any unit."""
    a, b = np.array([1.0, 2.0, 1.5]), np.array([11.0, 12.0, 11.2])
    ours = summary(Sample((size * a,)), table())
    usual = summary(Sample((a,)), table())
    assert ours.value == pytest.approx(size * usual.value)
    assert ours.high == pytest.approx(size * usual.high)
    found = compare_samples(Sample((size * a,)), Sample((size * b,)), table())
    assert found == pytest.approx(compare_samples(Sample((a,)), Sample((b,)), table()))


def test_infinite_scores_have_no_interval_and_no_test():
    a, b = np.array([1.0, -math.inf, 1.5]), np.array([11.0, 12.0, 11.2])
    ours = summary(Sample((a,)), table())
    assert (ours.value, ours.low, ours.high, ours.runs) == (-math.inf, None, None, 3)
    assert compare_samples(Sample((a,)), Sample((b,)), table()) is None
    assert compare_samples(Sample((a,)), Sample((a,)), table()) is None
    assert compare_with_paper(Sample((a,)), Figure(3.0, 1.0), table()) is None


def test_curves_at_marks():
    one = np.array([[0.1, 1, 5.0], [0.2, 10, 7.0], [0.9, 100, 9.0]], "<f8")
    two = np.array([[0.5, 1, 1.0]], "<f8")
    by_time = Curves([one.tobytes(), two.tobytes()], "seconds")
    assert by_time.at(0.1).tolist() == [5.0, 1.0]
    assert by_time.at(0.3).tolist() == [7.0, 1.0]
    assert by_time.at(2.0).tolist() == [9.0, 1.0]
    # before its first playout ends, a search has nothing else to show
    assert by_time.at(0.0).tolist() == [5.0, 1.0]
    # but it has reached nothing by then
    assert by_time.reached(0.3).tolist() == [7.0, -math.inf]
    assert by_time.reached(0.5).tolist() == [7.0, 1.0]
    by_playouts = Curves([one.tobytes(), two.tobytes()], "playouts")
    assert by_playouts.at(10).tolist() == [7.0, 1.0]
    assert by_playouts.at(9).tolist() == [5.0, 1.0]
