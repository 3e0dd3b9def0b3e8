"""One tree for several workers: its sums are exact, its arrays sound, whoever added."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import playout as po
from playout.compiled import kernel
from playout.compiled.atomics import fetch_add, give_way, raise_to
from playout.games import load_game
from playout.gametree.parallel_schemes import new_tree
from playout.gametree.shared_counters import EDGE_BLOCK, NODE_BLOCK, take_edges, take_node
from playout.gametree.simulate import recompute
from playout.gametree.tree_arrays import (
    EDGES,
    FULL,
    LEAF,
    NODES,
    OPEN,
    SIMULATIONS,
    SLOT,
    UNIT,
)
from tests.support.forms import long
from tests.support.tree_cases import edges_at, one_box, root_visits, session_of


@pytest.fixture(scope="module")
def game():
    return load_game("tictactoe")


@pytest.fixture(scope="module")
def box():
    return one_box()


def check_sound(session, simulations):
    """All that must hold of a tree in which threads were at work, to the last visit."""
    tree = session.tree
    root = int(tree.head[0].root)
    graph, players = int(tree.head[0].graph), session.game.players
    assert root_visits(tree).sum() == simulations
    assert tree.visits[root] == simulations
    assert int(tree.counters[SIMULATIONS]) == simulations
    assert not tree.edge_loss.any()
    nodes, edges = int(tree.counters[NODES]), int(tree.counters[EDGES])
    assert 1 < nodes <= len(tree.status)
    assert 0 < edges <= len(tree.child)
    taken = np.zeros(len(tree.child), np.int64)
    for node in range(1, nodes):
        assert tree.status[node] in (LEAF, OPEN, 3)
        if graph:  # the players' rewards add up to 1 in these games
            assert tree.totals[node, :players].sum() == tree.visits[node] * int(UNIT)
        if tree.status[node] != OPEN:
            continue
        own = edges_at(tree, node)
        taken[own] += 1
        assert tree.visits[node] >= tree.edge_visits[own].sum()
        for edge in own:
            child = int(tree.child[edge])
            assert 0 <= child < nodes
            assert 0 <= tree.edge_totals[edge] <= tree.edge_visits[edge] * int(UNIT)
            if child and not graph:
                assert tree.visits[child] <= tree.edge_visits[edge]
    assert taken.max() == 1  # no edge belongs to two nodes
    if graph:
        used = tree.table[tree.table > 0]
        assert len(np.unique(tree.keys[used])) == len(used)  # no position has two nodes
        assert len(used) == tree.nodes_used()


@pytest.mark.long
class TestTree:
    @pytest.mark.parametrize(
        "text",
        [
            "uct",
            "uct:graph=uct3",
            "uct:graph=uct2,symmetry=true",
            "uct:general_loss=true,loss=0.1",
            "uct:graph=uct1,nodes=200",
            "uct:nodes=60",
            long("uct:backup=mixmax,graph=uct2"),
        ],
    )
    def test_sums_are_exact(self, game, text):
        """Eight threads in a small tree, at the same few nodes all the time."""
        session = session_of(game, text, 8)
        result = session.run(po.Playouts(60_000))
        assert (result.simulations, result.workers) == (60_000, 8)
        assert sum(move.visits for move in result.moves) == 60_000
        check_sound(session, 60_000)
        most = session.algorithm.options.nodes
        assert result.nodes <= most
        if most < 1000:
            assert result.full
        assert result.move == "b2"

    @pytest.mark.long
    def test_a_tiny_graph(self, box):
        """Sixteen positions and twelve threads."""
        apart = []
        for seed in range(5):
            session = session_of(box, "uct:graph=uct3", 12, 20_000, seed)
            check_sound(session, 20_000)
            tree = session.tree
            used, root = tree.table[tree.table > 0], int(tree.head[0].root)
            found = tree.values[root].copy()
            # threads write a node's values one after another, so the last of them may be from
            # counts of a moment before, or of long before if it was kept from its core: made again
            # from the sums, level by level, they are exact
            for _ in range(5):
                for node in used:
                    recompute(tree, int(node))
            assert tree.values[used].sum(axis=1) == pytest.approx(1.0)
            apart.append(np.abs(found - tree.values[root]).max())
        assert np.median(apart) < 0.02

    def test_proofs_of_several_threads(self, game):
        # with a small C a move that is proven to draw keeps the others from being looked at
        session = session_of(game, "uct:C=3,solver=true,graph=uct2,symmetry=true", 6)
        result = session.run(po.Playouts(300_000))
        assert (result.proven, result.value) == (True, 0.5)
        assert set(np.unique(session.tree.proof)) <= {0, 1}

    @pytest.mark.long
    def test_amaf_of_several_threads(self, game):
        session = session_of(game, "rave:nodes=1000", 6, 20_000)
        tree = session.tree
        keys = tree.amaf_keys[tree.amaf_keys != 0]
        assert (keys % 2 == 1).all()  # none was left half made
        assert len(np.unique(keys)) == len(keys)
        assert (tree.amaf_visits[tree.amaf_keys != 0] <= 20_000).all()
        assert root_visits(tree).sum() == 20_000

    def test_a_whole_game_with_the_tree_kept(self, game):
        session = session_of(game, "uct", 4)
        state, before = game.root(), 0
        while game.moves(state[0], game.new_moves()):
            result = session.run(po.Playouts(2000))
            assert sum(move.visits for move in result.moves) == before + 2000
            session.play(result.record)
            game.play(state[0], result.record)
            root = int(session.tree.head[0].root)
            before = int(session.tree.edge_visits[list(edges_at(session.tree, root))].sum())
        assert game.reward(state[0], 0) == 0.5

    def test_the_highest_reward_is_not_lost(self):
        top = np.zeros(1)
        at_once(4, lambda n: raise_often(top, np.arange(n, 40_000, 4, np.float64)))
        assert top[0] == 39_999.0

    def test_no_edge_and_no_node_is_given_twice(self, game):
        """Threads ask for more and more, in lots of all sizes, long after there is no room."""
        tree = new_tree(game, po.TreeSearch("uct", nodes=1000), 8, shared=True)
        tree.counters[NODES] = 1
        nodes, edges = np.zeros(len(tree.status), np.int64), np.zeros(len(tree.child), np.int64)
        at_once(8, lambda n: ask_for_room(tree, n * SLOT, nodes, edges))
        assert tree.counters[FULL]
        assert nodes[0] == 0
        assert (nodes[1:] == 1).all()
        assert edges.max() == 1
        assert (edges == 0).sum() < len(edges) / 8  # the ends of blocks are lost
        assert tree.counters[NODES] <= len(nodes)
        assert tree.counters[EDGES] <= len(edges)

    def test_threads_put_nodes_and_edges_by_in_blocks(self, game):
        """So that the counters are asked rarely, and no two threads write to one cache line."""
        tree = new_tree(game, po.TreeSearch("uct", nodes=300_000), 2, shared=True)
        nodes, edges = np.zeros(len(tree.status), np.int64), np.zeros(len(tree.child), np.int64)
        before = tree.counters.copy()
        ask_for_room(tree, 0, nodes, edges)
        assert nodes.sum() == 4000
        for counter, block in ((NODES, NODE_BLOCK), (EDGES, EDGE_BLOCK)):
            taken = int(tree.counters[counter] - before[counter])
            assert taken > 0
            assert taken % block == 0


def at_once(threads, body):
    """Run a body in several threads, each with its number."""
    running = [threading.Thread(target=body, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


@kernel
def raise_often(top, values):
    for value in values:
        raise_to(top, 0, value)
        give_way()


@kernel
def ask_for_room(tree, slot, nodes, edges):
    for i in range(4000):
        node = take_node(tree, slot)
        if node >= 0:
            fetch_add(nodes, node, 1)
        n = 1 + (i * 7 + slot) % 9
        first = take_edges(tree, slot, n)
        for edge in range(first, first + n if first >= 0 else first):
            fetch_add(edges, edge, 1)
