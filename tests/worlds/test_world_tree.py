"""The tree over worlds: availability, exact budgets, no leak, and a naive search beside it."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.compiled.random import random_below, stream_of
from playout.compiled.records import mix
from playout.errors import OptionError, ProblemError
from playout.games import load_game
from playout.gametree import stepping
from playout.gametree.tree_search import as_search
from playout.gametree.tree_session import TreeSession
from playout.worlds.arrays import (
    AVAILABLE,
    CALLS,
    CHILD,
    COUNT,
    FIRST,
    TOTAL,
    VISITS,
    N,
    WorldTree,
)
from playout.worlds.world_search import WorldSearch
from tests.support.forms import FORMS
from tests.support.naive_worlds import borda, naive_search, ucb1
from tests.support.world_games import Guess, Peek, Stars, Walk


def session_of(game, text, seed=1, compiled=False, **settings):
    return WorldSearch.parse(text).session(game, seed=seed, compiled=compiled, **settings)


def test_a_bias_that_is_no_number_ends_the_playouts():
    class Wrong(Walk):
        def bias(self, state, move):
            return np.nan

    session = session_of(Wrong(), "ismcts:playout=heuristic")
    with pytest.raises(ProblemError, match=r"bias\(\) returned NaN, or an infinite number"):
        session.run(po.Playouts(50))


def edges_at(tree, node):
    first = int(tree.nodes[node, FIRST])
    return list(range(first, first + int(tree.nodes[node, COUNT])))


def world_seed(seed):
    """The seed of the first search of a session, from which its worlds are drawn."""
    with wrapping():
        return mix(np.uint64(seed) ^ mix(np.uint64(1)))


def compare(tree, node, naive):
    """Whether a tree below a node is the naive one: visits, availability and sums."""
    assert tree.nodes[node, VISITS] == naive.visits
    edges = edges_at(tree, node)
    assert len(edges) == len(naive.edges)
    by_move = {bytes(np.array([tree.edge_moves[edge]]).view(np.uint8)): edge for edge in edges}
    for name, one in naive.edges.items():
        edge = by_move[name[:-1]]
        assert tree.edges[edge, N] == len(one.outcomes)
        assert tree.edges[edge, AVAILABLE] == one.available
        if one.child is not None:
            compare(tree, int(tree.edges[edge, CHILD]), one.child)


class TestTree:
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_with_one_world_it_is_the_tree_search_of_that_world(self, seed):
        game = load_game("tictactoe")
        ours = session_of(game, "ismcts:C=0.7", seed).run(po.Playouts(200))
        uct = TreeSession(game, po.TreeSearch.parse("uct:C=0.7"), seed=seed, compiled=False)
        theirs = uct.run(po.Playouts(200))
        figures = [
            sorted((move.move, move.visits, move.value) for move in result.moves)
            for result in (ours, theirs)
        ]
        assert figures[0] == figures[1]

    def test_three_simulations_by_hand(self):
        """The second player's moves depend on a card that the first does not see."""
        seed = next(seed for seed in range(100) if _cards(seed) == [1, 0, 1])
        session = session_of(Peek(), "ismcts", seed)
        session.run(po.Playouts(3))
        tree = session.team.trees[0]
        (passed,) = edges_at(tree, 1)
        # all three go down the only move; the node behind is made by the first of them
        assert tree.edges[passed, [N, AVAILABLE]].tolist() == [3, 3]
        fold, bet = edges_at(tree, int(tree.edges[passed, CHILD]))
        # the second finds the low card and so the fold alone, the third has both and must try the
        # bet; the simulation that made the node counts the fold as available
        assert tree.edge_moves[[fold, bet]].tolist() == [0, 1]
        assert tree.edges[fold, [N, AVAILABLE]].tolist() == [1, 3]
        assert tree.edges[bet, [N, AVAILABLE]].tolist() == [1, 1]
        assert tree.nodes[int(tree.edges[passed, CHILD]), VISITS] == 3

    @pytest.mark.parametrize("game", [Walk(), Peek()], ids=["luck", "cards"])
    @pytest.mark.parametrize(
        ("text", "bound"),
        [("ismcts:C=0.5", ucb1(0.5)), ("ordinal:C=0.3", borda(0.3))],
        ids=["ismcts", "ordinal"],
    )
    def test_it_is_the_naive_tree(self, game, text, bound):
        if text.startswith("ismcts") and isinstance(game, Walk):
            game.worth = lambda out, low, high: out.score
        session = session_of(game, text, seed=5)
        session.run(po.Playouts(150))
        naive = naive_search(game, session._position, world_seed(5), 150, bound)
        compare(session.team.trees[0], 1, naive)

    @pytest.mark.parametrize("compiled", FORMS)
    @pytest.mark.parametrize("text", ["openloop", "ordinal:length=2", "mixmax"])
    def test_steps_do_not_matter(self, monkeypatch, text, compiled):
        whole = session_of(Walk(), text, compiled=compiled).run(po.Playouts(150))
        monkeypatch.setattr(stepping, "STEP_SECONDS", 0.0)  # steps as small as can be
        parts = session_of(Walk(), text, compiled=compiled).run(po.Playouts(150))
        assert whole.moves == parts.moves

    @pytest.mark.parametrize("text", ["ismcts:observers=many", "ordinal"])
    def test_it_does_not_matter_how_often_the_arrays_grew(self, monkeypatch, text):
        large = session_of(Walk(9), text)
        monkeypatch.setattr(WorldTree, "first_room", 4)
        small = session_of(Walk(9), text)
        found = [session.run(po.Playouts(120)) for session in (small, large)]
        assert found[0].moves == found[1].moves
        assert 120 <= len(small.team.trees[0].nodes) < len(large.team.trees[0].nodes)

    @pytest.mark.parametrize("compiled", FORMS)
    @pytest.mark.parametrize("calls", [1, 2, 7, 100, 333])
    @pytest.mark.parametrize("text", ["openloop", "ordinal:length=2"])
    def test_calls_are_kept_exactly(self, text, calls, compiled):
        session = session_of(Walk(), text, compiled=compiled)
        result = session.run(po.Calls(calls))
        assert result.calls == calls == session.team.trees[0].counters[CALLS]
        # the last simulation, cut off, counts too
        assert sum(move.visits for move in result.moves) == result.simulations

    @pytest.mark.parametrize("name", ["openloop", "ordinal", "preference"])
    @pytest.mark.parametrize(("horizon", "most"), [(3, 3), (0, 40)])
    def test_no_simulation_looks_beyond_the_horizon(self, name, horizon, most):
        seen: list[int] = []

        class Seen(Walk):
            def outcome(self, state, player, out):
                seen.append(int(state.done))
                super().outcome(state, player, out)

        search = as_search(f"{name}:C=0.1,horizon={horizon}")
        session = search.session(Seen(steps=40), seed=1, compiled=False)
        assert len(session.run(po.Playouts(60)).variation) <= most
        assert max(seen) == most

    def test_a_full_tree_grows_no_further(self):
        result = session_of(Walk(), "openloop:nodes=20").run(po.Playouts(200))
        assert (result.nodes, result.full, result.simulations) == (20, True, 200)


