"""Intervals and tests by hand-computed cases and against SciPy; measures and curves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from playout.report.curves import Curves
from playout.statistics import fisher, holm, mean_interval, runs_to_tell, welch, wilson
from playout.study.cell_figures import Sample, compare_samples, compare_with_paper, summary
from playout.study.runs_needed import runs_needed
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


def test_without_spread_the_ways_to_part_the_runs_are_counted():
    assert welch(1.0, 0.0, 5, 1.0, 0.0, 5) == 1.0
    # two and two can be parted in six ways, in two of which the equal ones stay together
    assert welch(1.0, 0.0, 2, 2.0, 0.0, 2) == pytest.approx(1 / 3)
    a, b = np.full(5, 1.0), np.full(7, 2.0)
    shuffled = stats.permutation_test((a, b), lambda x, y: x.mean() - y.mean(), n_resamples=1e9)
    assert welch(1.0, 0.0, 5, 2.0, 0.0, 7) == pytest.approx(shuffled.pvalue)
    # a paper that says neither spread nor runs, and ours without spread: nothing can be said
    assert compare_with_paper(Sample((a,)), Figure(2.0), table()) is None
    assert compare_with_paper(Sample((a,)), Figure(2.0), table(paper_runs=200)) is None


class TestGames:
    """Outcomes of games are shares."""

    WON, LOST = Sample((np.ones(2),), 1), Sample((np.zeros(2),), 1)

    def test_two_wins_and_two_losses_tell_little(self):
        """100 and 0 percent of two games each: no verdict, and intervals that say so."""
        assert compare_samples(self.WON, self.LOST, table(unit=0.01)) == pytest.approx(1 / 3)
        ours = summary(self.WON, table(unit=0.01))
        assert (ours.value, ours.high) == (100.0, 100.0)
        assert ours.low == pytest.approx(100 * wilson(2, 2)[0])
        half = summary(Sample((np.array([0.0, 1.0]),), 1), table(unit=0.01))
        assert (half.low, half.high) == pytest.approx((9.453, 90.547), abs=1e-3)

    def test_a_run_of_two_games_counts_twice(self):
        one = Sample((np.array([1.0, 0.5, 0.75]),), 2)
        assert one.points() == (4.5, 6)
        assert summary(one, table()).runs == 3
        assert (summary(one, table()).low, summary(one, table()).high) == wilson(4.5, 6)

    def test_half_points_are_rounded_towards_each_other(self):
        one, other = Sample((np.array([1.0] * 9 + [0.5]),), 1), Sample((np.full(10, 0.25),), 1)
        assert compare_samples(one, other, table()) == fisher(9, 10, 3, 10)
        assert compare_samples(other, one, table()) == fisher(3, 10, 9, 10)
        near = Sample((np.array([1.0] * 5 + [0.5] + [0.0] * 4),), 1)
        assert compare_samples(near, Sample((np.full(10, 0.55),), 1), table()) == 1.0

    @pytest.mark.parametrize("draws", [0.0, 0.6])
    def test_the_test_is_not_too_bold(self, draws):
        """Of players who are equally good at most one in twenty pairs is told apart."""
        rng = np.random.default_rng(1)
        chances = [draws, (1 - draws) / 2, (1 - draws) / 2]
        bold = 0
        for _ in range(400):
            a, b = (Sample((rng.choice([0.5, 0.0, 1.0], 30, p=chances),), 1) for _ in "ab")
            bold += compare_samples(a, b, table()) < 0.05
        assert bold <= 20

    def test_a_papers_share(self):
        ours = Sample((np.array([1.0, 1.0, 0.0, 1.0]),), 1)
        assert compare_with_paper(ours, Figure(40.0), table(unit=0.01, paper_runs=50)) == fisher(
            3, 4, 20, 50
        )
        assert compare_with_paper(self.WON, Figure(40.0, 5.0), table(unit=0.01)) is not None

    def test_other_rewards_are_no_shares(self):
        assert Sample((np.array([3.0, 1.0]),), 1).points() is None


class TestRunsNeeded:
    def test_by_hand(self):
        # (1.96 + 0.84)^2 (1 + 3) / 2^2 = 7.85
        assert runs_to_tell(2.0, 1.0, 3.0) == pytest.approx(7.849, abs=1e-3)
        assert runs_to_tell(0.0, 1.0, 1.0) == math.inf
        # at 1% the quantile is 2.5758: (2.5758 + 0.8416)^2 = 11.679
        assert runs_to_tell(2.0, 1.0, 3.0, level=0.01) == pytest.approx(11.679, abs=1e-3)

    def test_it_is_the_power_that_it_says(self):
        rng = np.random.default_rng(1)
        n = math.ceil(runs_to_tell(0.5, 1.0, 1.0))
        found = [
            compare_samples(
                Sample((rng.normal(0, 1, n),)), Sample((rng.normal(0.5, 1, n),)), table()
            )
            for _ in range(400)
        ]
        assert 0.74 < np.mean(np.array(found) < 0.05) < 0.86

    def test_the_sentence(self):
        samples = {"one": TestGames.WON, "two": TestGames.LOST, "like": TestGames.WON}
        said = runs_needed("one", samples, table())
        # shares of (2 + 2) / (2 + 4) and 2 / 6: (1.96 + 0.84)^2 (2/9 + 2/9) / 1 = 3.5
        assert said.endswith("four times in five: two about 4, like over 100,000")
        assert runs_needed("one", {"one": TestGames.WON}, table()) == ""
        assert runs_needed("one", samples, table(measure="best")) == ""


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
