"""Tree search for games: bounds by hand, statistics, graphs, proofs, memory, the tree kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError, PlayoutError, ProblemError
from playout.games import load_game
from playout.gametree.backups import Max, Mean, MixMax
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.proofs import prove
from playout.gametree.root_moves import proof_rank
from playout.gametree.simulate import choose_edge, edge_value
from playout.gametree.tree_arrays import NODES, UNIT
from playout.gametree.tree_policies import UCB1
from playout.gametree.tree_session import TreeSession
from tests.support.fork_game import Fork, Stakes, session_of
from tests.support.forms import FORMS


@pytest.fixture(scope="module")
def fork():
    return Fork()


class TestSearch:
    def test_finds_the_minimax_value(self, fork):
        # a1: the second player answers with 0.0; a2: with 0.25: the first should play a2
        result = po.search(fork, po.TreeSearch("uct"), po.Playouts(4000), seed=1)
        assert result.move == "1"
        assert result.variation[:2] == ["1", "1"]
        assert result.value == pytest.approx(0.25, abs=0.05)
        assert result.simulations == 4000

    def test_both_players_want_to_win(self):
        """The same position with the values turned round: the second player's side is tested."""
        result = po.search(
            Fork((0.0, 1.0, 0.5, 0.75)), po.TreeSearch("uct"), po.Playouts(4000), seed=1
        )
        # a1: min(0, 1) = 0, a2: min(0.5, 0.75) = 0.5
        assert (result.move, result.variation[:2]) == ("1", ["1", "0"])

    def test_visits_add_up(self, fork):
        session = session_of(fork, simulations=500)
        tree = session.tree
        root = int(tree.head[0].root)
        first, n = int(tree.first[root]), int(tree.count[root])
        assert tree.edge_visits[first : first + n].sum() == 500
        assert tree.visits[root] == 500
        for edge in range(first, first + n):
            child = tree.child[edge]
            assert tree.visits[child] == tree.edge_visits[edge]
            # what the mover got along the edge is what its subtree paid
            assert 0 <= tree.edge_totals[edge] <= UNIT * tree.edge_visits[edge]

    @pytest.mark.long
    def test_the_same_seed_gives_the_same_tree(self):
        game = load_game("tictactoe")
        a, b, c = (session_of(game, seed=seed, simulations=700).tree for seed in (1, 1, 2))
        assert (a.edge_visits == b.edge_visits).all()
        assert not (a.edge_visits == c.edge_visits).all()

    def test_steps_do_not_matter(self):
        game = load_game("tictactoe")
        whole = session_of(game, simulations=600)
        parts = session_of(game)
        parts.run(po.Playouts(600), progress=lambda p: None)
        assert (whole.tree.edge_visits == parts.tree.edge_visits).all()

    def test_edges_are_tried_once_before_any_is_tried_again(self):
        session = session_of(load_game("tictactoe"), simulations=9)
        tree = session.tree
        root = int(tree.head[0].root)
        first = int(tree.first[root])
        assert tree.edge_visits[first : first + 9].tolist() == [1] * 9

    def test_a_position_in_the_middle(self):
        game = load_game("tictactoe")
        state = game.root()
        for text in ("a1", "b1", "a2", "b2"):
            game.play(state[0], game.parse_move(state[0], text))
        result = po.search(game, po.TreeSearch("uct"), po.Playouts(500), state=state, seed=1)
        assert result.move == "a3"  # wins at once
        game.play(state[0], game.parse_move(state[0], "c3"))
        result = po.search(game, po.TreeSearch("uct"), po.Playouts(500), state=state, seed=1)
        assert (result.player, result.move) == (1, "b3")

    def test_a_finished_game(self):
        game = load_game("tictactoe")
        state = game.root()
        for text in ("a1", "b1", "a2", "b2", "a3"):
            game.play(state[0], game.parse_move(state[0], text))
        with pytest.raises(ProblemError, match="the game is over"):
            po.search(game, state=state)

    def test_seconds(self, fork):
        result = po.search(fork, po.TreeSearch("uct"), po.Seconds(0.05), seed=1)
        assert 0.04 < result.seconds < 60
        assert result.simulations > 0

    @pytest.mark.parametrize("choice", ["visits", "mean", "secure"])
    def test_final_choices(self, fork, choice):
        algorithm = po.TreeSearch("uct", choice=choice)
        assert po.search(fork, algorithm, po.Playouts(3000), seed=1).move == "1"

    @pytest.mark.parametrize("compiled", FORMS)
    def test_more_than_two_players_and_double_moves(self, compiled):
        """Dots-and-Boxes by two, three players: who completes a box moves again."""
        for players in (2, 3):
            game = load_game(f"dotsandboxes:1x1,players={players}")
            state = game.root()
            for _ in range(3):
                moves = game.new_moves()
                game.moves(state[0], moves)
                game.play(state[0], moves[0].copy())
            mover = int(game.turn(state[0]))
            result = po.search(
                game, po.TreeSearch("uct"), po.Playouts(50), state=state, seed=1, compiled=compiled
            )
            assert (result.player, result.value) == (mover, 1.0)  # the last line takes the box


