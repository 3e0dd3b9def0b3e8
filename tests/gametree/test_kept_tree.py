"""The tree below the move that was played is kept."""

from __future__ import annotations

import pytest

import playout as po
from playout.games import load_game
from playout.gametree.tree_arrays import EDGES, FULL, NODES, OPEN
from tests.support.fork_game import session_of

pytestmark = pytest.mark.long


class TestKeep:
    @pytest.mark.long
    def test_the_tree_below_the_move_is_kept(self):
        game = load_game("tictactoe")
        session = session_of(game)
        result = session.run(po.Playouts(2000))
        tree = session.tree
        edge = session._edge_of(result.record)
        child = int(tree.child[edge])
        before = sorted(
            (session.game.move_text(game.root()[0], tree.edge_moves[e]), int(tree.edge_visits[e]))
            for e in range(int(tree.first[child]), int(tree.first[child]) + int(tree.count[child]))
        )
        session.play(result.record)
        root = int(tree.head[0].root)
        first, n = int(tree.first[root]), int(tree.count[root])
        after = sorted(
            (session.game.move_text(game.root()[0], tree.edge_moves[e]), int(tree.edge_visits[e]))
            for e in range(first, first + n)
        )
        assert before == after
        assert sound(tree)
        again = session.run(po.Playouts(100))
        assert sum(move.visits for move in again.moves) == sum(v for _, v in before) + 100

    @pytest.mark.long
    @pytest.mark.parametrize("text", ["uct:graph=uct2", "grave:nodes=3000", "uct:solver=true"])
    def test_a_whole_game(self, text):
        game = load_game("tictactoe")
        session = session_of(game, text)
        state = game.root()
        while game.moves(state[0], game.new_moves()):
            result = session.run(po.Playouts(300))
            session.play(result.record)
            game.play(state[0], result.record)
            assert sound(session.tree)
        assert 0.0 <= game.reward(state[0], 0) <= 1.0

    def test_not_kept_if_not_wanted(self):
        session = session_of(load_game("tictactoe"), "uct:keep=false", simulations=500)
        session.play(session.tree.edge_moves[0].copy())
        assert int(session.tree.counters[NODES]) == 2

    def test_a_move_that_was_never_looked_at(self):
        game = load_game("tictactoe")
        session = session_of(game)
        session.play(game.parse_move(game.root()[0], "c3"))
        assert session.run(po.Playouts(10)).player == 1


def sound(tree) -> bool:
    """Whether every edge of an open node leads to a node that is there, or nowhere."""
    nodes, edges = int(tree.counters[NODES]), int(tree.counters[EDGES])
    for node in range(1, nodes):
        if tree.status[node] == OPEN:
            first, n = int(tree.first[node]), int(tree.count[node])
            if not 0 <= first <= first + n <= edges:
                return False
            if (tree.child[first : first + n] >= nodes).any():
                return False
    return not tree.counters[FULL]
