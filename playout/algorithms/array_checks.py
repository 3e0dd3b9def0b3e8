"""What arrays from a file must be before compiled code, which checks no index, works with them.

A search says in its `check_arrays` what its arrays must be, by the functions here; ValueError where
they are not. Positions are never taken from a file: they are played again, move by move, by the
rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from playout.compiled import helper, kernel, same_record, wrapping
from playout.contract import Game, most_moves, room_for_moves

LARGEST_COUNT = 1 << 60  # of anything that is counted up: it must not overflow


def need(is_so: Any, what: str) -> None:
    """ValueError if something is not as it must be."""
    if not is_so:
        raise ValueError(what)


def within(values: Any, low: Any, high: Any, what: str) -> None:
    """ValueError unless all values are from `low` to `high`; NaN never is."""
    values = np.asarray(values)
    need(((values >= low) & (values <= high)).all(), f"{what} out of range")


def same_shapes(
    arrays: Mapping[str, np.ndarray], fresh: Mapping[str, np.ndarray], growing: Mapping[str, int]
) -> None:
    """ValueError unless shapes are as in a fresh search, but for the axis on which one may grow."""
    for name, array in arrays.items():
        shapes = list(array.shape), list(fresh[name].shape)
        if name in growing:
            grown, least = (shape.pop(growing[name]) for shape in shapes)
            need(grown >= least, f"{name} is too small")
        need(shapes[0] == shapes[1], f"{name} has another shape")


def is_partition(parts: list[np.ndarray], size: int) -> bool:
    """Whether numbers are those from 0 to before `size`, each once.

    >>> is_partition([np.array([2, 0]), np.array([1])], 3)
    True
    >>> is_partition([np.array([2, 0]), np.array([2])], 3)
    False
    """
    return np.array_equal(np.sort(np.concatenate(parts)), np.arange(size))


class Line:
    """A game that is played again by the rules, from a position that is known to be right."""

    def __init__(self, game: Game, root: np.ndarray, compiled: bool) -> None:
        self._game = game
        self._play = play_legal if compiled else play_legal.py_func
        self.state = root.copy()
        self.moves = np.zeros(room_for_moves(game.max_moves), game.move_type)
        self.count = self.play(np.zeros(0, game.move_type))

    def play(self, sequence: np.ndarray) -> int:
        """Play more moves, ValueError if one is not legal; how many moves there are then."""
        with wrapping():
            self.count = int(self._play(self._game, self.state, self.moves, sequence))
        need(self.count >= 0, "a move that is not legal")
        return self.count


def whole_game(game: Game, root: np.ndarray, sequence: np.ndarray, compiled: bool) -> None:
    """ValueError unless moves are those of a whole game."""
    need(Line(game, root, compiled).play(sequence) == 0, "a game that is not over")


def check_tree(
    game: Game, root: np.ndarray, first: Any, count: Any, moves: Any, room: int, compiled: bool
) -> None:
    """ValueError unless a tree of moves is one, and each move is legal where it is.

    Every node but the root, node 0, is the child of one node before it; the children of a node lie
    side by side from `first`. `room`: the moves that a game has left, at most.
    """
    first, count = np.asarray(first, np.int64), np.asarray(count, np.int64)
    used = len(count)
    within(count, 0, used, "a node's children")
    inner = np.flatnonzero(count)
    begins = first[inner]
    need((begins > inner).all() and (begins <= used).all(), "a node before its parent")
    order = np.argsort(begins)
    ends = (begins + count[inner])[order]
    bounds = np.concatenate([[1], ends])
    need(np.array_equal(bounds[:-1], begins[order]) and bounds[-1] == used, "nodes out of place")
    if len(inner) == 0:
        return
    need(room > 0, "a tree below the end of the game")
    states = game.new_states(room)
    states[0] = root[0]
    listed = np.zeros(room_for_moves(game.max_moves), game.move_type)
    path = np.zeros((2, room), np.int64)
    check = tree_is_legal if compiled else tree_is_legal.py_func
    with wrapping():
        legal = check(game, states, listed, first, count, np.ascontiguousarray(moves), path)
    need(legal, "a move in the tree that is not legal")


@helper
def is_among(moves, n, move):
    """Whether a move is one of the first n."""
    found = False
    for i in range(n):
        found |= same_record(moves[i], move)
    return found


@kernel
def play_legal(game, states, moves, sequence):
    """Play moves from a position; how many there are at the end, -1 if one is not legal."""
    state = states[0]
    for i in range(len(sequence) + 1):
        n = game.moves(state, moves)
        if n < 0 or n > most_moves(moves):
            return -1
        if i == len(sequence):
            return n
        if not is_among(moves, n, sequence[i]):
            return -1
        game.play(state, sequence[i])
    return -1


@helper
def children_are_legal(game, state, listed, first, count, moves):
    n = game.moves(state, listed)
    if n < count or n > most_moves(listed):
        return False
    legal = True
    for i in range(count):
        legal &= is_among(listed, n, moves[first + i])
    return legal


@kernel
def tree_is_legal(game, states, listed, first, count, moves, path):
    """Whether each move in a tree is legal where it is; `path`: nodes, and children gone through.

    Depth first, with the positions from the root to the node in `states`.
    """
    depth = 0
    path[0, 0] = 0
    path[1, 0] = 0
    if not children_are_legal(game, states[0], listed, first[0], count[0], moves):
        return False
    while depth >= 0:
        node = path[0, depth]
        if path[1, depth] == count[node]:
            depth -= 1
            continue
        child = first[node] + path[1, depth]
        path[1, depth] += 1
        if count[child] == 0:
            continue
        if depth + 1 == len(states):
            return False
        states[depth + 1] = states[depth]
        game.play(states[depth + 1], moves[child])
        depth += 1
        path[0, depth] = child
        path[1, depth] = 0
        if not children_are_legal(game, states[depth], listed, first[child], count[child], moves):
            return False
    return True
