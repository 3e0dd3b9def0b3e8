"""Parallel schemes of the tree search: choices by hand, one worker as the plain search in each."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError, ProblemError
from playout.games import load_game
from playout.gametree import stepping
from playout.gametree.nodes import make_root, open_node
from playout.gametree.parallel_schemes import new_tree
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.simulate import choose_edge
from playout.gametree.tree_arrays import (
    NODES,
    SIMULATIONS,
    UNIT,
)
from playout.gametree.tree_policies import UCB1
from playout.gametree.tree_session import TreeSession
from tests.support.forms import long
from tests.support.tree_cases import edges_at, one_box, root_visits, session_of

SCHEMES = {
    "tree": "uct:parallel=tree",
    "root": "uct:parallel=root",
    "leaf": "uct:parallel=leaf",
    "slow-tree": "uct:parallel=slow-tree,graph=uct3,interval=50",
}
schemes = pytest.mark.parametrize(
    "text",
    [text if name == "tree" else long(text) for name, text in SCHEMES.items()],
    ids=SCHEMES,
)


@pytest.fixture(scope="module")
def game():
    return load_game("tictactoe")


@pytest.fixture(scope="module")
def box():
    return one_box()


class TestVirtualLoss:
    """Three moves of 10 visits worth 0.6, 0.5 and 0: where does the next simulation go?"""

    def choice(self, box, under_way, values=(0.6, 0.5, 0.0, 0.0), C=0.0, **options):
        tree = new_tree(box, po.TreeSearch("uct", nodes=50, **options), 2, shared=True)
        tree.root_state[0] = box.root()[0]
        with np.errstate(over="ignore"):
            make_root.py_func(tree, box)
            root = int(tree.head[0].root)
            state = box.root()
            open_node(tree, box, UCB1(C=C), 0, state[0], root)
        tree.tried[root], tree.visits[root] = 4, 40
        for edge, value, loss in zip(edges_at(tree, root), values, under_way, strict=True):
            tree.edge_visits[edge] = 10
            tree.edge_totals[edge] = round(10 * value * UNIT)
            tree.edge_loss[edge] = loss
        return choose_edge(tree, box, UCB1(C=C), root, root) - int(tree.first[root])

    @pytest.mark.parametrize(("losses", "chosen"), [(0, 0), (1, 0), (3, 1)])
    def test_visits_that_brought_nothing(self, box, losses, chosen):
        # 6 / 10, 6 / 11 = 0.545, 6 / 13 = 0.462 against 0.5
        assert self.choice(box, (losses, 0, 0, 0)) == chosen

    def test_weight_of_a_loss(self, box):
        # 6 / (10 + 3 * 1) = 0.462
        assert self.choice(box, (1, 0, 0, 0), loss=3.0) == 1
        assert self.choice(box, (5, 0, 0, 0), loss=0.0) == 0

    def test_they_count_as_visits_of_the_bound(self, box):
        # without a loss of value, ln 40 = 3.689: 0.6 + 0.5 sqrt(3.689 / (10 + n)) is 0.904 for
        # n = 0 and 0.792 for n = 15; 0.5 + 0.5 sqrt(3.689 / 10) = 0.804
        assert self.choice(box, (0, 0, 0, 0), C=0.5, loss=0.0) == 0
        assert self.choice(box, (15, 0, 0, 0), C=0.5, loss=0.0) == 1

    @pytest.mark.parametrize(("losses", "chosen"), [(1, 0), (2, 1)])
    def test_general(self, box, losses, chosen):
        # L = 0.1 W 0.6: 0.54 and 0.48 against 0.5
        assert self.choice(box, (losses, 0, 0, 0), loss=0.1, general_loss=True) == chosen

    def test_general_of_negative_values(self, box):
        values = (-0.4, -0.5, -0.9, -0.9)
        # -0.4 - 0.3 * 0.4 = -0.52; visits that brought nothing would make it better, not worse
        assert self.choice(box, (1, 0, 0, 0), values, loss=0.3, general_loss=True) == 1
        assert self.choice(box, (1, 0, 0, 0), values) == 0


class TestRoot:
    @pytest.mark.long
    def test_the_result_is_the_sum_of_the_roots(self, game):
        session = session_of(game, "uct:parallel=root", 3)
        result = session.run(po.Playouts(1000))
        trees = session.team.trees
        assert [int(tree.counters[SIMULATIONS]) for tree in trees] == [334, 333, 333]
        assert result.nodes == sum(int(tree.counters[NODES]) - 1 for tree in trees)
        for move in result.moves:
            edges = [session._edge_of(move.record, tree) for tree in trees]
            visits = [int(tree.edge_visits[e]) for tree, e in zip(trees, edges, strict=True)]
            totals = [int(tree.edge_totals[e]) for tree, e in zip(trees, edges, strict=True)]
            assert move.visits == sum(visits)
            assert move.value == pytest.approx(sum(totals) / UNIT / sum(visits))
        assert len({root_visits(tree).tobytes() for tree in trees}) == 3  # streams of their own

    @pytest.mark.long
    def test_memory_is_shared_out(self, game):
        session = session_of(game, "uct:parallel=root,nodes=90", 3)
        result = session.run(po.Playouts(3000))
        assert (result.nodes, result.full) == (90, True)

    def test_a_proof_of_one_is_enough(self, game):
        state = game.read_position("xx./oo./... x")
        algorithm = po.TreeSearch("uct", parallel="root", solver=True)
        result = po.search(game, algorithm, po.Playouts(10_000), state=state, seed=1, workers=2)
        assert (result.proven, result.value) == (True, 1.0)


class TestLeaf:
    @pytest.mark.long
    def test_by_hand(self, game):
        """Three workers: the first leaf has three playouts, seven simulations are 3 + 3 + 1."""
        session = session_of(game, "uct:parallel=leaf", 3, 3)
        assert sorted(root_visits(session.tree)) == [0] * 8 + [3]
        session = session_of(game, "uct:parallel=leaf", 3, 7)
        assert sorted(root_visits(session.tree)) == [0] * 6 + [1, 3, 3]
        assert session.tree.visits[1] == 7

    @pytest.mark.long
    @pytest.mark.parametrize("workers", [2, 3])
    def test_deterministic(self, game, workers, monkeypatch):
        text = "uct:parallel=leaf"
        whole = session_of(game, text, workers, 1001)
        monkeypatch.setattr(stepping, "STEP_SECONDS", 0.0)  # steps as small as can be
        steps = session_of(game, text, workers, 1001)
        assert (whole.tree.edge_visits == steps.tree.edge_visits).all()
        assert (whole.tree.edge_totals == steps.tree.edge_totals).all()
        assert root_visits(whole.tree).sum() == 1001
        other = session_of(game, text, workers + 1, 1001)
        assert not (whole.tree.edge_visits == other.tree.edge_visits).all()

    @pytest.mark.long
    def test_every_policy_sees_every_move(self, game):
        """A policy that learns is told of the moves in the tree too, by each worker."""
        session = TreeSession(
            game, po.TreeSearch("uct", Witness(), parallel="leaf"), seed=1, workers=3
        )
        session.run(po.Playouts(900))
        for policy in session.team.playouts:
            games, fewest, most, starts = policy.notes
            assert games == starts == 300
            assert 5 <= fewest <= most <= 9


class Witness(PlayoutPolicy):
    """Notes games, the fewest and the most moves of one, and how often the first was told."""

    fields = ("notes", "length")

    def __init__(self):
        self.notes = np.array([0, 99, 0, 0])
        self.length = np.zeros(1, np.int64)

    def wants_moves(self):
        return True

    def begin(self):
        self.length[0] = 0

    def choose(self, game, state, moves, n, rng):
        return n - 1

    def seen(self, game, state, moves, n, chosen, mover):
        if n == 9 and self.length[0] == 0:
            self.notes[3] += 1
        self.length[0] += 1

    def learn(self, game, rewards):
        self.notes[0] += 1
        self.notes[1] = min(self.notes[1], self.length[0])
        self.notes[2] = max(self.notes[2], self.length[0])


class TestEveryScheme:
    @schemes
    def test_one_worker_is_the_plain_search(self, game, text):
        graph = ":graph=uct3" if "uct3" in text else ""
        alone = session_of(game, text, 1, 700)
        usual = session_of(game, "uct" + graph, 1, 700)
        assert (alone.tree.edge_visits == usual.tree.edge_visits).all()
        assert (alone.tree.edge_totals == usual.tree.edge_totals).all()

    @schemes
    @pytest.mark.parametrize("simulations", [1, 2, 10, 1234])
    def test_simulations_are_counted_exactly(self, game, text, simulations):
        session = session_of(game, text, 3)
        seen = []
        result = session.run(po.Playouts(simulations), lambda now: seen.append(now.playouts))
        assert (result.simulations, result.workers) == (simulations, 3)
        assert sum(move.visits for move in result.moves) == simulations
        assert seen == sorted(seen)
        assert seen[-1] == simulations
        assert result.to_json()["workers"] == 3

    @schemes
    def test_seconds(self, game, text):
        algorithm = po.TreeSearch.parse(text)
        result = po.search(game, algorithm, po.Seconds(0.1), seed=1, workers=2)
        assert 0.09 < result.seconds < 60
        assert result.simulations > 0
        assert "2 workers" in str(result)

    @schemes
    def test_a_whole_game(self, game, text):
        session = session_of(game, text, 2)
        state = game.root()
        while game.moves(state[0], game.new_moves()):
            result = session.run(po.Playouts(1500))
            assert result.player == game.turn(state[0])
            session.play(result.record)
            game.play(state[0], result.record)
        assert game.reward(state[0], 0) == 0.5

    @pytest.mark.long
    @pytest.mark.parametrize("scheme", ["tree", "leaf", "root"])
    def test_errors_of_any_worker(self, scheme):
        algorithm = po.TreeSearch("uct", parallel=scheme)
        with pytest.raises(ProblemError, match="NaN"):
            po.search(Broken(), algorithm, po.Playouts(1000), seed=1, workers=3)


class Broken(po.Game):
    """Two moves, and rewards that are no numbers after the second kind of them."""

    fields = ()

    def __init__(self):
        self.max_moves, self.max_length = 2, 12
        self.state_type = po.record(depth="i8", bad="i8")
        self.move_type = po.record(side="i8")

    def reset(self, state):
        pass

    def moves(self, state, moves):
        moves[0].side = 0
        moves[1].side = 1
        return 2 if state.depth < 12 else 0

    def play(self, state, move):
        state.bad += move.side
        state.depth += 1

    def turn(self, state):
        return state.depth % 2

    def reward(self, state, player):
        return np.nan if state.bad > 9 else 0.5


UNEVEN = """
from playout.gametree.parallel_schemes import RootTeam

