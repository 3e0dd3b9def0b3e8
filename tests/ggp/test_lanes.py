"""64 games at a time are the games that the rules play, and a tree search of them is a search."""

from __future__ import annotations

import re

import numpy as np
import pytest

import playout as po
from playout.cli import main
from playout.compiled import kernel, wrapping
from playout.compiled.bits import bit
from playout.compiled.random import random_below, stream_of
from playout.errors import OptionError
from playout.gametree.tree_arrays import EDGES
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession, check_search
from playout.ggp.lane_team import quicker
from playout.ggp.lanes import LANES, Lanes, bit_number, turn_over
from tests.support.datafolder import data, needs_data
from tests.support.random_rulesheets import random_rulesheet
from tests.support.rulesheet_variety import VARIETY
from tests.support.rulesheets import DOORS, PENNIES, game_of

# Who takes the last of seven stones has won; two of them at a time, or one.
STONES = """
(role a) (role b) (init (left 7)) (init (turn a))
(minus 7 1 6) (minus 6 1 5) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
(minus 7 2 5) (minus 6 2 4) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (left ?m)) (minus ?m ?n ?k))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (next (left ?k)) (does ?r (take ?n)) (true (left ?m)) (minus ?m ?n ?k))
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= terminal (true (left 0)))
(<= (goal a 100) (true (turn b))) (<= (goal a 0) (true (turn a)))
(<= (goal b 100) (true (turn a))) (<= (goal b 0) (true (turn b)))
"""


class Pair:
    """A game of a lane, and the same one by the rules."""

    def __init__(self, game, lanes, lane, number):
        self.game, self.lanes, self.lane = game, lanes, lane
        self.states = game.root()
        self.rng = np.array([stream_of(5, number)], np.uint64)
        lanes.rng[lane] = self.rng[0]
        lanes.put(lane, self.states[0].truths, self.states[0].step)

    def play_step(self):
        """A step by the rules; whether there was one."""
        state = self.states[0]
        before = int(state.step)
        while int(state.step) == before and len(legal := self.game.legal_moves(state)):
            self.game.play(state, legal[random_below(self.rng, len(legal))])
        return int(state.step) > before

    def facts_in_lane(self):
        words = self.lanes.words[1 : 1 + self.lanes.bases]
        return [
            base
            for base, word in zip(self.game.network.bases, words, strict=True)
            if int(word) >> self.lane & 1
        ]

    def assert_same_goals(self):
        for role in range(self.game.roles):
            mine = self.lanes.goal_in(self.lane, role)
            assert mine == self.game.final_goal(self.states[0], role)


def assert_plays_as_the_rules(game, games):
    """Games in lanes that are far apart, begun when others are under way."""
    lanes = Lanes(game)
    with wrapping():
        playing = {lane: Pair(game, lanes, lane, lane) for lane in (0, 1, 31, 63)}
        ended = 0
        while playing:
            active = np.uint64(sum(1 << lane for lane in playing))
            over = int(lanes.advance(active))
            for lane, pair in list(playing.items()):
                assert pair.play_step() == (not over >> lane & 1)
                if not over >> lane & 1:
                    assert pair.facts_in_lane() == game.facts(pair.states[0])
                    assert lanes.rng[lane] == pair.rng[0]
                    continue
                pair.assert_same_goals()
                ended += 1
                del playing[lane]
                if ended + len(playing) < games:
                    playing[lane] = Pair(game, lanes, lane, 100 + ended)
            assert over & ~int(active) == 0
    assert ended == games


@pytest.mark.parametrize("name", VARIETY)
def test_lanes_play_as_the_rules(tmp_path, name):
    game = game_of(tmp_path, VARIETY[name])
    if game.network.cycles:
        with pytest.raises(OptionError, match="follow from one another"):
            Lanes(game)
        return
    assert_plays_as_the_rules(game, 6)


@pytest.mark.parametrize("text", [PENNIES, STONES], ids=["pennies", "stones"])
def test_lanes_play_small_games_as_the_rules(tmp_path, text):
    assert_plays_as_the_rules(game_of(tmp_path, text), 12)


