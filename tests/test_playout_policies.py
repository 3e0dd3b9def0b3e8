"""Playout policies: every formula by hand, tables, two forms of one class, searches with them."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.compiled import kernel
from playout.errors import OptionError
from playout.games import load_game
from playout.gametree.options import TreeSearch
from playout.gametree.playouts import PLAYOUT_POLICIES
from playout.gametree.playouts.choosing import first_above, one_of_equals
from playout.gametree.playouts.grams import context_of, find_gram, gram_key
from playout.gametree.playouts.heuristic import Heuristic
from playout.gametree.playouts.mast import MAST
from playout.gametree.playouts.nppa import NPPA
from playout.gametree.playouts.nst import NST
from playout.gametree.playouts.ppa import PPA, PPAF, single_winner
from playout.gametree.session import TreeSession
from tests.naive_playouts import NaiveNST, NaivePPA, softmax

LEARNING = [MAST, NST, PPA, PPAF, NPPA]


class Script(po.Game):
    """Each step offers given codes to a given player; the game ends after the last step.

    A code of 100 or more is the code below it with features 1. The player who played the highest
    code last has 1 and the others 0, unless `payoffs` says otherwise.
    """

    fields = ("offers", "counts", "turns", "payoffs")
    kinds = 2

    def __init__(self, offers, turns=None, payoffs=(1.0, 0.0), codes=10):
        steps = len(offers)
        self.counts = np.array([len(offer) for offer in offers])
        self.max_moves, self.max_length = int(self.counts.max()), steps
        self.offers = np.zeros((steps, self.max_moves), np.int64)
        for i, offer in enumerate(offers):
            self.offers[i, : len(offer)] = offer
        self.turns = np.array(turns if turns is not None else [i % 2 for i in range(steps)] + [0])
        self.payoffs = np.array(payoffs)
        self.players, self.codes = len(payoffs), codes
        self.state_type = po.record(step="i8")
        self.move_type = po.record(number="i8")

    def reset(self, state):
        state.step = 0

    def moves(self, state, moves):
        if state.step == len(self.counts):
            return 0
        for i in range(self.counts[state.step]):
            moves[i].number = self.offers[state.step, i]
        return self.counts[state.step]

    def play(self, state, move):
        state.step += 1

    def turn(self, state):
        return self.turns[state.step]

    def reward(self, state, player):
        return self.payoffs[player]

    def code(self, state, move):
        return move.number % 100

    def features(self, state, move):
        return move.number // 100

    def bias(self, state, move):
        return 0.5 * move.number


@kernel
def simulate_moves(policy, game, states, moves, played, rewards):
    """A simulation whose moves are given by number."""
    states[0].step = 0
    policy.begin()
    for k in played:
        n = game.moves(states[0], moves)
        policy.seen(game, states[0], moves, n, k, game.turn(states[0]))
        game.play(states[0], moves[k])
    for player in range(len(rewards)):
        rewards[player] = game.reward(states[0], player)
    policy.learn(game, rewards)


@kernel
def choose_often(policy, game, states, moves, rng, counts, times):
    """How often each move of a state is chosen."""
    n = game.moves(states[0], moves)
    for _ in range(times):
        counts[policy.choose(game, states[0], moves, n, rng)] += 1


@kernel
def play_games(policy, game, root, states, moves, rng, rewards, times):
    """Games by the policy from start to end, learning from each."""
    for _ in range(times):
        states[0] = root[0]
        policy.begin()
        while True:
            n = game.moves(states[0], moves)
            if n == 0:
                break
            k = policy.choose(game, states[0], moves, n, rng)
            policy.seen(game, states[0], moves, n, k, game.turn(states[0]))
            game.play(states[0], moves[k])
        for player in range(len(rewards)):
            rewards[player] = game.reward(states[0], player)
        policy.learn(game, rewards)


def played(policy, game, times, seed=2, form=play_games.py_func):
    """The policy after so many games by itself, in plain Python unless told."""
    if not hasattr(policy, "buffer"):
        policy.prepare(game, 0)
    with np.errstate(over="ignore"):
        form(policy, game, game.root(), game.root(), game.new_moves(), rng_of(seed),
             np.zeros(game.players), times)  # fmt: skip
    return policy


def rng_of(seed):
    return np.array([seed], np.uint64)


def prepared(policy, game):
    policy.prepare(game, 0)
    return policy


def simulated(policy, game, *simulations):
    """The policy after simulations, each the numbers of the moves played, in plain Python."""
    if not hasattr(policy, "buffer"):
        policy.prepare(game, 0)
    with np.errstate(over="ignore"):
        for played in simulations:
            simulate_moves.py_func(
                policy, game, game.root(), game.new_moves(), played, np.zeros(game.players)
            )
    return policy


def place(policy, game, code, mover, features=0):
    moves = game.new_moves(1)
    moves[0].number = code + 100 * features
    with np.errstate(over="ignore"):
        return policy.place(game, game.root()[0], moves[0], mover, False)


def probabilities(policy, game, step=0, before=()):
    """The probabilities with which `choose` draws there, after the moves `before`."""
    states, moves, rng = game.root(), game.new_moves(), np.ones(1, np.uint64)
    with np.errstate(over="ignore"):
        policy.begin()
        for k in before:
            n = game.moves(states[0], moves)
            policy.seen(game, states[0], moves, n, k, game.turn(states[0]))
            game.play(states[0], moves[k])
        states[0].step = step if not before else len(before)
        n = game.moves(states[0], moves)
        policy.choose(game, states[0], moves, n, rng)
    return np.diff(policy.buffer[:n], prepend=0.0) / policy.buffer[n - 1]


def arrays_of(policy):
    return {name: value for name, value in vars(policy).items() if isinstance(value, np.ndarray)}


def assert_same(one, two):
    for name, value in arrays_of(one).items():
        assert value.tobytes() == arrays_of(two)[name].tobytes(), name


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
        values = [policy.values[place(policy, game, code, mover)]
                  for code in (1, 2, 3) for mover in (0, 1)]  # fmt: skip
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


class TestNST:
    def grams(self, policy, game, *codes, movers):
        """The record of the N-gram of these codes, None if there is none."""
        places = [place(policy, game, c, m) for c, m in zip(codes, movers, strict=True)]
        length = len(codes)
        with np.errstate(over="ignore"):
            key = gram_key(context_of(np.array(places), length - 1, length), places[-1])
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
        policy = simulated(NST(decay=0.2, grams=16, L=2), game, *[(0, i) for i in range(9)],
                           *[(0, 0)] * 9)  # fmt: skip
        assert policy.grams_used[0] == 9
        policy.next_search()
        assert policy.grams_used[0] == 1
        assert self.grams(policy, game, 1, 1, movers=(0, 1)).visits == 2


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
        weights = [policy.weights[place(policy, game, code, mover)]
                   for mover in (0, 1) for code in (1, 2)]  # fmt: skip
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
        monkeypatch.setattr("playout.gametree.playouts.ppa.MOST_LOGGED", 5)
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
        assert place(policy, game, 1, 0, 9) == policy.nowhere
        assert policy.weights[policy.nowhere] == 0

    def test_a_game_without_features(self):
        with pytest.raises(OptionError, match="ConnectFour has no move features"):
            PPAF().prepare(load_game("connectfour"), 0)


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
            assert [gram.weight for gram in found] == pytest.approx(expected)
            assert [gram.odds for gram in found] == pytest.approx([math.exp(x) for x in expected])
            assert [gram.visits for gram in found] == [1, 1, 0]
        # player 1 lost: what he played was visited and not adapted
        lost = self.record(policy, game, (1, 3), (0, 1))
        assert (lost.visits, lost.weight) == (2, 0)
        assert self.record(policy, game, (1, 4), (0, 1)) is None

    def test_payoffs_and_discount(self):
        game = Script([[1], [3, 4], [5]], turns=[0, 1, 0, 0], payoffs=(0.25, 0.75))
        policy = simulated(NPPA(alpha=1.0, discount=0.5, update="payoff"), game, (0, 0, 0))
        found = [self.record(policy, game, (1, code), (0, 1)).weight for code in (3, 4)]
        assert found == pytest.approx([0.5 * 0.75 / 2, -0.5 * 0.75 / 2])

    def test_average_over_lengths_with_enough_visits(self):
        game = Script([[1], [2], [3, 4]], turns=[0, 0, 0, 0])
        policy = simulated(NPPA(alpha=1.0, V=2, discount=1.0), game, *[(0, 0, 0)] * 2, (0, 0, 1))
        weights = {
            code: [
                policy.weights[place(policy, game, code, 0)],
                self.record(policy, game, (2, code), (0, 0)).weight,
                self.record(policy, game, (1, 2, code), (0, 0, 0)).weight,
            ]
            for code in (3, 4)
        }
        assert weights[3][0] == pytest.approx(weights[3][2])  # the same simulations taught both
        policy.grams[:]["weight"] *= 3.0  # so that lengths can be told apart
        expected = softmax([sum(weights[3]) / 3 + (weights[3][1] + weights[3][2]) * 2 / 3,
                            weights[4][0]])  # 4 has one visit only  # fmt: skip
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
        assert gram.weight == pytest.approx(0.25)
        assert gram.odds == pytest.approx(math.exp(0.25))
        forgetful = simulated(NPPA(memory=False), game, (0, 0))
        forgetful.next_search()
        assert forgetful.grams_used[0] == 0
        assert self.record(forgetful, game, (1, 2), (0, 0)) is None


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
            assert places[0] != policy.nowhere
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
        assert learnt[policy.nowhere] == (1.0 if isinstance(policy, MAST) else 0.0)
        assert np.count_nonzero(learnt != learnt[policy.nowhere]) > 5

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
        assert place(policy, game, 50, 0) == policy.nowhere

    def test_many_codes_are_hashed(self):
        game = load_game("hex:19x19")
        policy = prepared(PPAF(), game)
        assert policy.keys is not None
        assert prepared(PPA(), game).keys is None


AGAINST = [
    (MAST(selection="gibbs", tau=0.3), NaiveNST()),
    (NST(selection="gibbs", tau=0.3, V=2, discount=0.9), NaiveNST(L=3, V=2, discount=0.9)),
    (PPA(alpha=0.7), NaivePPA(0.7, "payoff", discount=0.95)),
    (PPA(k=1.5, update="winner"), NaivePPA(0.32, "winner", discount=0.95)),
    (PPAF(alpha=0.7), NaivePPA(0.7, "winner")),
    (NPPA(V=2), NaivePPA(1.0, "winner", discount=0.95, L=3, V=2)),
    (NPPA(L=4, V=3, update="payoff"), NaivePPA(1.0, "payoff", discount=0.95, L=4, V=3)),
]


@pytest.mark.parametrize("codes", ["dense", "hashed"])
@pytest.mark.parametrize(("policy", "naive"), AGAINST, ids=[p.name for p, _ in AGAINST])
def test_against_dictionaries(policy, naive, codes):
    """The same probabilities at every move of games whose players move twice in a row."""
    game = load_game("dotsandboxes:2x2,players=3")
    policy, naive = prepare_hashed(policy, game, codes == "hashed"), copy.deepcopy(naive)
    sharpness = getattr(policy, "k", None) or 1 / policy.tau
    moves, rng = game.new_moves(), rng_of(4)
    with np.errstate(over="ignore"):
        for _ in range(12):
            states, steps, history = game.root(), [], []
            policy.begin()
            while n := game.moves(states[0], moves):
                state, mover = states[0], int(game.turn(states[0]))
                legal = [(mover, int(game.code(state, move))) for move in moves[:n]]
                if isinstance(policy, PPAF):
                    kinds = [int(game.features(state, move)) for move in moves[:n]]
                    legal = [(*move, kind) for move, kind in zip(legal, kinds, strict=True)]
                k = policy.choose(game, state, moves, n, rng)
                drawn = np.diff(policy.buffer[:n], prepend=0.0) / policy.buffer[n - 1]
                assert drawn == pytest.approx(naive.probabilities(history, legal, sharpness))
                steps.append((legal, legal[k]))
                history.append(legal[k])
                policy.seen(game, state, moves, n, k, mover)
                game.play(state, moves[k])
            rewards = np.array([game.reward(states[0], player) for player in range(3)])
            policy.learn(game, rewards)
            naive.learn(steps, rewards)


def prepare_hashed(policy, game, hashed):
    """A copy of the policy for the game, with a hash table if so wanted."""
    policy = copy.deepcopy(policy)
    if hashed:
        game.codes = 0
    return prepared(policy, game)


@pytest.mark.parametrize("cls", LEARNING)
@pytest.mark.parametrize("selection", ["gibbs", "greedy"])
def test_compiled_is_plain(cls, selection):
    """Games by the policy, learning on the way: the same bytes in all of its arrays."""
    game = load_game("dotsandboxes:2x2,players=3")
    forms = []
    for form in (play_games, play_games.py_func):
        policy = cls(selection=selection, **({"V": 2} if "V" in cls.fields else {}))
        for _ in range(2):
            played(policy, game, 20, form=form)
            policy.next_search()
        forms.append(policy)
    assert_same(*forms)


SEARCHES = {
    "tictactoe": "uct:playout=ppa",
    "connectfour:5x4": "uct:playout=nst,V=3,decay=0.5",
    "breakthrough:5x5": "uct:playout=ppaf,update=payoff",
    "dotsandboxes:2x2": "uct:playout=nppa,V=2",
    "dotsandboxes:2x2,players=3": "uct:playout=mast,selection=gibbs,discount=0.98",
    "atarigo:5x5": "uct:playout=heuristic,epsilon=0.2",
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name):
    """Whole games through a session: legal, with memory, the same for the same seed."""
    game, algorithm = load_game(name), TreeSearch.parse(SEARCHES[name])
    games = []
    for seed in (1, 1, 2):
        session = TreeSession(game, algorithm, seed=seed)
        session.set_position()
        played, visits = [], []
        for _ in range(4):
            result = session.run(po.Playouts(150))
            played.append(result.move)
            visits.append([move.visits for move in result.moves])
            session.advance(result.record)
        games.append((played, visits))
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_the_hash_default_code_with_three_players_and_turns_out_of_order():
    """A game that says nothing of codes, whose player 2 moves twice in a row."""
    game = Script([[1, 2, 3]] * 6, turns=[0, 1, 2, 2, 0, 1, 0], payoffs=(0.0, 0.0, 1.0), codes=0)
    result = po.search(game, TreeSearch.parse("uct:playout=ppa"), po.Playouts(300), seed=1)
    assert result.simulations == 300
    assert all(move.value == 0.0 for move in result.moves)


class TestStrength:
    """Learning finds what there is to find."""

    @pytest.mark.parametrize("text", ["mast", "nst", "ppa", "nppa", "ppaf"])
    def test_the_good_code_is_learnt(self, text):
        game = Beacon()
        policy = played(TreeSearch.parse(f"uct:playout={text}").playout, game, 200)
        counts = np.zeros(4, np.int64)
        with np.errstate(over="ignore"):
            policy.begin()
            choose_often.py_func(
                policy, game, game.root(), game.new_moves(), rng_of(2), counts, 500
            )
        assert counts[2] > 250


class Beacon(po.Game):
    """One move each; the first player wins by move 2, the second is helpless."""

    codes = 4
    kinds = 2

    def __init__(self):
        self.max_moves, self.max_length = 4, 2
        self.state_type = po.record(step="i8", first="i8")
        self.move_type = po.record(number="i8")

    def reset(self, state):
        state.step = 0

    def moves(self, state, moves):
        for i in range(4):
            moves[i].number = i
        return 4 if state.step < 2 else 0

    def play(self, state, move):
        if state.step == 0:
            state.first = move.number
        state.step += 1

    def turn(self, state):
        return state.step

    def reward(self, state, player):
        return 1.0 * ((state.first == 2) == (player == 0))

    def code(self, state, move):
        return move.number

    def features(self, state, move):
        return state.step % 2


BAD = [
    ("mast,epsilon=1.5", "epsilon=1.5: a number from 0 to 1"),
    ("mast,epsilon=x", "epsilon=x: a number, or none"),
    ("mast,tau=1", "tau=1.0: tau belongs to selection=gibbs"),
    ("mast,selection=gibbs,epsilon=0.1", "epsilon=0.1: epsilon belongs to selection=greedy"),
    ("mast,selection=gibbs,tau=0", "tau=0.0: a number of at least 0.01"),
    ("mast,decay=2", "decay=2.0: a number from 0 to 1"),
    ("mast,selection=best", "selection=best: one of greedy, gibbs"),
    ("mast,table=1", "table=1: a whole number from 16 to 4194304"),
    ("nst,L=0", "L=0: a whole number from 1 to 8"),
    ("nst,V=-1", "V=-1.0: a number of at least 0"),
    ("nst,grams=2", "grams=2: a whole number from 16"),
    ("ppa,alpha=-0.1", "alpha=-0.1: a number of at least 0"),
    ("ppa,update=all", "update=all: one of payoff, winner"),
    ("ppa,epsilon=0.4", "epsilon=0.4: epsilon belongs to selection=greedy"),
    ("ppa,memory=false,decay=0.5", "decay=0.5: memory=false forgets all, leave decay out"),
    ("ppa,discount=1.1", "discount=1.1: a number from 0 to 1"),
    ("ppa,L=3", "there is no option 'L'"),
    ("heuristic,epsilon=2", "epsilon=2.0: a number from 0 to 1"),
    ("heuristic,selection=greedy,tau=2", "tau=2.0: tau belongs to selection=gibbs"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_bad_options(text, says):
    with pytest.raises(OptionError) as error:
        TreeSearch.parse(f"uct:playout={text}")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_options_in_python():
    for make, says in (
        (lambda: MAST(selection="both"), "selection='both': one of gibbs, greedy"),
        (lambda: MAST(decay=True), "decay=True: a number from 0 to 1"),
        (lambda: NST(L=2.5), "L=2.5: a whole number"),
        (lambda: PPA(alpha=math.inf), "alpha=inf: a number of at least 0"),
        (lambda: PPA(alpha=math.nan), "alpha=nan: a number of at least 0"),
    ):
        with pytest.raises(OptionError) as error:
            make()
        assert says in str(error.value)


def test_a_user_may_take_a_policy_as_a_pattern(tmp_path: Path):
    """The text of a built-in policy in a file of one's own plays the same games."""
    text = Path(po.__file__).with_name("gametree") / "playouts" / "mast.py"
    (tmp_path / "own.py").write_text(text.read_text().replace("class MAST", "class Own"))
    game = load_game("tictactoe")
    stop = po.Playouts(200)
    own = po.search(game, TreeSearch.parse(f"uct:playout={tmp_path}/own.py:Own"), stop, seed=4)
    built_in = po.search(game, TreeSearch.parse("uct:playout=mast"), stop, seed=4)
    assert [m.visits for m in own.moves] == [m.visits for m in built_in.moves]


def test_all_are_registered():
    assert set(PLAYOUT_POLICIES) == {
        "uniform", "mast", "nst", "ppa", "ppaf", "nppa", "heuristic"
    }  # fmt: skip
