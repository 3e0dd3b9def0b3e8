"""A problem's two forms compared: the same random playouts, compiled and in plain Python."""

from __future__ import annotations

import numpy as np

from playout.algorithms.random_search import Random
from playout.algorithms.search import FINE, step
from playout.contract import Problem


def random_game(problem: Problem, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The moves of one random game in plain Python, and its final state in an array of one."""
    rng = np.random.default_rng(seed)
    states, legal, played = problem.root(), problem.new_moves(), []
    with np.errstate(over="ignore"):
        while n := problem.moves(states[0], legal):
            move = legal[rng.integers(n)].copy()
            played.append(move)
            problem.play(states[0], move)
    moves = np.zeros(len(played), problem.move_type)
    for i, move in enumerate(played):
        moves[i] = move
    return moves, states


def assert_compiled_is_plain(problem: Problem, playouts: int = 20) -> None:
    """Play at random both ways: the same best score and moves, and `verify` agrees."""
    compiled, plain = Random().start(problem, 7), Random().start(problem, 7)
    assert step(compiled, problem, playouts) == FINE
    with np.errstate(over="ignore"):
        assert step.py_func(plain, problem, playouts) == FINE
    assert compiled.head[0].best_score == plain.head[0].best_score
    assert compiled.best_moves().tobytes() == plain.best_moves().tobytes()
    assert compiled.states.tobytes() == plain.states.tobytes()
    assert problem.verify(compiled.best_moves()) == compiled.head[0].best_score