def _cards(seed):
    """The cards of the first three worlds of a search."""
    with wrapping():
        return [
            int(random_below(np.array([stream_of(world_seed(seed), number)], np.uint64), 2))
            for number in range(3)
        ]


class TestLuck:
    @pytest.mark.parametrize("text", ["openloop", "mixmax:mix=0", "ismcts"])
    @pytest.mark.parametrize("seed", range(4))
    def test_the_luck_to_come_does_not_leak(self, text, seed):
        """With the luck that the state holds one guess is worth 1; on average it is worth 0.5."""
        game = Guess()
        result = session_of(game, text, seed).run(po.Playouts(400))
        assert result.move == "2"

    def test_ordinal_takes_the_stars_and_the_mean_takes_the_circles(self):
        assert session_of(Stars(), "ordinal").run(po.Playouts(400)).move == "1"
        assert session_of(Stars(), "openloop").run(po.Playouts(400)).move == "0"

    def test_what_the_stars_are_worth(self):
        result = session_of(Stars(), "ordinal").run(po.Playouts(1500))
        values = {move.move: move.value for move in result.moves}
        assert values["1"] == pytest.approx(0.7, abs=0.06)
        assert values["0"] + values["1"] == pytest.approx(1)


class TestObservers:
    def test_each_player_has_a_tree_of_what_he_sees(self):
        session = session_of(Peek(closed=True), "ismcts:observers=many")
        session.run(po.Playouts(100))
        tree = session.team.trees[0]
        assert tree.roots.tolist() == [1, 2]
        counts = []
        for root in tree.roots:
            (passed,) = edges_at(tree, int(root))
            counts.append(len(edges_at(tree, int(tree.edges[passed, CHILD]))))
        # what the first sees is one thing, whatever the second plays
        assert counts == [1, 2]
        assert [int(tree.nodes[root, VISITS]) for root in tree.roots] == [100, 100]

    def test_moves_that_look_the_same_share_an_edge(self):
        session = session_of(Peek(closed=True), "ismcts")
        session.run(po.Playouts(100))
        tree = session.team.trees[0]
        (passed,) = edges_at(tree, 1)
        (played,) = edges_at(tree, int(tree.edges[passed, CHILD]))
        # whichever of the two it was, it was available once each time
        assert tree.edges[played, AVAILABLE] == tree.nodes[int(tree.edges[passed, CHILD]), VISITS]


