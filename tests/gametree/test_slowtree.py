"""The slow tree: what workers tell one another, and what they know after it."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.games import load_game
from playout.gametree import stepping
from playout.gametree.level_ties import (
    are_told,
    as_of_all,
    passed_by_all,
    take_over_edges,
    take_over_node,
    tell,
)
from playout.gametree.nodes import follow, open_node
from playout.gametree.shared_levels import (
    EDGE,
    NODES,
    ROOT,
    TOLD_EDGES,
    TOLD_ENDS,
    TOLD_OPENED,
    VISITS,
)
from playout.gametree.tree_arrays import (
    LEAF,
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


def shared(common, lines):
    """The node behind these lines in what is shared, and the edge of the last of them."""
    node, edge = ROOT, None
    for line in lines:
        edges = range(common.first[node], common.first[node] + common.count[node])
        edge = next(e for e in edges if common.moves[e].line == LINES[line])
        node = int(common.child[edge])
    return node, edge


@pytest.fixture
def two(box):
    """Two workers that have played seven and four games."""
    session = session_of(box, "uct:parallel=slow-tree,graph=uct3,levels=3", 2)
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
        common = two.team.common
        for lines, visits, value in (
            ("abc", 7, self.ABC),
            ("abd", 3, self.ABD),
            ("ab", 8, self.AB),
            ("ac", 2, self.AC),
            ("a", 9, self.A),
            ("b", 1, self.B),
            ("", 10, (9 * self.A + self.B) / 10),
        ):
            node, _ = shared(common, lines)
            assert common.visits[node] == visits, lines
            assert common.values[node] == pytest.approx([value, 1 - value]), lines
        for lines, visits, value in (
            ("a", 9, self.A),
            ("b", 1, self.B),
            ("ab", 7, self.AB),
            ("ba", 1, self.AB),
            ("ac", 2, self.AC),
            ("abc", 5, self.ABC),
            ("abd", 3, self.ABD),
            ("acb", 2, self.ABC),
        ):
            _, edge = shared(common, lines)
            assert common.edge_visits[edge] == visits, lines
            assert common.edge_sums[edge] == pytest.approx([visits * value, visits * (1 - value)])
        for tree in two.team.trees:  # all know N(s, a) and R(s, a) = N(s, a) Q(s') at the root
            for line, visits, value in (("a", 9, self.A), ("b", 1, self.B)):
                _, edge = found(tree, box, line)
                assert tree.edge_visits[edge] == visits
                assert tree.edge_totals[edge] / UNIT == pytest.approx(visits * value)
            assert tree.visits[int(tree.head[0].root)] == 10

    def test_a_worker_takes_the_sums_over_where_it_passes(self, two, box):
        """The first worker has never been at b; it comes there, and knows what the other does."""
        two.team.meet()
        tree, ties = two.team.trees[0], two.team.ties[0]
        levels = two.team.common, ties
        node, edge = found(tree, box, "b")
        assert node == 0
        with np.errstate(over="ignore"):
            tree.states[0] = tree.root_state[0]
            box.play(tree.states[0], tree.edge_moves[edge].copy())
            node = int(follow(tree, box, 0, tree.states[0], edge))
            take_over_node(*levels, tree, node, shared(levels[0], "b")[0])
            assert (tree.visits[node], tree.values[node, 0]) == (1, pytest.approx(self.B))
            open_node(tree, box, UCB1(), 0, tree.states[0], node)
            take_over_edges(*levels, tree, UCB1(), node)
        _, edge = found(tree, box, "ba")
        assert (tree.edge_visits[edge], tree.visits[node]) == (1, 1)
        assert tree.edge_totals[edge] / UNIT == pytest.approx(1 - self.AB)  # the other one's move
        tell(*levels, tree, UCB1())
        assert not levels[0].told[0].any()  # what was taken over is not told again

    def test_what_is_not_told_yet_counts_for_all(self, two, box):
        """Of two workers one adds 3 visits worth 0.5 each to the 9 of `a` that both know."""
        two.team.meet()
        tree, ties, common = two.team.trees[0], two.team.ties[0], two.team.common
        root, (_, edge) = int(tree.head[0].root), found(tree, box, "a")
        assert are_told(common, ties, root)
        assert as_of_all(common, ties, edge, 9, self.A) == (9, self.A)
        visits, value = as_of_all(common, ties, edge, 12, (9 * self.A + 3 * 0.5) / 12)
        assert visits == 9 + 2 * 3
        assert value == pytest.approx((9 * self.A + 2 * 3 * 0.5) / 15)
        assert passed_by_all(common, ties, root, 10 + 3) == 10 + 2 * 3
        _, new = found(tree, box, "c")  # nobody has been there
        assert as_of_all(common, ties, new, 1, 0.25) == (2, 0.25)
        child, _ = found(tree, box, "abc")
        assert not are_told(common, ties, child)  # below the last level

    def test_nothing_counts_twice(self, two, box):
        two.team.meet()
        before = two.team.shared_bytes
        assert before > 0
        two.team.meet()
        assert two.team.shared_bytes == before
        with np.errstate(over="ignore"):
            played(two.team.trees[0], box, "abc", 2, 0.0)
        two.team.meet()
        common = two.team.common
        node, edge = shared(common, "abc")
        assert (common.visits[node], common.edge_visits[edge]) == (9, 7)
        assert common.totals[node].tolist() == [5 * UNIT, 4 * UNIT]
        for tree in two.team.trees:
            assert root_visits(tree).sum() == 12

    def test_what_is_told_by_hand(self, two, box):
        team = two.team
        team.meet()
        common, tree = team.common, team.trees[0]
        with np.errstate(over="ignore"):
            played(tree, box, "abc", 2, 0.25)
            tell(common, team.ties[0], tree, UCB1())
        told = common.told[0]
        assert (told[TOLD_EDGES], told[TOLD_ENDS], told[TOLD_OPENED]) == (3, 1, 0)
        lines = common.told_edges[0, :3]
        assert lines[:, EDGE].tolist() == [shared(common, way)[1] for way in ("a", "ab", "abc")]
        assert lines[:, VISITS].tolist() == [2, 2, 2]
        assert common.told_ends[0, 0].tolist() == [
            shared(common, "abc")[0],
            2,
            0.5 * UNIT,
            1.5 * UNIT,
        ]

    @pytest.mark.parametrize("levels", [1, 2])
    def test_fewer_levels(self, box, levels):
        session = session_of(box, f"uct:parallel=slow-tree,graph=uct3,levels={levels}", 2)
        one, other = session.team.trees
        with np.errstate(over="ignore"):
            played(one, box, "abc", 4, 1.0)
            played(other, box, "bc", 2, 0.25)
        session.team.meet()
        common = session.team.common
        node, edge = shared(common, "a")
        assert (common.visits[node], common.edge_visits[edge]) == (4, 4)
        assert common.values[node, 0] == 1.0
        assert (common.count[node] > 0) == (levels == 2)
        assert common.level[: common.counters[NODES]].max() == levels

    def test_symmetric_positions_are_one(self, box):
        session = session_of(box, "uct:parallel=slow-tree,graph=uct3,symmetry=true,levels=3", 2)
        one, other = session.team.trees
        with np.errstate(over="ignore"):
            played(one, box, "a", 3, 1.0)
            played(other, box, "b", 2, 0.0)
            played(other, box, "c", 1, 1.0)
        session.team.meet()
        for tree in (one, other):
            for line, times in zip("abc", (3, 2, 1), strict=True):
                node, edge = found(tree, box, line)
                assert tree.edge_visits[edge] == times
                assert tree.edge_totals[edge] / UNIT == pytest.approx(times * 4 / 6)
                assert node == 0 or tree.visits[node] == 6
        assert int(session.team.common.counters[NODES]) - ROOT == 2

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
        session = session_of(game, "uct:parallel=slow-tree,graph=uct3,levels=2,interval=100", 2)
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
