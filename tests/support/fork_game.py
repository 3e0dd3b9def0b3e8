"""A game of two moves whose tree is known, and sessions of searches."""

from __future__ import annotations

import numpy as np

import playout as po
from playout.gametree.tree_session import TreeSession


class Fork(po.Game):
    """Two moves each: the tree has four ends, a1 b1 .. a2 b2, of given value to the first player.

    Both orders of a move of each kind lead to one position if `merge` is set.
    """

    fields = ("ends", "merge")

    def __init__(self, ends=(1.0, 0.0, 0.5, 0.25), merge: bool = False):
        self.ends = np.array(ends)
        self.merge = merge
        self.max_moves, self.max_length = 2, 2
        self.state_type = po.record(depth="i8", first="i8", second="i8")
        self.move_type = po.record(side="i8")

    def reset(self, state):
        pass

    def moves(self, state, moves):
        if state.depth == 2:
            return 0
        moves[0].side = 0
        moves[1].side = 1
        return 2

    def play(self, state, move):
        if state.depth == 0:
            state.first = move.side
        else:
            state.second = move.side
        state.depth += 1

    def turn(self, state):
        return state.depth % 2

    def key(self, state):
        if self.merge and state.depth == 2:
            return np.uint64(100 + state.first + state.second)
        return np.uint64(1 + state.depth * 4 + state.first * 2 + state.second)

    def reward(self, state, player):
        value = self.ends[state.first * 2 + state.second]
        return value if player == 0 else 1.0 - value


class Stakes(Fork):
    """Who loses pays."""

    outcomes = (-3.0, -1.0, 1.0, 3.0)

    def reward(self, state, player):
        value = self.ends[state.first * 2 + state.second]
        return value if player == 0 else -value


def session_of(game, text="uct", seed=1, simulations=0, compiled=True):
    session = TreeSession(game, po.TreeSearch.parse(text), seed=seed, compiled=compiled)
    session.set_position()
    if simulations:
        session.run(po.Playouts(simulations))
    return session
