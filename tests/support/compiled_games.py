"""A game's compiled rules at work: beside the naive rules, and over all games from the start."""

from __future__ import annotations

import numpy as np

from playout.compiled import kernel
from playout.compiled.random import random_below


@kernel
def _look(game, states, moves, rewards):
    """The number of moves, whose turn it is; the rewards if it is the end."""
    n = game.moves(states[0], moves)
    if n == 0:
        for player in range(len(rewards)):
            rewards[player] = game.reward(states[0], player)
    return n, game.turn(states[0])


@kernel
def _play(game, states, move):
    game.play(states[0], move[0])


def compare(game, naive, seed):
    """Play a random game by both, compiled, and compare after each move; the rewards.

    Legal moves, whose turn it is, the position and at the end the rewards must be the same.
    """
    rng = np.random.default_rng(seed)
    states, position = game.root(), naive.start()
    moves, rewards = game.new_moves(), np.zeros(game.players)
    while True:
        n, turn = _look(game, states, moves, rewards)
        state, after = states[0], naive.moves(position)
        texts = {game.move_text(state, moves[i]): i for i in range(n)}
        assert sorted(texts) == sorted(after)
        assert game.position_text(state) == naive.line(position)
        if n == 0:
            assert rewards.tolist() == list(naive.result(position))
            return rewards.tolist()
        assert turn == position[1]
        text = sorted(texts)[rng.integers(n)]
        _play(game, states, moves[texts[text] : texts[text] + 1].copy())
        position = after[text]


@kernel
def _all_games(game, states, moves, ahead, at, best, rewards):
    """Walk through the whole tree; best[0] is what each gets when all make the most of it."""
    level, games, longest = 0, 0, 0
    ahead[0] = game.moves(states[0], moves[0])
    players = len(rewards)
    while True:
        if ahead[level] == 0:
            games += 1
            longest = max(longest, level)
            for player in range(players):
                best[level, player] = game.reward(states[level], player)
                rewards[player] += best[level, player]
        elif at[level] < ahead[level]:
            states[level + 1] = states[level]
            game.play(states[level + 1], moves[level, at[level]])
            at[level] += 1
            level += 1
            ahead[level] = game.moves(states[level], moves[level])
            at[level] = 0
            continue
        if level == 0:
            return games, longest
        level -= 1
        mover = game.turn(states[level])
        if at[level] == 1 or best[level + 1, mover] > best[level, mover]:
            best[level] = best[level + 1]


def all_games(game, start=None):
    """All games from a position on: how many and the longest, the sums of the rewards, the best.

    The last is what each player gets when each makes the most of it.
    """
    room = game.max_length + 1
    states, rewards = game.new_states(room + 1), np.zeros(game.players)
    states[0] = (game.root() if start is None else start)[0]
    moves, best = np.zeros((room, game.max_moves), game.move_type), np.zeros((room, game.players))
    ahead, at = np.zeros((2, room), np.int64)
    counts = _all_games(game, states, moves, ahead, at, best, rewards)
    return counts, rewards.tolist(), best[0].tolist()


def key_of(game, states):
    """The key of a state, in an array of one, in plain Python."""
    with np.errstate(over="ignore"):
        return int(game.key(states[0]))


@kernel
def _random_game(game, states, moves, rng):
    """Play a game at random, keeping all states; the number of moves."""
    length = 0
    game.reset(states[0])
    while True:
        n = game.moves(states[length], moves)
        if n == 0:
            return length
        states[length + 1] = states[length]
        length += 1
        game.play(states[length], moves[random_below(rng, n)])


def random_game(game, seed):
    """All states of a random game, played by compiled code."""
    states = game.new_states(game.max_length + 1)
    rng = np.array([seed], np.uint64)
    return states[: _random_game(game, states, game.new_moves(), rng) + 1]
