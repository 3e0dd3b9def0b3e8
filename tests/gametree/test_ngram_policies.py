"""Playout policies by N-grams of moves, NST and NPPA: every formula by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from playout.games import load_game
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.ngrams import context_of, find_gram, gram_key
from playout.gametree.playout_policies.nppa import NPPA
from playout.gametree.playout_policies.nst import NST
from playout.gametree.playout_policies.ppa import PPA
from tests.support.naive_playouts import softmax
from tests.support.policy_cases import (
    Script,
    Together,
    place,
    played,
    probabilities,
    simulated,
)


class TestNST:
    def grams(self, policy, game, *codes, movers):
        """The record of the N-gram of these codes, None if there is none."""
        places = [place(policy, game, c, m) for c, m in zip(codes, movers, strict=True)]
        length = len(codes)
        with np.errstate(over="ignore"):
            key = gram_key(context_of(np.array(places), None, length - 1, length), places[-1])
            at = find_gram(policy.gram_keys, key)
        return policy.grams[at] if at >= 0 else None

    def test_statistics(self):
        game = Script([[1, 2], [3, 4], [5, 6]], turns=[0, 1, 1, 0], payoffs=(0.25, 0.75))
        policy = simulated(NST(), game, (0, 1, 0), (0, 1, 1))
        two = self.grams(policy, game, 1, 4, movers=(0, 1))
        assert (two.visits, two.value) == (2, 0.75)
        three = self.grams(policy, game, 1, 4, 5, movers=(0, 1, 1))
        assert (three.visits, three.value) == (1, 0.75)
        assert self.grams(policy, game, 4, 5, movers=(1, 1)).visits == 1  # twice in a row
        assert self.grams(policy, game, 1, 3, movers=(0, 1)) is None
        assert self.grams(policy, game, 1, 4, movers=(1, 1)) is None
        assert policy.grams_used[0] == 1 + 2 + 2

    def test_moves_at_the_same_time(self):
        """Before a move comes that of the player before, in the step before (equation 3)."""
        # three players choose 1, 2, 3, then 4, 5, 6, then 7, 8, 9
        offers = [[code] for code in range(1, 10)]
        game = Together(offers, [0, 1, 2] * 3, concealed=[0, 1, 2] * 3, payoffs=(0.2, 0.4, 0.6))
        policy = simulated(NST(), game, (0,) * 9)
        for codes, movers in [
            ((3, 4), (2, 0)),
            ((1, 5), (0, 1)),
            ((2, 6), (1, 2)),
            ((6, 7), (2, 0)),
            ((2, 6, 7), (1, 2, 0)),
            ((3, 4, 8), (2, 0, 1)),
            ((1, 5, 9), (0, 1, 2)),
        ]:
            gram = self.grams(policy, game, *codes, movers=movers)
            assert (gram.visits, gram.value) == (1, game.payoffs[movers[-1]])
        assert policy.grams_used[0] == 6 + 3

    def test_who_had_no_choice_is_passed_over(self):
        # players 0 and 2, then 1 alone, then 0 and 1: before player 1 comes 0, before 0 comes 1
        game = Together(
            [[1], [2], [3], [4], [5]],
            [0, 2, 1, 0, 1],
            concealed=[0, 1, 0, 0, 1],
            payoffs=(0.2, 0.4, 0.6),
        )
        policy = simulated(NST(), game, (0,) * 5)
        for codes, movers in [
            ((1, 3), (0, 1)),
            ((3, 4), (1, 0)),
            ((3, 5), (1, 1)),
            ((1, 3, 4), (0, 1, 0)),
            ((1, 3, 5), (0, 1, 1)),
        ]:
            assert self.grams(policy, game, *codes, movers=movers).visits == 1
        assert policy.grams_used[0] == 5

    def test_average_over_lengths_with_enough_visits(self):
        game = Script([[1], [2], [3, 4]], turns=[0, 1, 0, 0], payoffs=(1.0, 0.0))
        policy = simulated(NST(V=3, selection="gibbs", tau=1.0), game, *[(0, 0, 0)] * 3)
        game.payoffs[:] = 0.0, 1.0
        simulated(policy, game, (0, 0, 0), (0, 0, 1), (0, 0, 1))
        # 3 after 1, 2: four visits of every length, mean 3/4; 4: two visits, so itself alone
        assert probabilities(policy, game, before=(0, 0)) == pytest.approx(softmax([0.75, 0.0]))
        # as another N-gram tells: 3 itself has 5 visits with mean 4/5, after 2 and after 1, 2 3/4
        other = Script([[3]], payoffs=(1.0, 0.0))
        simulated(policy, other, (0,))
        expected = softmax([(4 / 5 + 3 / 4 + 3 / 4) / 3, 0.0])
        assert probabilities(policy, game, before=(0, 0)) == pytest.approx(expected)
        policy.V = 5.0
        assert probabilities(policy, game, before=(0, 0)) == pytest.approx(softmax([4 / 5, 0.0]))

    def test_with_length_one_it_is_mast(self):
        game = load_game("connectfour:4x4")
        nst, mast = (played(policy, game, 10) for policy in (NST(L=1), MAST()))
        assert nst.values.tobytes() == mast.values.tobytes()
        assert nst.grams_used[0] == 0

    def test_decay_of_grams(self):
        game = Script([[1], [2]], payoffs=(0.5, 0.5))
        policy = simulated(NST(decay=0.5), game, *[(0, 0)] * 4)
        policy.next_search()
        two = self.grams(policy, game, 1, 2, movers=(0, 1))
        assert (two.visits, two.total, two.value) == (2, 1, 0.5)

    def test_a_crowded_table_drops_what_has_hardly_been_visited(self):
        # 16 N-grams fit; 9 are there, all but one with less than one visit after the decay
        game = Script([[1], [1, 2, 3, 4, 5, 6, 7, 8, 9]], payoffs=(0.5, 0.5))
        policy = simulated(
            NST(decay=0.2, grams=16, L=2), game, *[(0, i) for i in range(9)], *[(0, 0)] * 9
        )
        assert policy.grams_used[0] == 9
        policy.next_search()
        assert policy.grams_used[0] == 1
        assert self.grams(policy, game, 1, 1, movers=(0, 1)).visits == 2


class TestNPPA:
    def record(self, policy, game, codes, movers):
        return TestNST().grams(policy, game, *codes, movers=movers)

    def test_adaptation(self):
        game = Script([[1, 2], [3, 4], [5, 6, 7]], turns=[0, 1, 0, 0])
        policy = NPPA(alpha=1.0, discount=1.0)
        simulated(policy, game, (0, 0, 0), (0, 0, 1))
        # 5 and 6 after 1, 3: as PPA's adaptation in a policy of its own, twice
        p = softmax([1 - 1 / 3, -1 / 3, -1 / 3])
        expected = [2 / 3 - p[0], -1 / 3 + 1 - p[1], -1 / 3 - p[2]]
        for before, movers in (((3,), (1, 0)), ((1, 3), (0, 1, 0))):
            found = [self.record(policy, game, (*before, code), movers) for code in (5, 6, 7)]
            assert [gram.value for gram in found] == pytest.approx(expected)
            assert [gram.odds for gram in found] == pytest.approx([math.exp(x) for x in expected])
            assert [gram.visits for gram in found] == [2, 2, 2]  # those that were not played, too
        # player 1 lost: nothing is adapted
        assert self.record(policy, game, (1, 3), (0, 1)) is None
        assert self.record(policy, game, (1, 4), (0, 1)) is None

    def test_payoffs_and_discount(self):
        game = Script([[1], [3, 4], [5]], turns=[0, 1, 0, 0], payoffs=(0.25, 0.75))
        policy = simulated(NPPA(alpha=1.0, discount=0.5, update="payoff"), game, (0, 0, 0))
        found = [self.record(policy, game, (1, code), (0, 1)).value for code in (3, 4)]
        assert found == pytest.approx([0.5 * 0.75 / 2, -0.5 * 0.75 / 2])

    def test_average_over_lengths_with_enough_visits(self):
        game = Script([[1], [2], [3, 4]], turns=[0, 0, 0, 0])
        policy = simulated(NPPA(alpha=1.0, V=3, discount=1.0), game, *[(0, 0, 0)] * 2, (0, 0, 1))
        weights = {
            code: [
                policy.weights[place(policy, game, code, 0)],
                self.record(policy, game, (2, code), (0, 0)).value,
                self.record(policy, game, (1, 2, code), (0, 0, 0)).value,
            ]
            for code in (3, 4)
        }
        self.record(policy, game, (2, 4), (0, 0)).visits = 2
        self.record(policy, game, (1, 2, 4), (0, 0, 0)).visits = 2
        assert weights[3][0] == pytest.approx(weights[3][2])  # the same simulations taught both
        policy.grams[:]["value"] *= 3.0  # so that lengths can be told apart
        expected = softmax(
            [sum(weights[3]) / 3 + (weights[3][1] + weights[3][2]) * 2 / 3, weights[4][0]]
        )  # 4 has too few visits
        assert probabilities(policy, game, before=(0, 0)) == pytest.approx(expected)

    def test_with_length_one_it_is_ppa(self):
        game = load_game("connectfour:4x4")
        options = dict(alpha=0.4, update="payoff", selection="greedy", epsilon=0.3)
        nppa, ppa = (played(p, game, 10) for p in (NPPA(L=1, **options), PPA(**options)))
        assert nppa.weights.tobytes() == ppa.weights.tobytes()

    def test_decay_and_memory(self):
        game = Script([[1], [2, 3]], turns=[0, 0, 0])
        policy = simulated(NPPA(alpha=1.0, decay=0.5), game, (0, 0))
        policy.next_search()
        gram = self.record(policy, game, (1, 2), (0, 0))
        assert gram.value == pytest.approx(0.25)
        assert gram.odds == pytest.approx(math.exp(0.25))
        forgetful = simulated(NPPA(memory=False), game, (0, 0))
        forgetful.next_search()
        assert forgetful.grams_used[0] == 0
        assert self.record(forgetful, game, (1, 2), (0, 0)) is None