class TestSolver:
    def test_proves_tic_tac_toe_from_a_won_position(self):
        game = load_game("tictactoe")
        state = game.root()
        for text in ("a1", "b1", "a2", "c1"):
            game.play(state[0], game.parse_move(state[0], text))
        algorithm = po.TreeSearch("uct", solver=True)
        result = po.search(game, algorithm, po.Playouts(100_000), state=state, seed=1)
        assert (result.proven, result.value, result.move) == (True, 1.0, "a3")
        assert result.simulations < 1000  # it stops when it knows

    def test_it_stops_at_the_proof_whatever_the_size_of_its_steps(self, monkeypatch):
        found = []
        for seconds in (0.0, 0.001, 10.0):
            monkeypatch.setattr("playout.gametree.stepping.STEP_SECONDS", seconds)
            result = po.search(
                "tictactoe", "uct:solver=true", po.Playouts(50_000), state="xo./.../... x", seed=1
            )
            found.append((result.simulations, [row.visits for row in result.moves]))
            assert result.proven
        assert found[0][0] == sum(found[0][1]) > 100
        assert found[0] == found[1] == found[2]

    def test_proves_a_draw_and_a_loss(self):
        algorithm = po.TreeSearch("uct", solver=True)
        # a1 is 0, a2 is min(0.5, 0.5) = 0.5: the best for the first player is certain
        result = po.search(Fork((1.0, 0.0, 0.5, 0.5)), algorithm, po.Playouts(10_000), seed=1)
        assert (result.proven, result.value, result.move) == (True, 0.5, "1")
        lost = po.search(Fork((1.0, 0.0, 0.0, 1.0)), algorithm, po.Playouts(10_000), seed=1)
        assert (lost.proven, lost.value) == (True, 0.0)

    def test_the_variation_is_the_proof(self):
        """x wins by b2 whatever o does: the variation ends with his line."""
        result = po.search(
            "tictactoe", "uct:solver=true", po.Playouts(5000), state="o.x/.../x.o x", seed=1
        )
        assert (result.proven, result.value) == (True, 1.0)
        game = load_game("tictactoe")
        state = game.read_position("o.x/.../x.o x")
        for text in result.variation:
            game.play(state[0], game.parse_move(state[0], text))
        assert game.reward(state[0], 0) == 1.0

    @pytest.mark.parametrize("compiled", FORMS)
    def test_rewards_of_any_range(self, compiled):
        """What is a win and a loss is what the game says: 1 proves nothing where 3 can be had."""
        stakes = Stakes((1.0, 1.0, 3.0, 3.0))
        session = session_of(stakes, "uct:solver=true", simulations=1, compiled=compiled)
        ranks = [proof_rank(session.tree, value) for value in (None, -3.0, -1.0, 1.0, 3.0)]
        assert ranks == [0, -1, 0, 0, 1]
        result = session.run(po.Playouts(500))
        assert (result.proven, result.value, result.move) == (True, 3.0, "1")

    def test_the_start_of_tic_tac_toe_is_a_draw(self):
        game = load_game("tictactoe")
        algorithm = po.TreeSearch("uct", solver=True, graph="uct2", symmetry=True)
        result = po.search(game, algorithm, po.Playouts(200_000), seed=1)
        assert (result.proven, result.value) == (True, 0.5)

    def test_prove_by_hand(self, fork):
        session = session_of(fork, "uct:solver=true", simulations=6)
        tree = session.tree
        root = int(tree.head[0].root)
        first = int(tree.first[root])
        tree.proof[:] = 0
        one, two = (int(tree.child[edge]) for edge in (first, first + 1))
        tree.proven[one] = (0.5, 0.5)
        tree.proof[one] = 1
        assert not prove(tree, root)  # the other may be better
        tree.proven[two] = (0.0, 1.0)
        tree.proof[two] = 1
        assert prove(tree, root)
        assert tree.proven[root].tolist() == [0.5, 0.5]
        tree.proof[[root, two]] = 0
        tree.proven[one] = (1.0, 0.0)
        assert prove(tree, root)  # a win needs no other


