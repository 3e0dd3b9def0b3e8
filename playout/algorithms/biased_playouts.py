"""Random playouts that follow the problem's bias: the `bias` option of algorithms without policy.

A move is drawn with probability proportional to exp(bias), as GNRPA draws from an empty policy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.algorithms.polish import Polishing
from playout.algorithms.search import BAD_BIAS, Search, moves_to_play
from playout.compiled.maths import SUM_OF_NONSENSE, exp
from playout.compiled.random import random_unit


class BiasedPlayouts(Search):
    """Mixed into a search: playouts are drawn by the bias."""

    def roll(self, problem, slot, length):
        state, moves, rng = self.states[slot], self.moves[slot], self.rng[slot : slot + 1]
        sequence = self.sequences[self.row(slot)]
        while True:
            n = moves_to_play(problem, state, moves, sequence, length)
            if n <= 0:
                return length if n == 0 else n
            # not a method of its own, which costs half of the speed where biases are simple
            most, total = -np.inf, 0.0
            for m in range(n):
                most = max(most, np.float64(problem.bias(state, moves[m])))
            for m in range(n):
                total += exp(np.float64(problem.bias(state, moves[m])) - most)
            if total > SUM_OF_NONSENSE:
                return BAD_BIAS
            left = random_unit(rng) * total
            k = 0
            while k < n - 1:
                left -= exp(np.float64(problem.bias(state, moves[k])) - most)
                if left < 0.0:
                    break
                k += 1
            sequence[length] = moves[k]
            length += 1
            problem.play(state, moves[k])


def playout_mixins(algorithm: Any) -> list[type]:
    """What the options `polish` and `bias` mix into a search."""
    polishing, biased = [Polishing] * algorithm.polish, [BiasedPlayouts] * algorithm.bias
    return [*polishing, *biased]