def test_a_game_ends_at_its_limit_or_without_a_move_in_a_lane_too(tmp_path):
    assert_plays_as_the_rules(game_of(tmp_path, STONES, steps=3), 8)
    stuck = STONES.replace("(<= terminal (true (left 0)))", "(<= terminal (true (left 9)))")
    assert_plays_as_the_rules(game_of(tmp_path, stuck), 8)


@pytest.mark.parametrize("seed", range(12))
def test_lanes_play_random_rulesheets_as_the_rules(tmp_path, seed):
    game = game_of(tmp_path, random_rulesheet(seed))
    if not game.network.cycles:
        assert_plays_as_the_rules(game, 6)


def test_a_square_of_bits_is_turned_over():
    rng = np.random.default_rng(1)
    before = rng.integers(1 << 63, size=64, dtype=np.uint64)
    block = before.copy()
    with wrapping():
        turn_over(block)
    for i in (0, 1, 17, 63):
        assert [int(block[j]) >> i & 1 for j in range(64)] == [
            int(before[i]) >> j & 1 for j in range(64)
        ]


def test_the_number_of_a_bit():
    word = np.uint64(1 << 63 | 1 << 40 | 0b1011)
    with wrapping():
        assert [bit_number(word, k) for k in range(5)] == [0, 1, 3, 40, 63]


# the search


IN_LANES = "uct:parallel=lanes"


def session_of(game, search=IN_LANES, **settings):
    return TreeSession(game, TreeSearch.parse(search), seed=3, **{"compiled": False} | settings)


def test_a_search_in_lanes_counts_every_simulation_once(tmp_path):
    session = session_of(game_of(tmp_path, STONES))
    result = session.run(po.Playouts(150))
    tree = session.tree
    root = int(tree.head[0].root)
    assert result.simulations == tree.visits[root] == 150
    assert sum(move.visits for move in result.moves) == 150
    assert not tree.edge_loss[: int(tree.counters[EDGES])].any()  # nothing is under way


def test_a_search_in_lanes_is_the_same_in_steps_of_any_size(tmp_path):
    game = game_of(tmp_path, STONES)
    found = []
    for goals in ((200,), (1, 7, 63, 64, 65, 150, 199, 200)):
        session = session_of(game)
        session.run(po.Playouts(1))  # stands at the start
        session.set_position(game.root())
        session.team.begin(1, 3)
        with wrapping():
            for goal in goals:
                session.team.simulate(goal)
            session.team.end()
        tree = session.tree
        used = int(tree.counters[EDGES])
        found.append((tree.edge_visits[:used].tolist(), tree.edge_totals[:used].tolist()))
    assert found[0] == found[1]


def test_a_search_in_lanes_that_was_broken_off_leaves_no_loss_behind(tmp_path):
    session = session_of(game_of(tmp_path, STONES))

    def break_off(progress):
        if progress.playouts > 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.run(po.Playouts(1000), break_off)
    used = int(session.tree.counters[EDGES])
    assert session.tree.edge_loss[:used].any()
    session.run(po.Playouts(100))
    assert not session.tree.edge_loss[: int(session.tree.counters[EDGES])].any()


def test_a_search_in_lanes_proves_and_plays_at_the_same_time(tmp_path):
    proven = session_of(game_of(tmp_path, STONES), "uct:parallel=lanes,solver=true")
    result = proven.run(po.Playouts(2000))
    assert (result.proven, result.move) == (1.0, "(take 1)")  # six are lost for the other
    pennies = session_of(game_of(tmp_path, PENNIES)).run(po.Playouts(150))
    assert pennies.value == pytest.approx(0.5, abs=0.2)
    visits = {role: sum(row.visits for row in rows) for role, rows in pennies.choices.items()}
    assert visits == {0: 150, 1: 149}  # the first simulation made the second player's node


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        ("uct:parallel=lanes,playout=mast", "leave playout out"),
        ("grave:parallel=lanes", "the moves of playouts"),
    ],
)
def test_what_lanes_cannot_play_is_refused(tmp_path, search, reason):
    with pytest.raises(OptionError, match=reason):
        session_of(game_of(tmp_path, STONES), search)