class TestBackups:
    def test_by_hand(self):
        """Four rewards of mean 0.5, the highest 1."""
        assert Mean().value(0.5, 1.0, 4) == 0.5
        assert Max().value(0.5, 1.0, 4) == 1.0
        assert MixMax(mix=0.25).value(0.5, 1.0, 4) == pytest.approx(0.625)
        assert (Mean().wants_top(), Max().wants_top()) == (False, True)
        with pytest.raises(OptionError, match="mix=2"):
            MixMax(mix=2)

    @pytest.mark.long
    def test_mixmax(self, fork):
        session = session_of(fork, "puct:backup=mixmax,mix=0.25", simulations=40)
        tree = session.tree
        edge = int(tree.first[int(tree.head[0].root)])
        mean = tree.edge_totals[edge] / UNIT / tree.edge_visits[edge]
        value = edge_value(tree, edge, 0, session.algorithm.backup)
        assert value == pytest.approx(0.75 * mean + 0.25 * tree.edge_top[edge])
        assert tree.edge_top[edge] in (1.0, 0.5)  # the best end on that side

    @pytest.mark.long
    def test_max_is_what_a_lone_optimist_plays(self, fork):
        algorithm = po.TreeSearch("ucb1tuned", backup="max")
        assert po.search(fork, algorithm, po.Playouts(500), seed=1).moves[0].move == "0"


class TestAmaf:
    @pytest.mark.parametrize("compiled", FORMS)
    def test_statistics_by_hand(self, compiled):
        """After each simulation a node knows its player's later codes, each once."""
        game = load_game("tictactoe")
        session = session_of(game, "rave:nodes=2000", simulations=300, compiled=compiled)
        tree = session.tree
        root = int(tree.head[0].root)
        from playout.gametree.amaf import amaf_entry, amaf_home

        position = session.game.root()
        first, n = int(tree.first[root]), int(tree.count[root])
        for edge in range(first, first + n):
            code = session.game.code(position[0], tree.edge_moves[edge])
            with np.errstate(over="ignore"):
                place = amaf_entry(tree, amaf_home(tree, root), code, False)
            visits = int(tree.amaf_visits[place])
            # at least its own visits, at most all
            assert tree.edge_visits[edge] <= visits <= 300
        assert 0 < (tree.amaf_keys != 0).sum() < len(tree.amaf_keys)

    @pytest.mark.parametrize("most", [3, 12, 1000])
    def test_codes_that_come_again_are_found(self, most):
        """Against a plain look back: few codes, some, and hardly any twice."""
        from playout.gametree.amaf import note_repeats

        random = np.random.default_rng(most)
        codes, movers = random.integers(0, most, 80).astype(np.uint64), random.integers(0, 2, 80)
        before = np.zeros(80, np.int64)
        with np.errstate(over="ignore"):
            note_repeats(codes, movers, before, 80)
        played = list(zip(codes.tolist(), movers.tolist()))
        for j, move in enumerate(played):
            same = [k for k in range(j) if played[k] == move]
            assert before[j] == (same[-1] if same else -1)

    @pytest.mark.long
    def test_grave_plays_well(self):
        game = load_game("tictactoe")
        assert po.search(game, po.TreeSearch("grave"), po.Playouts(3000), seed=1).move == "b2"


class TestMemory:
    def test_a_full_tree_goes_on(self):
        game = load_game("tictactoe")
        session = session_of(game, "uct:nodes=50")
        result = session.run(po.Playouts(5000))
        assert result.full
        assert result.nodes == 50
        assert result.simulations == 5000
        assert sum(move.visits for move in result.moves) == 5000
        assert result.move == "b2"

    @pytest.mark.long
    def test_what_a_node_costs(self):
        session = session_of(load_game("breakthrough"), simulations=2000)
        assert session.tree.bytes_used() / int(session.tree.counters[NODES]) < 1000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("utc", "did you mean uct"),
        ("uct:C", "is not NAME=VALUE"),
        ("uct:C=x", "C=x"),
        ("uct:c=1", "there is no option 'c'"),
        ("uct:C=1,C=2", "given twice"),
        ("uct:playout=unifrom", "did you mean uniform"),
        ("uct:nodes=1", "nodes=1"),
        ("uct:graph=uct4", "did you mean"),
        ("uct:playout=none.py:X", "none.py"),
        ("grave:ref=-1", "ref=-1"),
        ("uct:backup=maxx", "did you mean max"),
        ("uct:mix=0.5", "there is no option 'mix'"),
        ("uct:backup=mixmax,mix=2", "a number from 0 to 1"),
    ],
)
def test_bad_searches(text, says):
    with pytest.raises(PlayoutError, match=says):
        po.TreeSearch.parse(text)


