"""Morpion Solitaire keeps its legal moves from move to move: they are those of all lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from playout.contract import Problem
from playout.text.user_files import load_class

ROOT = Path(__file__).parents[1]
SIDE, LINE = 30, 5


def lines_that_lack_a_point(state):
    """Every line of five with four points, none of which a line of its direction has."""
    found = set()
    for direction, step in enumerate((1, SIDE, SIDE + 1, SIDE - 1)):
        for first in range(4 * SIDE, SIDE * SIDE - 4 * SIDE - 4):
            cells = [first + k * step for k in range(LINE)]
            empty = [k for k in range(LINE) if not state.point[cells[k]]]
            if len(empty) == 1 and not any(state.used[direction, cell] for cell in cells):
                found.add((first, direction, empty[0]))
    return found


@pytest.fixture(scope="module")
def morpion():
    return load_class(f"{ROOT}/examples/morpion.py:Morpion", Problem)()


@pytest.mark.parametrize("seed", range(5))
def test_moves_are_those_of_all_lines(morpion, seed):
    rng = np.random.default_rng(seed)
    state = morpion.root()[0]
    moves = morpion.new_moves()
    while (n := morpion.moves(state, moves)) > 0:
        listed = [tuple(int(moves[k][name]) for name in moves.dtype.names) for k in range(n)]
        assert len(set(listed)) == n
        assert set(listed) == lines_that_lack_a_point(state)
        morpion.play(state, moves[int(rng.integers(n))])
    assert not lines_that_lack_a_point(state)
    assert state.lines >= 20
