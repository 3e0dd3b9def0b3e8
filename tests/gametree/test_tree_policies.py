"""The bounds of tree policies, each formula with its numbers written out."""

from __future__ import annotations

import math

import pytest

import playout as po
from playout.errors import OptionError
from playout.gametree.tree_policies import GRAVE, PUCT, RAVE, UCB1, UCB1Tuned


def bound(policy, visits, n, q, squares=0.0, prior=0.0, amaf_n=0.0, amaf_q=0.0):
    return policy.bound(policy.prepare(visits), n, q, squares, prior, amaf_n, amaf_q)


class TestBounds:
    """Each formula with its numbers written out."""

    def test_ucb1(self):
        # 0.6 + 0.5 sqrt(ln 100 / 25)
        assert bound(UCB1(C=0.5), 100, 25, 0.6) == pytest.approx(0.6 + 0.5 * 0.4291932052)
        assert bound(UCB1(), 100, 0, 0.0) == math.inf

    def test_ucb1_tuned(self):
        # 3 of 4 won: variance 3/4 - 9/16 = 0.1875, + sqrt(2 ln 10 / 4) = 1.0730 is over 1/4
        few = 0.75 + math.sqrt(math.log(10) / 4 * 0.25)
        assert bound(UCB1Tuned(), 10, 4, 0.75, squares=0.75) == pytest.approx(few)
        # after 10,000 visits with no spread the width follows sqrt(2 ln N / n) alone
        n, log = 10_000, math.log(20_000)
        many = 0.5 + math.sqrt(log / n * math.sqrt(2 * log / n))
        assert bound(UCB1Tuned(), 20_000, n, 0.5, squares=0.25) == pytest.approx(many)

    def test_puct(self):
        # 0.5 + 2 * 0.3 * sqrt(49) / (1 + 6)
        assert bound(PUCT(C=2.0), 49, 6, 0.5, prior=0.3) == pytest.approx(0.5 + 0.6)
        assert bound(PUCT(C=2.0, first=0.25), 49, 0, 0.0, prior=0.1) == pytest.approx(0.25 + 1.4)

    def test_grave(self):
        # beta = 20 / (20 + 5 + 0.01 * 20 * 5) = 20 / 26
        beta = 20 / 26
        expected = (1 - beta) * 0.4 + beta * 0.7
        assert bound(GRAVE(bias=0.01), 50, 5, 0.4, amaf_n=20.0, amaf_q=0.7) == pytest.approx(
            expected
        )
        # without visits of its own the value is that as first
        assert bound(GRAVE(), 50, 0, 0.0, amaf_n=3.0, amaf_q=0.9) == pytest.approx(0.9)
        assert bound(GRAVE(), 50, 0, 0.0) == math.inf
        assert RAVE().ref == 0

    @pytest.mark.parametrize("cls", [UCB1, UCB1Tuned, PUCT, RAVE, GRAVE])
    def test_bad_constants(self, cls):
        with pytest.raises(OptionError, match="C="):
            cls(C=-1.0)


class TestFirstPlayUrgency:
    @pytest.mark.parametrize("cls", [UCB1, UCB1Tuned])
    def test_an_unvisited_move_counts_what_it_says(self, cls):
        assert cls().wants_all()
        assert cls().bound(1.0, 0, 0.0, 0.0, 0.0, 0.0, 0.0) == math.inf
        first = cls(first=1.0)
        assert not first.wants_all()
        assert first.bound(1.0, 0, 0.0, 0.0, 0.0, 0.0, 0.0) == 1.0

    def test_a_low_urgency_tries_few_moves(self):
        def tried(search):
            result = po.search("tictactoe", search, po.Playouts(60), seed=1, compiled=False)
            return sum(row.visits > 0 for row in result.moves)

        assert tried("uct:C=0") == 9
        assert tried("uct:C=0,first=0") < 9
