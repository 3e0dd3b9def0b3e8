"""The slow tree: what workers tell one another, packed, and what the tree is after it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playout as po
from playout.games import load_game
from playout.gametree import stepping
from playout.gametree.nodes import follow, open_node
from playout.gametree.shared_levels import ROOT, fold, pack, unfold, unpack
from playout.gametree.tree_arrays import (
    LEAF,
    OPEN,
    SIMULATIONS,
    UNIT,
)
from playout.gametree.tree_policies import UCB1
from tests.support.forms import long
from tests.support.tree_cases import LINES, edges_at, one_box, root_visits, session_of

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def game():
    return load_game("tictactoe")


@pytest.fixture(scope="module")
def box():
    return one_box()


class TestPacking:
    @pytest.mark.parametrize(
        ("values", "packed"),
        [
            ([0, 0, 0, 5, 0, 0], [-3, 5, -2]),
            ([7, 0, 8], [7, -1, 8]),
            ([0, 0], [-2]),
            ([1, 2], [1, 2]),
            ([], []),
        ],
    )
    def test_by_hand(self, values, packed):
        assert pack(np.array(values, np.int64)).tolist() == packed
        assert unpack(np.array(packed, np.int64)).tolist() == values

    def test_only_from_zero(self):
        with pytest.raises(ValueError, match="from 0"):
            pack(np.array([-1]))
        assert fold(np.array([0, -1, 1, -2, 2])).tolist() == [0, 1, 2, 3, 4]

    @settings(deadline=None)
    @given(st.lists(st.integers(-3, 3) | st.integers(-(2**40), 2**40)))
    def test_there_and_back(self, values):
        array = np.array(values, np.int64)
        assert unfold(unpack(pack(fold(array)))).tolist() == values


def played(tree, game, lines, times, reward):
    """Simulations along these lines, worth `reward` to the first player, as a search notes them."""
    policy, state, node = UCB1(), game.new_states(1), int(tree.head[0].root)
    state[0] = tree.root_state[0]
    for depth in range(len(lines) + 1):
        tree.visits[node] += times
        tree.totals[node] += (np.array([reward, 1 - reward]) * times * UNIT).astype(np.int64)
        if depth == len(lines):
            return
        if tree.status[node] == LEAF:
            open_node(tree, game, policy, 0, state[0], node)
        line = LINES[lines[depth]]
        edge = next(e for e in edges_at(tree, node) if tree.edge_moves[e].line == line)
        tree.edge_visits[edge] += times
        game.play(state[0], tree.edge_moves[edge].copy())
        tree.states[0] = state[0]
        node = int(follow(tree, game, 0, tree.states[0], edge))
        state[0] = tree.states[0]


def found(tree, game, lines):
    """The node behind these lines, and the edge of the last of them."""
    node, edge = int(tree.head[0].root), None
    for line in lines:
        edge = next(e for e in edges_at(tree, node) if tree.edge_moves[e].line == LINES[line])
        node = int(tree.child[edge])
    return node, edge


@pytest.fixture
def two(box):
    """Two workers that have played seven and four games."""
    session = session_of(box, "uct:parallel=slow-tree,graph=uct3", 2)
    one, other = session.team.trees
    with np.errstate(over="ignore"):
        played(one, box, "abc", 4, 1.0)
        played(one, box, "acb", 2, 0.0)
        played(other, box, "abd", 3, 0.5)
        played(other, box, "bac", 1, 1.0)
    return session


class TestSlowTree:
    # positions of three lines: N(abc) = 4 + 2 + 1 = 7, R = 5; N(abd) = 3, R = 1.5
    ABC, ABD = 5 / 7, 0.5
    # two lines: ab goes on to abc 4 + 1 times and to abd 3 times, ac to abc twice
    AB, AC = (5 * ABC + 3 * ABD) / 8, ABC
    # one line: a goes on to ab 4 + 3 times and to ac twice, b to ab once
    A, B = (7 * AB + 2 * AC) / 9, AB

    def test_three_levels_by_hand(self, two, box):
        two.team.meet()
        for tree in two.team.trees:
            for lines, visits, value in (
                ("abc", 7, self.ABC), ("abd", 3, self.ABD), ("ab", 8, self.AB), ("ac", 2, self.AC),
                ("a", 9, self.A), ("b", 1, self.B), ("", 10, (9 * self.A + self.B) / 10),
            ):  # fmt: skip
                node, _ = found(tree, box, lines)
                assert tree.visits[node] == visits, lines
                assert tree.values[node] == pytest.approx([value, 1 - value]), lines
            # N(s, a), and R(s, a) = N(s, a) Q(s') to the player who moves
            for lines, mover, visits, value in (
                ("a", 0, 9, self.A), ("b", 0, 1, self.B), ("ab", 1, 7, self.AB),
                ("ba", 1, 1, self.AB), ("ac", 1, 2, self.AC), ("abc", 0, 5, self.ABC),
                ("abd", 0, 3, self.ABD), ("acb", 0, 2, self.ABC),
            ):  # fmt: skip
                _, edge = found(tree, box, lines)
                assert tree.edge_visits[edge] == visits, lines
                worth = value if mover == 0 else 1 - value
                assert tree.edge_totals[edge] / UNIT == pytest.approx(visits * worth), lines

    def test_nothing_counts_twice(self, two, box):
        two.team.meet()
        before = two.team.shared_bytes
        two.team.meet()
        # N(s, a) of three levels, N(s), R(s) of two players: six arrays of nothing but zeros, one
        # number each; two workers send that and are answered it
        assert two.team.shared_bytes - before == 2 * (6 + 6) * 8
        with np.errstate(over="ignore"):
            played(two.team.trees[0], box, "abc", 2, 0.0)
        two.team.meet()
        for tree in two.team.trees:
            node, edge = found(tree, box, "abc")
            assert (tree.visits[node], tree.edge_visits[edge]) == (9, 7)
            assert tree.totals[node].tolist() == [5 * UNIT, 4 * UNIT]
            assert root_visits(tree).sum() == 12

    def test_the_message_by_hand(self, two):
        team = two.team
        team.meet()
        team.common.clear()
        # as at the first meeting: nothing has been told yet, and worker 0 has all the sums itself
        from playout.gametree.slowtree import extend

        extend(team.common, team.trees[0], 0)
        level0, level1, level2, visits, mine, yours = (
            unpack(part) for part in team.common.message(team.trees[0], 0)
        )
        assert sorted(level0) == [0, 0, 1, 9]
        assert sorted(level1) == [0, 0, 0, 1, 2, 7]
        assert sorted(level2) == [0, 2, 3, 5]
        assert sorted(visits) == [3, 7]
        assert sorted(unfold(mine) / UNIT) == [1.5, 5]
        assert sorted(unfold(yours) / UNIT) == [1.5, 2]

    @pytest.mark.parametrize("levels", [1, 2])
    def test_fewer_levels(self, box, levels):
        session = session_of(box, f"uct:parallel=slow-tree,graph=uct3,levels={levels}", 2)
        one, other = session.team.trees
        with np.errstate(over="ignore"):
            played(one, box, "abc", 4, 1.0)
            played(other, box, "bc", 2, 0.25)
        session.team.meet()
        for tree in (one, other):
            node, edge = found(tree, box, "a")
            assert (tree.visits[node], tree.edge_visits[edge]) == (4, 4)
            assert tree.values[node, 0] == 1.0
        node, _ = found(other, box, "a")
        assert (other.status[node] == OPEN) == (levels == 2)
        assert session.team.common.level[: session.team.common.counters[0]].max() == levels

    def test_symmetric_positions_are_one(self, box):
        session = session_of(box, "uct:parallel=slow-tree,graph=uct3,symmetry=true", 2)
        one, other = session.team.trees
        with np.errstate(over="ignore"):
            played(one, box, "a", 3, 1.0)
            played(other, box, "b", 2, 0.0)
            played(other, box, "c", 1, 1.0)
        session.team.meet()
        for tree in (one, other):
            for line, times in zip("abc", (3, 2, 1), strict=True):
                node, edge = found(tree, box, line)
                assert (tree.edge_visits[edge], tree.visits[node]) == (times, 6)
                assert tree.edge_totals[edge] / UNIT == pytest.approx(times * 4 / 6)
        assert int(session.team.common.counters[0]) - ROOT == 2

    @pytest.mark.parametrize("symmetry", ["false", "true"])
    @pytest.mark.parametrize("levels", [0, 1, 2, 3])
    @pytest.mark.parametrize("name", ["tictactoe", long("dotsandboxes:2x2")])
    def test_a_search(self, levels, symmetry, name):
        game = load_game(name)
        text = f"uct:parallel=slow-tree,graph=uct3,interval=100,levels={levels},symmetry={symmetry}"
        session = session_of(game, text, 3)
        result = session.run(po.Playouts(2000))
        assert sum(move.visits for move in result.moves) == 2000
        assert [int(t.counters[SIMULATIONS]) for t in session.team.trees] == [667, 667, 666]
        assert (result.shared_bytes > 0) == (levels > 0)
        if levels:  # all workers know the same
            ways = [
                sorted((t.edge_moves[e].tobytes(), int(t.edge_visits[e])) for e in edges_at(t, 1))
                for t in session.team.trees
            ]
            assert ways[0] == ways[1] == ways[2]
        again = session_of(game, text, 3)
        assert again.run(po.Playouts(2000)).to_json()["moves"] == result.to_json()["moves"]

    def test_steps_do_not_matter(self, game, monkeypatch):
        text = "uct:parallel=slow-tree,graph=uct3,interval=64"
        whole = session_of(game, text, 2, 1000)
        monkeypatch.setattr(stepping, "STEP_SECONDS", 0.0)
        steps = session_of(game, text, 2, 1000)
        for a, b in zip(whole.team.trees, steps.team.trees, strict=True):
            assert (a.edge_visits == b.edge_visits).all()

    def test_the_graphs_are_kept(self, game):
        """After a move the sums below it stand, and go on from there."""
        session = session_of(game, "uct:parallel=slow-tree,graph=uct3,interval=100", 2)
        state = game.root()
        for _ in range(4):
            result = session.run(po.Playouts(1000))
            edge = session._edge_of(result.record)
            below = root_visits_of(session.tree, int(session.tree.child[edge]))
            session.play(result.record)
            game.play(state[0], result.record)
            for tree in session.team.trees:
                assert root_visits(tree).sum() == below
            again = session.run(po.Playouts(1000))
            assert sum(move.visits for move in again.moves) == below + 1000
            session.play(again.record)
            game.play(state[0], again.record)

    def test_a_full_graph(self, game):
        session = session_of(game, "uct:parallel=slow-tree,graph=uct3,interval=50,nodes=80", 2)
        result = session.run(po.Playouts(3000))
        assert result.full
        assert result.nodes <= 80
        assert sum(move.visits for move in result.moves) == 3000

    @pytest.mark.long
    def test_other_statistics(self, game):
        session = session_of(game, "ucb1tuned:parallel=slow-tree,graph=uct3,interval=100", 2, 1000)
        one, other = session.team.trees
        squares = [sorted(t.edge_squares[list(edges_at(t, 1))].tolist()) for t in (one, other)]
        assert squares[0] == squares[1]
        assert 0 < sum(squares[0]) <= 1000 * UNIT


def root_visits_of(tree, node):
    return int(tree.edge_visits[list(edges_at(tree, node))].sum())
