"""A slow tree on nodes: the same figures as on threads, whatever becomes of the nodes."""

from __future__ import annotations

import pytest

import playout as po
from playout.cluster import node_slowtree
from tests.cluster.fake_ray import Crash, connect

SLOW = "uct:parallel=slow-tree,graph=uct3,levels=2,interval=20"


def figures(found):
    return [(row.move, row.visits, row.value) for row in found.moves], found.simulations


@pytest.fixture
def nodes(monkeypatch):
    return connect(monkeypatch)


def searched(playouts, workers=3, **how):
    return po.search("tictactoe", SLOW, f"{playouts} playouts", seed=5, workers=workers, **how)


@pytest.mark.long
@pytest.mark.parametrize("playouts", [40, 180, 501])
def test_it_is_the_slow_tree_on_threads(nodes, playouts):
    """Compiled here, interpreted there; with part of an interval, whole ones, and more."""
    here = searched(playouts)
    there = searched(playouts, cluster="auto", compiled=False)
    assert figures(there) == figures(here)
    assert (there.move, there.value, there.shared_bytes) == (
        here.move,
        here.value,
        here.shared_bytes,
    )
    assert sum(row.visits for row in there.moves) == playouts
    assert all(actor.dead for actor in nodes.actors)


@pytest.mark.long
def test_workers_meet_and_one_whose_node_died_does_its_part_again(nodes):
    how = dict(cluster="auto", compiled=False, workers=2)
    whole = searched(130, **how)
    assert whole.shared_bytes > 0
    assert sum(row.visits for row in whole.moves) == whole.simulations == 130
    for number in (3, 6, 11):
        nodes.join(f"later{number}")
        calls = [0]

        def before(actor, name, calls=calls, number=number):
            calls[0] += name == "go_on"
            if name == "go_on" and calls[0] == number:
                nodes.kill_node(actor.node)
                raise Crash

        nodes.before_call = before
        assert figures(searched(130, **how)) == figures(whole)
        assert calls[0] > number


def test_time_ends_it_for_all(nodes, monkeypatch):
    """A step that finds its time over is the last, whatever the others have made by then."""
    monkeypatch.setattr(node_slowtree, "STEP", 4)
    found = po.search(
        "tictactoe", SLOW, po.Seconds(1e-9), seed=5, workers=2, compiled=False, cluster="auto"
    )
    assert found.simulations == 8
    assert sum(row.visits for row in found.moves) == 8


@pytest.mark.long
def test_what_is_proven_ends_it_for_all(nodes):
    found = po.search(
        "tictactoe",
        f"{SLOW},solver=true",
        "100000 playouts",
        state="xx./oo./... x",
        seed=5,
        workers=2,
        compiled=False,
        cluster="auto",
    )
    assert (found.proven, found.move, found.value) == (True, "c3", 1.0)
    assert found.simulations < 1000
