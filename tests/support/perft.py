"""How many positions a game's tree has at each depth, counted by compiled code."""

from __future__ import annotations

import numpy as np

from playout.compiled import kernel


@kernel
def _count(game, states, moves, ahead, at, depth, totals):
    level = 0
    ahead[0] = game.moves(states[0], moves[0])
    at[0] = 0
    while level >= 0:
        if at[level] == ahead[level]:
            level -= 1
            continue
        states[level + 1] = states[level]
        game.play(states[level + 1], moves[level, at[level]])
        at[level] += 1
        totals[level] += 1
        if level + 1 < depth:
            level += 1
            ahead[level] = game.moves(states[level], moves[level])
            at[level] = 0


def perft(game, depth, start=None):
    """The numbers of sequences of 1, 2, ..., `depth` moves."""
    states = game.new_states(depth + 1)
    states[0] = (game.root() if start is None else start)[0]
    moves = np.zeros((depth, game.max_moves), game.move_type)
    totals = np.zeros(depth, np.int64)
    _count(game, states, moves, np.zeros(depth, np.int64), np.zeros(depth, np.int64), depth, totals)
    return totals.tolist()


def naive_perft(game, depth):
    """The same by the naive rules."""
    totals, positions = [], [game.start()]
    for _ in range(depth):
        positions = [after for position in positions for after in game.moves(position).values()]
        totals.append(len(positions))
    return totals