class Uneven(RootTeam):
    def share(self, worker, goal):
        first = goal - goal // 4
        return goal // 4 if worker else first
"""


def test_a_scheme_of_ones_own(game, tmp_path):
    """Root parallelism whose first worker makes three quarters of the simulations."""
    (tmp_path / "mine.py").write_text(UNEVEN)
    text = f"uct:parallel={tmp_path / 'mine.py'}:Uneven"
    session = session_of(game, text, 2, 1001)
    assert [int(tree.counters[SIMULATIONS]) for tree in session.team.trees] == [751, 250]
    by_class = po.TreeSearch("uct", parallel=type(session.team))
    assert by_class.text == "uct:parallel=Uneven"
    result = po.search(game, by_class, po.Playouts(1001), seed=1, workers=2)
    again = session_of(game, text, 2)
    assert again.run(po.Playouts(1001)).to_json()["moves"] == result.to_json()["moves"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("uct:parallel=three", "did you mean tree"),
        ("uct:parallel=slow-tree", "give graph=uct3"),
        ("uct:parallel=slow-tree,graph=uct2", "give graph=uct3"),
        ("uct:parallel=slow-tree,graph=uct3,backup=max", "leave backup out"),
        ("uct:levels=4", "levels=4: a whole number from 0 to 3"),
        ("uct:levels=-1", "levels=-1"),
        ("uct:interval=0", "interval=0: a whole number of at least 1"),
        ("uct:loss=-1", "loss=-1"),
        ("uct:general_loss=maybe", "true or false"),
    ],
)
def test_bad_options(text, says):
    with pytest.raises(OptionError, match=says):
        po.TreeSearch.parse(text)


@pytest.mark.parametrize("workers", [0, -1, 257, 1.5, "2"])
def test_bad_workers(game, workers):
    with pytest.raises(OptionError, match="a whole number from 1 to 256"):
        po.search(game, po.TreeSearch("uct"), po.Playouts(1), workers=workers)


def test_an_interpreted_search_has_one_worker(game):
    with pytest.raises(OptionError, match="one worker"):
        po.search(game, po.TreeSearch("uct"), po.Playouts(1), workers=2, compiled=False)
