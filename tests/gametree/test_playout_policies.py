"""Playout policies: every formula by hand, and tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from playout.errors import OptionError
from playout.games import load_game
from playout.gametree.playout_policies.choosing import first_above, one_of_equals
from playout.gametree.playout_policies.heuristic import Heuristic
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.nppa import NPPA
from playout.gametree.playout_policies.nst import NST
from playout.gametree.playout_policies.ppa import PPA, PPAF, single_winner
from tests.support.naive_playouts import softmax
from tests.support.policy_cases import (
    LEARNING,
    Script,
    choose_often,
    place,
    played,
    prepared,
    probabilities,
    rng_of,
    simulated,
)


class TestChoosing:
    def test_first_above(self):
        sums = np.array([0.25, 0.25, 1.0, 2.0])
        drawn = [first_above(sums, 4, x) for x in (0.0, 0.24, 0.25, 0.999, 1.0, 1.9, 2.0)]
        assert drawn == [0, 0, 2, 2, 3, 3, 3]

    def test_one_of_equals_is_any_of_them(self):
        rng = np.array([7], np.uint64)
        values = np.array([1.0, 3.0, 2.0, 3.0, 3.0])
        with np.errstate(over="ignore"):
            drawn = [one_of_equals(values, 5, 3.0, rng) for _ in range(3000)]
        counts = np.bincount(drawn, minlength=5)
        assert counts[0] == counts[2] == 0
        assert np.all(np.abs(counts[[1, 3, 4]] - 1000) < 130)  # five standard deviations

    def test_single_winner(self):
        assert single_winner(np.array([0.0, 1.0, 0.0])) == 1
        assert single_winner(np.array([1.0, 0.0])) == 0
        assert single_winner(np.array([0.5, 0.5])) == -1
        assert single_winner(np.array([0.5, 0.0, 0.5])) == -1


class TestMAST:
    def test_means_of_each_player(self):
        # twice code 1 by player 0, who has 1 and then 0.25; player 1 plays code 1 too, once
        game = Script([[1, 2], [1, 2]])
        policy = simulated(MAST(), game, (0, 0))
        game.payoffs[:] = 0.25, 0.75
        simulated(policy, game, (0, 1))
        values = [
            policy.values[place(policy, game, code, mover)]
            for code in (1, 2, 3)
            for mover in (0, 1)
        ]
        # code 2 by player 0 and code 3 were never played
        assert values == [(1 + 0.25) / 2, 0.0, 1.0, 0.75, 1.0, 1.0]

    def test_a_code_played_twice_counts_twice(self):
        game = Script([[1, 2]] * 2, turns=[0, 0, 0], payoffs=(0.6, 0.4))
        policy = simulated(MAST(), game, (0, 0))
        assert policy.visits[place(policy, game, 1, 0)] == 2
        assert policy.values[place(policy, game, 1, 0)] == pytest.approx(0.6)

    def test_gibbs(self):
        game = Script([[1, 2, 3]], payoffs=(0.5, 0.5))
        policy = simulated(MAST(selection="gibbs", tau=0.25, unseen=0.8), game, (0,))
        game.payoffs[0] = 0.1
        simulated(policy, game, (1,))
        expected = softmax([0.5 / 0.25, 0.1 / 0.25, 0.8 / 0.25])
        assert probabilities(policy, game) == pytest.approx(expected)

    def test_discount(self):
        # three moves: the reward counts 0.9^2, 0.9 and 1
        game = Script([[1], [2], [3]], turns=[0, 0, 0, 0], payoffs=(1.0, 0.0))
        policy = simulated(MAST(discount=0.9), game, (0, 0, 0))
        values = [policy.values[place(policy, game, code, 0)] for code in (1, 2, 3)]
        assert values == pytest.approx([0.81, 0.9, 1.0])

    def test_decay(self):
        # ten visits with mean 0.5 become two; one more with reward 1 makes (1 + 1) / 3
        game = Script([[1, 2]], payoffs=(0.5, 0.5))
        policy = simulated(MAST(decay=0.2), game, *[(0,)] * 10)
        policy.next_search()
        at = place(policy, game, 1, 0)
        assert policy.values[at] == 0.5
        assert policy.visits[at] == pytest.approx(2)
        game.payoffs[0] = 1.0
        simulated(policy, game, (0,))
        assert policy.values[at] == pytest.approx(2 / 3)

    def test_decay_to_nothing_forgets(self):
        game = Script([[1, 2]], payoffs=(0.5, 0.5))
        policy = simulated(MAST(decay=0.0), game, (0,))
        policy.next_search()
        assert np.all(policy.values == 1.0)

    def test_share_of_the_best_move(self):
        game = Script([[1, 2, 3, 4]], payoffs=(0.5, 0.5))
        policy = simulated(MAST(epsilon=0.4), game, (0,), (2,), (3,))
        counts, rng = np.zeros(4, np.int64), np.array([3], np.uint64)
        choose_often(policy, game, game.root(), game.new_moves(), rng, counts, 20_000)
        # code 2, still unseen, is the best: 0.6 + 0.4 / 4; five standard deviations
        assert abs(counts[1] / 20_000 - 0.7) < 0.017
        assert np.all(np.abs(counts[[0, 2, 3]] / 20_000 - 0.1) < 0.011)


class TestPPA:
    def test_adaptation_with_two_states(self):
        # player 0 wins: he played 1 of (1, 2, 3) and then 2 of (2, 1); 5 and 6 are player 1's
        game = Script([[1, 2, 3], [5, 6], [2, 1]], turns=[0, 1, 0, 0])
        policy = PPA(alpha=0.5, update="winner", discount=1.0)
        policy.prepare(game, 0)
        start = {1: 0.3, 2: -0.2, 3: 0.1}
        for code, weight in start.items():
            at = place(policy, game, code, 0)
            policy.weights[at], policy.odds[at] = weight, math.exp(weight)
        simulated(policy, game, (0, 0, 0))
        first = softmax([start[1], start[2], start[3]])
        second = softmax([start[2], start[1]])
        expected = {
            1: 0.3 + 0.5 - 0.5 * first[0] - 0.5 * second[1],
            2: -0.2 - 0.5 * first[1] + 0.5 - 0.5 * second[0],
            3: 0.1 - 0.5 * first[2],
        }
        for code, weight in expected.items():
            at = place(policy, game, code, 0)
            assert policy.weights[at] == pytest.approx(weight)
            assert policy.odds[at] == pytest.approx(math.exp(weight))
        assert policy.weights[place(policy, game, 5, 1)] == 0
        assert policy.weights.sum() == pytest.approx(0.2)  # changes add up to nothing
        assert not policy.change.any()

    def test_the_sum_that_choose_has_made_is_the_same(self):
        game = Script([[1, 2, 3], [2, 3]], turns=[0, 0, 0])
        one, two = (prepared(PPA(), game) for _ in range(2))
        for policy in (one, two):
            simulated(policy, game, (0, 1), (2, 0))
        moves, states = game.new_moves(), game.root()
        with np.errstate(over="ignore"):
            rng = rng_of(1)
            one.begin()
            played = []
            for step in range(2):
                states[0].step = step
                n = game.moves(states[0], moves)
                played.append(one.choose(game, states[0], moves, n, rng))
                one.seen(game, states[0], moves, n, played[-1], 0)
            one.learn(game, np.array([1.0, 0.0]))
        simulated(two, game, played)
        assert one.weights == pytest.approx(two.weights, abs=1e-12)

    def test_payoffs_teach_all(self):
        game = Script([[1, 2], [1, 2]], payoffs=(0.25, 0.75))
        policy = simulated(PPA(alpha=1.0, discount=1.0), game, (0, 1))
        weights = [
            policy.weights[place(policy, game, code, mover)] for mover in (0, 1) for code in (1, 2)
        ]
        half = 0.5  # of both moves
        assert weights == pytest.approx(
            [0.25 - 0.25 * half, -0.25 * half, -0.75 * half, 0.75 - 0.75 * half]
        )

    def test_a_draw_teaches_nobody_with_winners_only(self):
        game = Script([[1, 2], [1, 2]], payoffs=(0.5, 0.5))
        policy = simulated(PPA(update="winner"), game, (0, 1))
        assert not policy.weights.any()

    def test_discount(self):
        # the last move counts in full, the first one 0.9^2
        game = Script([[1, 2], [3, 4], [5, 6]], turns=[0, 0, 0, 0])
        policy = simulated(PPA(alpha=1.0, discount=0.9), game, (0, 0, 0))
        weights = [policy.weights[place(policy, game, code, 0)] for code in (1, 3, 5)]
        assert weights == pytest.approx([0.81 / 2, 0.9 / 2, 0.5])

    def test_selection_with_k(self):
        game = Script([[1, 2, 3]])
        policy = simulated(PPA(alpha=1.0, k=2.5), game, (0,), (0,))
        weights = [policy.weights[place(policy, game, code, 0)] for code in (1, 2, 3)]
        # the adaptation does without k
        p = softmax([1 - 1 / 3, -1 / 3, -1 / 3])
        assert weights == pytest.approx([2 - 1 / 3 - p[0], -1 / 3 - p[1], -1 / 3 - p[2]])
        assert probabilities(policy, game) == pytest.approx(softmax([2.5 * w for w in weights]))

    def test_decay_and_memory(self):
        game = Script([[1, 2]])
        policy = simulated(PPA(alpha=1.0, k=2.0, decay=0.5), game, (0,))
        at = place(policy, game, 1, 0)
        policy.next_search()
        assert policy.weights[at] == pytest.approx(0.25)
        assert policy.odds[at] == pytest.approx(math.exp(0.25))
        assert policy.chances[at] == pytest.approx(math.exp(0.5))
        for forgetful in (PPA(memory=False), PPA(decay=0.0)):
            simulated(forgetful, game, (0,))
            forgetful.next_search()
            assert not forgetful.weights.any()
            assert np.all(forgetful.odds == 1.0)
        keeping = simulated(PPA(), game, (0,))
        before = keeping.weights.copy()
        keeping.next_search()
        assert np.array_equal(keeping.weights, before)

    def test_greedy_share(self):
        game = Script([[1, 2, 3, 4, 5]])
        policy = simulated(PPA(selection="greedy", epsilon=0.5), game, (3,))
        counts = np.zeros(5, np.int64)
        choose_often(policy, game, game.root(), game.new_moves(), rng_of(3), counts, 20_000)
        assert abs(counts[3] / 20_000 - 0.6) < 0.018
        assert np.all(np.abs(np.delete(counts, 3) / 20_000 - 0.1) < 0.011)

    def test_a_game_with_more_than_the_log_holds(self, monkeypatch):
        """Only the steps that fit are learnt from; the discount counts them all."""
        monkeypatch.setattr("playout.gametree.playout_policies.ppa.MOST_LOGGED", 5)
        game = Script([[1, 2], [3, 4], [5, 6], [7, 8]], turns=[0] * 5)
        policy = simulated(PPA(alpha=1.0, discount=0.5), game, (0, 0, 0, 0))
        weights = [policy.weights[place(policy, game, code, 0)] for code in (1, 3, 5, 7)]
        assert weights == pytest.approx([0.125 / 2, 0.25 / 2, 0, 0])


class TestPPAF:
    def test_weights_of_each_feature(self):
        # 1 as a capture (101) and 1 as no capture are two moves
        game = Script([[1, 101, 2]])
        policy = simulated(PPAF(alpha=1.0), game, (1,))
        found = [policy.weights[place(policy, game, 1, 0, features)] for features in (0, 1)]
        assert found == pytest.approx([-1 / 3, 2 / 3])
        plain = simulated(PPA(alpha=1.0, discount=1.0), game, (1,))
        assert plain.weights[place(plain, game, 1, 0)] == pytest.approx(1 / 3)

    def test_hashed_codes_too(self):
        game = Script([[1, 101, 2]], codes=0)
        policy = simulated(PPAF(alpha=1.0), game, (1,))
        found = [policy.weights[place(policy, game, 1, 0, features)] for features in (0, 1)]
        assert found == pytest.approx([-1 / 3, 2 / 3])

    def test_features_beyond_kinds_have_no_place(self):
        game = Script([[1, 901, 2]])
        policy = simulated(PPAF(), game, (1,))
        assert place(policy, game, 1, 0, 9) == policy.no_slot
        assert policy.weights[policy.no_slot] == 0

    def test_a_game_without_features(self):
        with pytest.raises(OptionError, match="ConnectFour has no move features"):
            PPAF().prepare(load_game("connectfour"), 0)


class TestHeuristic:
    def test_gibbs(self):
        game = Script([[1, 2, 4]])
        policy = prepared(Heuristic(epsilon=0.0, tau=2.0), game)
        assert probabilities(policy, game) == pytest.approx(softmax([0.25, 0.5, 1.0]))

    def test_greedy_share(self):
        game = Script([[1, 2, 4, 3]])
        policy = prepared(Heuristic(epsilon=0.2, selection="greedy"), game)
        counts = np.zeros(4, np.int64)
        choose_often(policy, game, game.root(), game.new_moves(), rng_of(3), counts, 20_000)
        assert abs(counts[2] / 20_000 - 0.85) < 0.013

    def test_a_game_without_a_bias(self):
        with pytest.raises(OptionError, match=r"Breakthrough has no heuristic \(bias\)"):
            Heuristic().prepare(load_game("breakthrough"), 0)


class TestTables:
    def test_codes_of_players_are_apart(self):
        for codes in (10, 0):
            game = Script([[1, 2]], codes=codes, payoffs=(1.0, 0.0, 0.0))
            policy = simulated(MAST(), game, (0,))
            places = [place(policy, game, 1, mover) for mover in range(3)]
            assert places[0] != policy.no_slot
            assert policy.visits[places].tolist() == [1, 0, 0]

    @pytest.mark.parametrize("cls", LEARNING)
    def test_a_full_table_goes_on(self, cls):
        # 40 codes of each player in a table for 16
        offers = [[3 * i for i in range(20)], [3 * i + 1 for i in range(20)]] * 2
        game = Script(offers, codes=0)
        policy = played(cls(table=16), game, 100)
        assert policy.used[0] == 16
        assert np.count_nonzero(policy.keys) == 16
        learnt = policy.values if isinstance(policy, MAST) else policy.weights
        assert learnt[policy.no_slot] == (1.0 if isinstance(policy, MAST) else 0.0)
        assert np.count_nonzero(learnt != learnt[policy.no_slot]) > 5

    @pytest.mark.parametrize("cls", [NST, NPPA])
    def test_a_full_table_of_grams_goes_on(self, cls):
        game = load_game("connectfour:4x4")
        policy = played(cls(grams=64), game, 50)
        assert policy.grams_used[0] == np.count_nonzero(policy.gram_keys) == 64
        policy.next_search()
        played(policy, game, 50)
        assert policy.grams_used[0] == 64

    def test_a_broken_promise_harms_nothing(self):
        game = Script([[1, 50], [3, 4]], codes=10)
        policy = simulated(MAST(), game, (1, 0))
        assert place(policy, game, 50, 0) == policy.no_slot

    def test_many_codes_are_hashed(self):
        game = load_game("hex:19x19")
        policy = prepared(PPAF(), game)
        assert policy.keys is not None
        assert prepared(PPA(), game).keys is None
