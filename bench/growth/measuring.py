"""What the subjects share: playouts a CPU second of a search, choices of a playout, exponents."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.compiled import wrapping
from playout.contract import Problem
from playout.run.hands import Worker
from playout.run.steps import make_step

SECONDS = 0.7  # of CPU time, at least, for a rate

Figures = dict[str, Any]


def search_figures(problem: Problem, algorithm: Algorithm) -> Figures:
    """Playouts a CPU second of a search that has begun, its best score, and its arrays."""
    with wrapping():
        worker = Worker(algorithm.start(problem, 1), make_step(problem, True), None)
        worker.step(0)
        worker.step(1)
        n = 1
        while True:
            start = time.thread_time()
            worker.step(n)
            spent = time.thread_time() - start
            if spent >= SECONDS:
                break
            n *= 2
    arrays = worker.search.arrays()
    return {
        "playouts/s": n / spent,
        "best": float(worker.search.head[0].best_score),
        "after": int(worker.search.head[0].playouts),
        "arrays MB": sum(array.nbytes for array in arrays.values()) / 1e6,
    }


def choices(problem: Problem, games: int = 2) -> tuple[float, float]:
    """Moves of a random game, and legal moves in all that were chosen from, in plain Python."""
    rng = random.Random(1)
    moves, played, legal = problem.new_moves(), 0, 0
    with wrapping():
        for _ in range(games):
            state = problem.root()[0]
            while n := int(problem.moves(state, moves)):
                problem.play(state, moves[rng.randrange(n)].copy())
                played, legal = played + 1, legal + n
    return played / games, legal / games


def exponent(sizes: list[float], values: list[float]) -> float:
    """b of values ~ sizes^b, by least squares on logarithms; NaN of fewer than two."""
    pairs = [(math.log(x), math.log(y)) for x, y in zip(sizes, values, strict=True) if y > 0]
    if len(pairs) < 2:
        return math.nan
    x, y = np.array(pairs).T
    return float(np.polyfit(x, y, 1)[0])
