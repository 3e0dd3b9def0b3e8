"""What Policy-MCTS counts: expansions of nodes and of ends, also after a checkpoint."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from tests.support.tiny_tree import TinyTree, chain

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


def counted(problem, playouts, *, compiled=False, workers=1, parallel="root", **options):
    """Expansions and leaf expansions."""
    algorithm = PolicyMCTS(model="uniform", **{"tree": "game", **options})
    stop = po.Playouts(playouts)
    result = po.solve(
        problem, algorithm, stop, seed=1, compiled=compiled, workers=workers, parallel=parallel
    )
    assert list(result.counters) == ["expansions", "leaf_expansions"]
    return tuple(result.counters.values())


def test_expansions_of_a_chain_one_by_one():
    # the start, the position after a move, and the end, to which all later playouts come again
    assert [counted(chain(2), n) for n in (1, 2, 3, 4, 9)] == [
        (1, 0),
        (2, 0),
        (3, 1),
        (3, 1),
        (3, 1),
    ]
    # three playouts at once that meet at a leaf expand it once
    assert [counted(chain(2), 3 * n, leaves=3) for n in (1, 2, 3, 4)] == [
        (1, 0),
        (2, 0),
        (3, 1),
        (3, 1),
    ]
    assert counted(chain(0), 5) == (1, 1)
    # each game has a tree of its own, whose root is the end
    assert counted(chain(0), 5, tree="move") == (5, 5)


def test_expansions_of_a_whole_tree():
    problem = TinyTree(np.arange(8.0), stop=0)  # three choices; the first branch ends the game
    assert counted(problem, 60) == (3 + 4, 4)
    whole = TinyTree(np.arange(4.0))
    for how in ({}, {"leaves": 5}, {"compiled": True}):
        assert counted(whole, 60, **how) == (3 + 4, 4)
    # a tree on each worker, or one that they share
    assert counted(whole, 120, compiled=True, workers=2) == (14, 8)
    assert counted(whole, 60, compiled=True, workers=2, parallel="leaf", leaves=5) == (7, 4)
    # room for the root and its moves: none of them is given its own
    assert counted(TinyTree(np.arange(27.0), branches=3), 60, nodes=4) == (1, 0)


def test_no_playout_goes_where_all_games_have_been_played():
    problem = TinyTree(np.arange(8.0))  # seven choices and eight ends
    assert counted(problem, 15) == (15, 8)
    assert counted(problem, 15, revisit=True)[0] < 15
    # when the tree is known the game is over, and another begins with a tree of its own
    assert counted(problem, 60, tree="move", simulations=1000) == (60, 32)
    assert counted(problem, 60, tree="move")[0] == 60


def test_a_checkpoint_keeps_what_was_counted(tmp_path):
    path = tmp_path / "c.npz"
    algorithm = PolicyMCTS(model="uniform", tree="game")
    for playouts, expected in ((2, (2, 0)), (4, (3, 1))):
        result = po.solve(
            chain(2), algorithm, po.Playouts(playouts), seed=1, compiled=False, checkpoint=path
        )
        assert tuple(result.counters.values()) == expected
    assert "expansions 3, leaf expansions 1" in str(result)
    result.save(tmp_path / "r.json")
    assert po.Result.load(tmp_path / "r.json").counters == result.counters
