"""The example with two objectives: its front is one, and near the whole front of a small case."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from pareto import Items, front, pareto


def test_the_front_of_eight_items():
    items = Items(items=8, seed=3)
    points = []
    for chosen in itertools.product((0, 1), repeat=8):
        taken = np.array(chosen)
        if (taken * items.size).sum() <= items.room:
            points.append((int(taken @ items.value), int(taken @ items.pollution)))
    whole = front(points)
    found = pareto(
        [0.0, 0.3, 0.6], "random", playouts=400, keep=40, items=8, seed=3, compiled=False
    )
    assert found == sorted(found)
    assert [point[1] for point in found] == sorted(point[1] for point in found)
    assert set(found) <= set(points)
    assert len(set(found) & set(whole)) >= 0.8 * len(whole)
