"""What tests of RNA have in common: skipping without ViennaRNA, moves of a sequence."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from playout.problems.inverse_folding.structure import BASES, PAIRS

needs_vienna = pytest.mark.skipif(
    importlib.util.find_spec("RNA") is None, reason="no ViennaRNA: pip install 'playout[rna]'"
)


def moves_of(problem, sequence):
    """The moves that lead to a sequence, in the problem's order."""
    moves = np.zeros(problem.sites, problem.move_type)
    for k, (i, j) in enumerate(zip(problem.first.tolist(), problem.second.tolist(), strict=True)):
        number = BASES.index(sequence[i]) if j < 0 else PAIRS.index(sequence[i] + sequence[j])
        moves[k] = (i, number)
    return moves


def finished(problem, sequence):
    """The finished state of a sequence, in an array of one, by `play`."""
    states = problem.root()
    for move in moves_of(problem, sequence):
        problem.play(states[0], move)
    return states
