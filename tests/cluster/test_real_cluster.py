"""A real cluster: the same bits as on threads, whatever becomes of the nodes."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.algorithms import ALGORITHMS
from tests.cluster.conftest import needs_ray

pytestmark = [
    pytest.mark.long,
    needs_ray,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning"),
]

QUICK = dict(seed=3, workers=2, compiled=False)


def bits(path: Path) -> dict[str, bytes]:
    """All that the searches of a checkpoint know."""
    with np.load(path) as archive:
        return {name: archive[name].tobytes() for name in archive.files if name != "header"}


def both(tmp_path, *what, meanwhile=None, **how):
    """A run on threads and one on nodes: equal in every byte."""
    here = po.solve(*what, checkpoint=tmp_path / "here", **how)
    if meanwhile is not None:
        threading.Thread(target=meanwhile, daemon=True).start()
    there = po.solve(*what, checkpoint=tmp_path / "there", cluster="auto", **how)
    assert (there.score, there.moves, there.playouts) == (here.score, here.moves, here.playouts)
    assert there.counters == here.counters
    assert [point[1:] for point in there.curve] == [point[1:] for point in here.curve]
    assert bits(tmp_path / "there") == bits(tmp_path / "here")
    return here, there


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "policy-mcts"])
def test_every_algorithm_is_the_same_bits(connected, tmp_path, name):
    both(tmp_path, "maximum:n=12", name, "150 playouts", **QUICK)