def test_bad_arguments(fork):
    with pytest.raises(OptionError, match="no tree search"):
        TreeSession(fork, "uct")
    with pytest.raises(OptionError, match="Seconds or Playouts"):
        po.search(fork, stop=po.Target(1))
    with pytest.raises(OptionError, match="workers"):
        po.search(fork, workers=0)
    with pytest.raises(OptionError, match="no playout policy"):
        po.TreeSearch("uct", 3)
    with pytest.raises(OptionError, match="is no game"):
        po.search(fork.root())
    with pytest.raises(OptionError, match="no stop criterion"):
        po.search(fork, "uct", "soon")
    with pytest.raises(OptionError, match="seed='one'"):
        po.search(fork, "uct", po.Playouts(1), seed="one")
    with pytest.raises(OptionError, match="an array of one state"):
        po.search(fork, "uct", po.Playouts(1), state=fork.root()[0])
    with pytest.raises(PlayoutError, match="no option 'polish'"):
        po.TreeSearch.parse("uct:polish=true")


def test_uct_is_one_name():
    """What `solve` takes is a tree search too, with the options that both have."""
    same = po.search("tictactoe", "uct:C=0.5,nodes=200000", po.Playouts(200), seed=1)
    found = po.search("tictactoe", po.UCT(C=0.5), po.Playouts(200), seed=1)
    assert found.to_json() | {"seconds": 0} == same.to_json() | {"seconds": 0}
    with pytest.raises(OptionError, match="value='max'"):
        po.search("tictactoe", po.UCT(value="max"))


def test_the_result_is_saved_and_shown(tmp_path):
    result = po.search("tictactoe", "uct", po.Playouts(100), seed=1)
    result.save(tmp_path / "search.json")
    saved = json.loads((tmp_path / "search.json").read_text())
    assert saved == {"format": "playout-search-1", **result.to_json()}
    assert f"<td>{result.move} (value" in result._repr_html_()


def test_arguments_as_objects_and_as_text():
    game = load_game("tictactoe")
    texts = po.search("tictactoe", "uct:C=0.5", "300 playouts", state="xx./oo./... x", seed=7)
    state = game.read_position("xx./oo./... x")
    objects = po.search(game, po.TreeSearch(UCB1(C=0.5)), po.Playouts(300), state=state, seed=7)
    assert texts.to_json() | {"seconds": 0} == objects.to_json() | {"seconds": 0}
    assert texts.move == "c3"


def test_a_search_of_objects_names_its_parts():
    """Two searches that differ have different names, and those of built-in parts can be parsed."""
    search = po.TreeSearch(UCB1(C=0.5), MAST(selection="gibbs", tau=0.2), solver=True)
    assert search.text == "uct:C=0.5,playout=mast,selection=gibbs,tau=0.2,solver=true"
    again = po.TreeSearch.parse(search.text)
    assert (again.policy.C, again.playout.tau, again.options.solver) == (0.5, 0.2, True)
    assert again.new_playout().given == {"selection": "gibbs", "tau": 0.2}


def test_choose_edge_by_hand(fork):
    """Two edges, 10 visits worth 0.5 and 2 worth 0.4: UCB1 takes the second, greed the first."""
    session = session_of(fork, simulations=12)
    tree = session.tree
    root = int(tree.head[0].root)
    first = int(tree.first[root])
    for edge, visits, value in ((first, 10, 0.5), (first + 1, 2, 0.4)):
        tree.edge_visits[edge] = visits
        tree.edge_totals[edge] = int(visits * value * UNIT)
    tree.visits[root] = 12
    # 0.5 + sqrt(ln 12 / 10) = 0.998, 0.4 + sqrt(ln 12 / 2) = 1.515
    assert choose_edge(tree, fork, UCB1(C=1.0), root, root) == first + 1
    assert choose_edge(tree, fork, UCB1(C=0.0), root, root) == first
