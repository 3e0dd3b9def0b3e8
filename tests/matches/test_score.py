"""Scores, Elo, the sequential test and ratings: by hand, against SciPy, by simulation."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import optimize, stats

from playout.errors import OptionError
from playout.matches.ratings import ratings
from playout.matches.score import Score, Tally, elo_of, share_of
from playout.matches.sprt import OUTCOMES, Sprt, SprtRun


@pytest.mark.parametrize(("wins", "losses"), [(0, 10), (1, 9), (7, 3), (10, 0), (120, 80)])
def test_the_interval_without_draws_is_wilsons(wins, losses):
    theirs = stats.binomtest(wins, wins + losses).proportion_ci(0.95, "wilson")
    assert Score(wins, 0, losses).interval == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_interval_with_draws_by_hand():
    # 40 wins, 20 draws, 40 losses: 50 points of 100. z = 1.959964, z*z = 3.841459:
    # the middle is (0.5 + 0.0192073) / 1.0384146 = 0.5, the half-width
    # 1.959964 / 1.0384146 * sqrt(0.25/100 + 3.841459/40000) = 1.8874581 * 0.0509512 = 0.0961683
    score = Score(40, 20, 40)
    assert (score.points, score.win_rate, score.games) == (50.0, 0.5, 100)
    assert score.interval == pytest.approx((0.4038317, 0.5961683), abs=1e-6)


def test_draws_make_the_interval_no_narrower_than_their_own_spread():
    score = Score(30, 60, 10)
    values = np.array([1.0] * 30 + [0.5] * 60 + [0.0] * 10)
    half = 1.959964 * values.std() / math.sqrt(100)
    low, high = score.interval
    assert high - low > 2 * half


def test_elo_by_hand():
    assert elo_of(0.5) == 0.0
    # 0.75: 400 log10(3) = 400 * 0.47712125 = 190.8485
    assert elo_of(0.75) == pytest.approx(190.8485, abs=1e-4)
    assert elo_of(0.25) == pytest.approx(-190.8485, abs=1e-4)
    # 10/11 is what 400 Elo are worth
    assert share_of(400) == pytest.approx(10 / 11)
    assert elo_of(share_of(123.0)) == pytest.approx(123.0)
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)
    assert Score(15, 0, 5).elo == pytest.approx(190.8485, abs=1e-4)
    low, high = Score(15, 0, 5).elo_interval
    assert (share_of(low), share_of(high)) == pytest.approx(Score(15, 0, 5).interval)


def test_a_score_of_no_games():
    empty = Score()
    assert math.isnan(empty.win_rate)
    assert math.isnan(empty.elo)
    assert empty.interval == (0.0, 1.0)
    assert empty.to_json()["win_rate"] is None


def test_a_tally_counts_for_both_sides_and_by_seats():
    tally = Tally(2, 2)
    tally.add((0, 1), (1.0, 0.0))  # the first player wins in the first seat
    tally.add((1, 0), (1.0, 0.0))  # and loses in the second
    tally.add((0, 1), (0.5, 0.5))
    tally.add((1, 0), (0.0, 1.0))
    assert tally.games == 4
    assert tally.score(0) == Score(2, 1, 1)
    assert tally.score(1) == Score(1, 1, 2)
    assert tally.by_seat(0) == [Score(1, 1, 0), Score(1, 0, 1)]
    assert tally.by_seat(1) == [Score(1, 0, 1), Score(0, 1, 1)]


def test_a_game_for_three_is_a_result_of_each_two():
    tally = Tally(3, 3)
    tally.add((2, 0, 1), (0.0, 1.0, 0.0))  # player 0 wins, 2 and 1 are level
    assert tally.score(0) == Score(2, 0, 0)
    assert tally.score(1, 2) == Score(0, 1, 0)
    assert tally.score(2, 0) == Score(0, 0, 1)
    assert tally.by_seat(0) == [Score(), Score(2, 0, 0), Score()]


class TestSprt:
    def test_bounds_by_hand(self):
        # log(0.1 / 0.95) and log(0.9 / 0.05)
        assert Sprt(0, 10, 0.05, 0.1).bounds() == pytest.approx((-2.2512918, 2.8903718))

    def test_a_ratio_by_hand(self):
        """Where pairs are all won or all lost, it is a coin: 8 heads, 4 tails."""
        s0, s1 = 0.5, 0.75
        by_hand = 8 * math.log(s1 / s0) + 4 * math.log((1 - s1) / (1 - s0))
        assert by_hand == pytest.approx(0.4711320, abs=1e-6)
        ours = Sprt(0, elo_of(s1)).llr([4, 0, 0, 0, 8])
        assert ours == pytest.approx(by_hand, abs=0.02)  # what was never seen counts a thousandth

    def test_a_normal_approximation(self):
        """With many pairs of small hypotheses, N (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
        pairs = [300, 1100, 2600, 1400, 400]
        n = sum(pairs)
        mean = sum(c * a for c, a in zip(pairs, OUTCOMES)) / n
        variance = sum(c * (a - mean) ** 2 for c, a in zip(pairs, OUTCOMES)) / n
        s0, s1 = share_of(0), share_of(5)
        expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        assert Sprt(0, 5).llr(pairs) == pytest.approx(expected, rel=0.01)

    @pytest.mark.parametrize(
        ("pairs", "elo0", "elo1"),
        [([3, 7, 20, 11, 5], 0, 30), ([1, 2, 3, 4, 5], -50, 50), ([20, 9, 4, 2, 1], 0, 100)],
    )
    def test_against_a_general_maximiser(self, pairs, elo0, elo1):
        """The most likely distribution with a given mean, as SciPy finds it."""

        def most(mean):
            found = optimize.minimize(
                lambda p: -sum(c * math.log(x) for c, x in zip(pairs, p)),
                np.full(5, 0.2),
                bounds=[(1e-9, 1)] * 5,
                constraints=[
                    {"type": "eq", "fun": lambda p: sum(p) - 1},
                    {"type": "eq", "fun": lambda p: np.dot(p, OUTCOMES) - mean},
                ],
                options={"maxiter": 1000, "ftol": 1e-13},
            )
            assert found.success
            return -found.fun

        expected = most(share_of(elo1)) - most(share_of(elo0))
        assert Sprt(elo0, elo1).llr(pairs) == pytest.approx(expected, abs=1e-4)

    def test_no_games_tell_nothing(self):
        assert Sprt(0, 10).llr([0] * 5) == 0.0

    def test_pairs_count_in_their_order(self):
        run = SprtRun(Sprt(0, 200))
        run.add(2, 1.0)
        run.add(3, 1.0)
        run.add(1, 0.5)
        assert run.games == 0
        run.add(0, 1.0)
        assert run.games == 4
        assert run.pairs == [0, 0, 0, 1, 1]

    def test_after_a_decision_nothing_counts(self):
        run = SprtRun(Sprt(0, 200))
        for number in range(200):
            run.add(number, 1.0)
        assert run.decision == "H1"
        assert run.games < 40
        assert run.llr >= run.test.bounds()[1]
        # one pair before there was no decision
        assert run.test.decision(run.test.llr([0, 0, 0, 0, run.games // 2 - 1])) is None
        data = run.to_json()
        assert (data["decision"], sum(data["pairs"])) == ("H1", run.games // 2)

    @pytest.mark.parametrize("truth", ["elo0", "elo1"])
    def test_wrong_decisions_are_as_rare_as_asked(self, truth):
        test = Sprt(0, 200, 0.1, 0.1)
        chance = random.Random(1)
        share = share_of(getattr(test, truth))
        wrong = 0
        for _ in range(200):
            run = SprtRun(test)
            number = 0
            while run.decision is None:
                run.add(number, float(chance.random() < share))
                number += 1
            wrong += (run.decision == "H1") != (truth == "elo1")
        assert wrong <= 200 * 0.1 + 3 * math.sqrt(200 * 0.1 * 0.9)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("10", "elo0,elo1"),
            ("a,b", "elo0,elo1"),
            ("1,2,3", "elo0,elo1"),
            ("", "elo0,elo1"),
            ("10,0", "the first is the smaller"),
            ("0,inf", "a number"),
            ("0,nan", "a number"),
            ("0,10,0,0.05", "alpha=0: over 0"),
            ("0,10,0.05,0.7", "beta=0.7: over 0"),
            ("0,5000", "between -2000 and 2000"),
        ],
    )
    def test_refused(self, text, says):
        with pytest.raises(OptionError, match=says):
            Sprt.parse(text)

    def test_forms(self):
        assert Sprt.of((0, 10)) == Sprt.of("0,10") == Sprt.of(Sprt(0.0, 10.0)) == Sprt(0, 10)
        assert Sprt.of(None) is None
        assert Sprt.of([0, 10, 0.01, 0.02]) == Sprt(0, 10, 0.01, 0.02)
        with pytest.raises(OptionError, match="give"):
            Sprt.of((1, 2, 3))


class TestRatings:
    def tally(self, results):
        n = 1 + max(max(pair) for pair in results)
        tally = Tally(n, 2)
        for (a, b), (wins, draws, losses) in results.items():
            for count, rewards in ((wins, (1, 0)), (draws, (0.5, 0.5)), (losses, (0, 1))):
                for _ in range(count):
                    tally.add((a, b), rewards)
        return tally

    def test_two_players_by_hand(self):
        # 14 of 19, and a draw more: 14.5 of 20. The difference is elo_of(0.725), half for each
        one, two = ratings(self.tally({(0, 1): (14, 0, 5)}))
        assert one.elo - two.elo == pytest.approx(elo_of(0.725))
        assert one.elo == -two.elo
        # the difference's standard error is 1 / sqrt(20 * 0.725 * 0.275) on the natural scale
        error = 400 / math.log(10) / math.sqrt(20 * 0.725 * 0.275)
        assert one.high - one.elo == pytest.approx(1.959964 * error / 2, rel=1e-6)

    def test_the_expected_scores_are_the_scores(self):
        results = {(0, 1): (7, 2, 1), (0, 2): (9, 0, 1), (1, 2): (3, 4, 3)}
        rated = ratings(self.tally(results))
        points = {0: 8.0 + 9.0 + 1, 1: 2.0 + 5.0 + 1, 2: 1.0 + 5.0 + 1}  # a half more for each two
        for player, total in points.items():
            expected = sum(
                11 * share_of(rated[player].elo - rated[other].elo)
                for other in range(3)
                if other != player
            )
            assert expected == pytest.approx(total, abs=1e-6)
        assert sum(rating.elo for rating in rated) == pytest.approx(0, abs=1e-9)

    def test_one_who_wins_all_has_a_finite_rating(self):
        rated = ratings(self.tally({(0, 1): (50, 0, 0), (0, 2): (50, 0, 0), (1, 2): (25, 0, 25)}))
        assert all(math.isfinite(r.elo) and r.low < r.elo < r.high for r in rated)
        assert rated[0].elo > rated[1].elo + 300
        assert rated[1].elo == pytest.approx(rated[2].elo)

    def test_no_games_at_all(self):
        assert [r.elo for r in ratings(Tally(3, 2))] == [0.0, 0.0, 0.0]
