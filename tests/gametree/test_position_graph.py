"""Positions met again are one node: values as UCT1, UCT2 and UCT3 say, and symmetries."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError
from playout.games import load_game
from playout.gametree.simulate import edge_value, recompute
from playout.gametree.tree_arrays import NODES, UNIT
from playout.gametree.tree_picture import tree_top
from tests.support.fork_game import Fork, session_of

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def fork():
    return Fork()


class TestGraph:
    """Positions met again: one node, and values as UCT1, UCT2 and UCT3 say."""

    @pytest.mark.long
    def test_one_node_for_one_position(self):
        merged = session_of(Fork(merge=True), "uct:graph=uct1", simulations=200)
        apart = session_of(Fork(merge=True), "uct", simulations=200)
        # root, two answers, and three ends (0, 1 and 2 sides of the second kind) instead of four
        assert int(merged.tree.counters[NODES]) - 1 == 6
        assert int(apart.tree.counters[NODES]) - 1 == 7

    def test_values_of_an_edge(self):
        session = session_of(Fork(merge=True), "uct:graph=uct3", simulations=60)
        tree = session.tree
        root = int(tree.head[0].root)
        edge = int(tree.first[root])
        child = int(tree.child[edge])
        own = tree.edge_totals[edge] / UNIT / tree.edge_visits[edge]
        tree.head[0].graph = 1
        assert edge_value(tree, edge, 0) == pytest.approx(own)
        tree.head[0].graph = 2
        assert edge_value(tree, edge, 0) == pytest.approx(
            tree.totals[child, 0] / UNIT / tree.visits[child]
        )
        tree.head[0].graph = 3
        assert edge_value(tree, edge, 0) == pytest.approx(tree.values[child, 0])

    def test_uct3_by_hand(self):
        """One playout from the node itself worth 1, two children of value 0.5 and 0.2, 3 and 1
        visits: (1 + 3 * 0.5 + 1 * 0.2) / 5."""
        session = session_of(Fork(), "uct:graph=uct3", simulations=30)
        tree = session.tree
        root = int(tree.head[0].root)
        first = int(tree.first[root])
        tree.visits[root] = 5
        tree.totals[root, 0] = int(5 * UNIT)  # the mean of its playouts is 1
        for edge, visits, value in ((first, 3, 0.5), (first + 1, 1, 0.2)):
            tree.edge_visits[edge] = visits
            tree.values[int(tree.child[edge]), 0] = value
        recompute(tree, root)
        assert tree.values[root, 0] == pytest.approx((1 + 3 * 0.5 + 0.2) / 5)

    @pytest.mark.parametrize("graph", ["uct1", "uct2", "uct3"])
    def test_every_kind_finds_the_value(self, graph):
        algorithm = po.TreeSearch("uct", graph=graph)
        result = po.search(Fork(), algorithm, po.Playouts(3000), seed=1)
        assert result.move == "1"

    def test_symmetry_needs_fewer_nodes_and_reports_all_moves(self):
        game = load_game("tictactoe")
        plain = session_of(game, "uct:graph=uct2", simulations=2000)
        small = session_of(game, "uct:graph=uct2,symmetry=true")
        result = small.run(po.Playouts(2000))
        assert small.tree.counters[NODES] < plain.tree.counters[NODES] / 2
        assert len(result.moves) == 9
        assert sum(move.visits for move in result.moves) == 2000
        assert result.move == "b2"

    def test_symmetry_shows_the_variation_and_keeps_the_graph(self):
        """The moves that it expects are those of the actual position, ply after ply."""
        game = load_game("tictactoe")
        session = session_of(game, "uct:graph=uct3,symmetry=true")
        state, kept = game.root(), 0
        for _ in range(5):
            result = session.run(po.Playouts(500))
            assert sum(move.visits for move in result.moves) == kept + 500
            assert len(result.variation) > 3 or game.moves(state[0], game.new_moves()) < 6
            after = state.copy()
            for text in result.variation:  # each is legal
                game.play(after[0], game.parse_move(after[0], text))
            top = tree_top(session, result, depth=2, width=9)
            behind = next(one for one in top if one.move == result.move)
            session.play(result.record)
            game.play(state[0], result.record)
            kept = sum(branch.visits for branch in behind.branches)
            assert kept > 50
            root = int(session.tree.head[0].root)
            with np.errstate(over="ignore"):
                assert game.key(session.tree.root_state[0]) == session.tree.keys[root]

    def test_symmetry_of_a_game_without(self, fork):
        with pytest.raises(OptionError, match="has no symmetries"):
            po.search(fork, po.TreeSearch("uct", graph="uct1", symmetry=True))
        with pytest.raises(OptionError, match="graph=uct1"):
            po.TreeSearch("uct", symmetry=True)
        with pytest.raises(OptionError, match="leave symmetry out"):
            po.search("tictactoe", "grave:graph=uct1,symmetry=true")
