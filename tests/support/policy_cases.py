"""Playout policies to test: a game by script, simulations by hand, and what was learnt."""

from __future__ import annotations

import numpy as np

import playout as po
from playout.compiled import kernel
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.nppa import NPPA
from playout.gametree.playout_policies.nst import NST
from playout.gametree.playout_policies.ppa import PPA, PPAF

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


class Together(Script):
    """The same with steps of several choices: `concealed` are those made before each choice."""

    fields = (*Script.fields, "choices")
    simultaneous = True

    def __init__(self, offers, turns, concealed, payoffs):
        super().__init__(offers, [*turns, 0], payoffs)
        self.choices = np.array([*concealed, 0])

    def concealed(self, state):
        return self.choices[state.step]


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
        form(
            policy,
            game,
            game.root(),
            game.root(),
            game.new_moves(),
            rng_of(seed),
            np.zeros(game.players),
            times,
        )
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
        return policy.slot(game, game.root()[0], moves[0], mover, False)


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
