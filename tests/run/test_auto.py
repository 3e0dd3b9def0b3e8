"""auto: what one setting has found in the race, it finds alone with the same seed."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import playout as po
import playout.run.auto
from tests.support.tiny_tree import TinyTree

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("problem", [PROBLEM, "maximum:n=9"])
def test_the_finder_alone_finds_the_same(problem, seed):
    raced = po.solve(problem, "auto", po.Playouts(300), seed=seed, compiled=False)
    alone = po.solve(
        problem, raced.found_by, po.Playouts(raced.found_at), seed=seed, compiled=False
    )
    assert (alone.score, alone.records) == (raced.score, raced.records)
    assert alone.curve[-1][1] == raced.found_at  # and not before


def test_more_than_one_setting_is_tried_and_can_find_it():
    found = {
        po.solve(PROBLEM, "auto", po.Playouts(120), seed=seed, compiled=False).found_by
        for seed in range(1, 13)
    }
    assert len(found) > 1


def test_the_example_of_its_docstring():
    failed, tried = doctest.testmod(playout.run.auto, optionflags=doctest.ELLIPSIS)
    assert (failed, tried) == (0, 3)