def test_lanes_are_for_rulesheets_without_cycles(tmp_path):
    for refuse in (session_of, lambda game: check_search(game, TreeSearch.parse(IN_LANES))):
        with pytest.raises(OptionError, match="rulesheets"):
            refuse(po.load_game("tictactoe"))
    with pytest.raises(OptionError, match="follow from one another"):
        session_of(game_of(tmp_path, DOORS))


@pytest.mark.parametrize(("worth", "taken"), [(0.0, "lanes"), (1e9, "tree")])
def test_the_quicker_of_two_is_taken(tmp_path, monkeypatch, worth, taken):
    monkeypatch.setattr("playout.ggp.lane_team.WORTH", worth)
    game = game_of(tmp_path, STONES)
    plain = session_of(game, "uct:C=0.5")
    found = quicker(plain, 0.01)
    assert found.algorithm.options.parallel == taken
    assert found.algorithm.policy is plain.algorithm.policy
    assert (found.algorithm.text == "uct:C=0.5,parallel=lanes") == (taken == "lanes")
    chosen = session_of(game, "uct:parallel=root")
    assert quicker(chosen, 0.01) is chosen
    assert quicker(session_of(game, "grave"), 0.01).algorithm.options.parallel == "tree"


# compiled


@pytest.mark.long
def test_check_says_what_a_search_makes_with_and_without_lanes(tmp_path, capsys):
    path = tmp_path / "stones.kif"
    path.write_text(STONES)
    assert main(["ggp", "check", str(path), "--seconds", "0.1"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "simulations/s" in line]
    assert [line.split()[1] for line in lines] == ["uct:", "uct:parallel=lanes:"]


def test_check_says_why_there_are_no_lanes(tmp_path, monkeypatch, capsys):
    path = tmp_path / "doors.kif"
    path.write_text(DOORS)
    for slow in ("_random_games", "_search"):
        monkeypatch.setattr(f"playout.ggp.look_over.{slow}", lambda *_: None)
    assert main(["ggp", "check", str(path)]) == 0
    assert re.search("64 at a time +no: .* follow from one another", capsys.readouterr().out)


@kernel
def play_by_rules(game, root, states, moves, rng, goals):
    for number in range(len(goals)):
        rng[0] = stream_of(7, number)
        states[0] = root[0]
        state = states[0]
        while True:
            n = game.moves(state, moves)
            if n == 0:
                break
            game.play(state, moves[random_below(rng, n)])
        for role in range(goals.shape[1]):
            goals[number, role] = game.final_goal(state, role)


@kernel
def play_in_lanes(lanes, root, goals):
    for first in range(0, len(goals), LANES):
        active = np.uint64(0)
        for lane in range(min(LANES, len(goals) - first)):
            lanes.rng[lane] = stream_of(7, first + lane)
            lanes.put(lane, root[0].truths, root[0].step)
            active |= bit(lane)
        while active != np.uint64(0):
            over = lanes.advance(active)
            for lane in range(LANES):
                if over & bit(lane) != np.uint64(0):
                    for role in range(goals.shape[1]):
                        goals[first + lane, role] = lanes.goal_in(lane, role)
            active &= ~over


@needs_data("ggp/extra/god.kif")
@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["required/ticTacToe", "extra/3pttc", "extra/roshambo2", "extra/nim1", "extra/god"]
)
def test_compiled_lanes_play_the_games_of_the_rules(name):
    game = po.load_game(f"gdl:{data(f'ggp/{name}.kif')}")
    by_rules, in_lanes = np.zeros((2, 200, game.roles))
    play_by_rules(
        *(game, game.root(), game.new_states(1), game.new_moves(), np.zeros(1, np.uint64)),
        by_rules,
    )
    play_in_lanes(Lanes(game), game.root(), in_lanes)
    assert np.array_equal(by_rules, in_lanes)


@pytest.mark.long
def test_a_compiled_search_in_lanes_is_the_plain_one_and_has_workers(tmp_path):
    game = game_of(tmp_path, STONES)
    found = [
        session_of(game, compiled=compiled).run(po.Playouts(300)) for compiled in (False, True)
    ]
    assert found[0].moves == found[1].moves
    both = session_of(game, workers=2, compiled=True).run(po.Playouts(2500))
    assert both.simulations == 2500
