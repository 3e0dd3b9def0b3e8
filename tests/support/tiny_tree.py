"""A small problem whose whole tree is known: a table of leaf scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.contract import Problem


class TinyTree(Problem):
    """Choose one of `branches` moves `depth` times; the leaf's number indexes `leaves`.

    `depth=0` has no move at all and `branches=1` no choice. `stop` is a branch that ends the game
    at once, for leaves at different depths (-1: none): the game then scores the leftmost leaf
    below.
    """

    fields = ("leaves", "branches", "depth", "stop")

    def __init__(self, leaves: Any, branches: int = 2, stop: int = -1) -> None:
        self.leaves = np.asarray(leaves, float)
        self.branches = branches
        self.depth = 0
        while branches > 1 and branches**self.depth < len(self.leaves):
            self.depth += 1
        self.stop = stop
        self.state_type = record(leaf="i8", played="i8", stopped="i8")
        self.move_type = record(branch="i8")
        self.max_moves = branches
        self.max_length = max(1, self.depth)

    def reset(self, state):
        state.leaf = 0

    def moves(self, state, moves):
        if state.played == self.depth or state.stopped:
            return 0
        for i in range(self.branches):
            moves[i].branch = i
        return self.branches

    def play(self, state, move):
        state.leaf = state.leaf * self.branches + move.branch
        state.played += 1
        if move.branch == self.stop:
            state.stopped = 1
            while state.played < self.depth:
                state.leaf *= self.branches
                state.played += 1

    def score(self, state):
        return self.leaves[state.leaf]


def chain(length: int, score: float = 7.0) -> TinyTree:
    """A game of `length` forced moves."""
    problem = TinyTree([score], branches=1)
    problem.depth = length
    problem.max_length = max(1, length)
    return problem


def branches_of(moves: Any) -> list[int]:
    return [int(move.branch) for move in moves]