class TestSession:
    def test_po_search_takes_a_problem_with_luck(self):
        result = po.search(Guess(), "openloop", "300 calls", seed=1, compiled=False)
        assert (result.move, result.calls, result.player) == ("2", 300, 0)
        with pytest.raises(OptionError, match="uct reads the luck to come in Guess: use openloop"):
            po.search(Guess(), "uct", "300 playouts", compiled=False)

    @pytest.mark.long
    def test_workers_have_a_tree_each(self):
        found = [
            session_of(Walk(), "openloop", workers=2, compiled=True).run(po.Playouts(301))
            for _ in range(2)
        ]
        assert found[0].moves == found[1].moves
        assert sum(move.visits for move in found[0].moves) == 301
        counted = session_of(Walk(), "openloop", workers=2, compiled=True).run(po.Calls(1001))
        assert counted.calls == 1001

    def test_the_tree_below_the_move_is_kept(self):
        session = session_of(Walk(), "ordinal:keep=true")
        result = session.run(po.Playouts(300))
        before = _shape(session.team.trees[0], result.record)
        session.play(result.record)
        tree = session.team.trees[0]
        assert _shape(tree) == before
        assert tree.nodes[1, VISITS] == result.moves[0].visits
        session.run(po.Playouts(50))
        assert tree.nodes[1, VISITS] == result.moves[0].visits + 50

    def test_without_keep_it_begins_anew(self):
        session = session_of(Walk(), "openloop")
        session.play(session.run(po.Playouts(50)).record)
        assert session.run(po.Playouts(20)).nodes <= 21

    def test_three_names_are_one_kernel(self):
        parts = [WorldSearch.parse(name) for name in ("openloop", "mixmax", "ordinal")]
        assert len({(type(one.policy), type(one.backup)) for one in parts}) == 1
        assert [one.ordered for one in parts] == [False, False, True]
        assert [one.backup.mix for one in parts] == [0.0, 0.25, 0.0]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("opnloop", "did you mean openloop"),
            ("openloop:D=1", "there is no option 'D'"),
            ("openloop:C=-1", "C=-1"),
            ("openloop:length=-1", "length"),
            ("ismcts:observers=two", "observers=two"),
            ("ismcts:policy=puct", "there is no tree policy over worlds 'puct'"),
        ],
    )
    def test_what_it_refuses(self, text, words):
        with pytest.raises(OptionError, match=words):
            WorldSearch.parse(text)


def _shape(tree, move=None, node=1):
    """A tree as nested figures, below a move or a node."""
    if move is not None:
        (edge,) = (e for e in edges_at(tree, node) if tree.edge_moves[e].step == move.step)
        node = int(tree.edges[edge, CHILD])
    return [
        (*tree.edges[edge, [N, AVAILABLE]].tolist(), tree.sums[edge, TOTAL], _below(tree, edge))
        for edge in edges_at(tree, node)
    ]


def _below(tree, edge):
    child = int(tree.edges[edge, CHILD])
    return _shape(tree, node=child) if child else None
