"""Games from rulesheets: against naive rules, native games, and by hand."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from playout.check import check_problem
from playout.compiled import wrapping
from playout.errors import DataError, OptionError
from playout.games import load_game
from playout.ggp.game import GDLGame
from playout.ggp.puzzle import GDLPuzzle
from playout.solvers.prover import Prover
from tests.support.datafolder import data, needs_data
from tests.support.naive_gdl import NaiveRules
from tests.support.perft import perft
from tests.support.rulesheet_variety import VARIETY
from tests.support.rulesheets import DOORS, PENNIES, game_of


def goals(game, state):
    with wrapping():
        return [round(100 * game.goal_of(state, role)) for role in range(game.roles)]


def assert_plays_as_naive_rules(game, text, games, seed):
    naive = NaiveRules(text)
    rng = np.random.default_rng(seed)
    for _ in range(games):
        states, facts = game.root(), naive.start()
        while True:
            state = states[0]
            legal, over, values = naive.look(facts)
            assert set(game.facts(state)) == facts
            assert [set(game.role_moves(state, role)) for role in range(game.roles)] == legal
            assert game.is_terminal(state) == over
            assert goals(game, state) == values
            anew = game.read_position(game.position_text(state))
            assert [game.role_moves(anew[0], r) for r in range(game.roles)] == [
                game.role_moves(state, r) for r in range(game.roles)
            ]
            if over:
                break
            joint = [sorted(moves, key=str)[rng.integers(len(moves))] for moves in legal]
            for one in (states, anew):
                game.play_joint(one[0], joint)
            assert game.position_text(anew[0]) == game.position_text(state)
            facts = naive.after(facts, joint)


@pytest.mark.parametrize("text", [PENNIES, DOORS])
def test_plays_as_naive_rules(tmp_path, text):
    assert_plays_as_naive_rules(game_of(tmp_path, text), text, 6, 1)


@pytest.mark.parametrize("name", VARIETY)
def test_games_of_many_kinds_play_as_naive_rules(tmp_path, name):
    assert_plays_as_naive_rules(game_of(tmp_path, VARIETY[name]), VARIETY[name], 1, 4)


@pytest.mark.parametrize("name", ["auction", "pieces"])
def test_rules_that_are_split_play_as_naive_rules(tmp_path, monkeypatch, name):
    whole = game_of(tmp_path, VARIETY[name]).loaded.grounded
    monkeypatch.setattr("playout.ggp.ground.SPLIT_ALL_FROM", 10)
    monkeypatch.setattr("playout.ggp.splitting._UNFOLD_FROM", 5)
    game = game_of(tmp_path, VARIETY[name], instances=whole.instances - 1)
    assert game.loaded.grounded.rules != whole.rules
    assert_plays_as_naive_rules(game, VARIETY[name], 1, 5)


def test_what_needs_itself_is_a_cycle_and_holds_by_the_least_fixed_point(tmp_path):
    game = game_of(tmp_path, DOORS)
    assert len(game.network.cycles) == 2
    states = game.root()
    for move in ("(toggle 4 1)", "(toggle 1 2)", "(toggle 4 5)", "(toggle 4 1)"):
        game.play_move(states[0], game.parse_move(states[0], move))
    # rooms 4 and 5 were reached through each other; now nothing holds them up
    assert game.position_text(states[0]) == "(count 4) (saw 1) (saw 4)"
    assert len(game.legal_moves(states[0])) == 7


@needs_data("ggp/required/ticTacToe.kif")
def test_tictactoe_plays_as_naive_rules():
    path = data("ggp/required/ticTacToe.kif")
    assert_plays_as_naive_rules(GDLGame(str(path)), path.read_text(), 1, 3)


def test_roles_choose_one_after_another_and_one_without_a_choice_is_passed_over(tmp_path):
    game = game_of(tmp_path, PENNIES)
    states = game.root()
    state = states[0]
    assert game.players == 2
    assert game.network.turns is None
    assert game.turn(state) == 0
    assert game.move_text(state, game.legal_moves(state)[0]) == "heads"
    game.play_move(state, game.parse_move(state, "heads"))
    assert game.turn(state) == 1
    assert game.position_text(state) == "(does even heads)"
    assert game.turn(game.read_position("(does even heads)")[0]) == 1
    game.play_move(state, game.parse_move(state, "TAILS"))
    assert game.position_text(state) == "(shown even heads) (shown odd tails)"
    assert game.is_over(state)
    assert game.final_rewards(state) == [0.0, 1.0]


def test_a_role_without_a_legal_move_is_told_with_the_position(tmp_path):
    text = """(role robot) (init (at 1)) (<= (legal robot go) (true (at 1)))
    (<= (next (at 2)) (true (at 1))) (<= terminal (true (at 3))) (goal robot 10)"""
    game = game_of(tmp_path, text)
    states = game.root()
    said = r"robot has no legal move, and the game has not ended: \(at 2\)"
    with pytest.raises(DataError, match=said):
        game.play_joint(states[0], ["go"])
    assert game.is_over(states[0])  # to a search
    with pytest.raises(DataError, match=said):
        game.parse_move(states[0], "go")


def test_a_game_without_a_bound_ends_after_its_steps(tmp_path):
    text = """(role robot) (init (at 1)) (legal robot a) (legal robot b)
    (<= (next (at 1)) (true (at 1))) (<= terminal (true (at 3))) (goal robot 10)"""
    assert game_of(tmp_path, text).max_length == 500
    game = game_of(tmp_path, text, steps=3)
    states = game.root()
    for _ in range(3):
        game.play_move(states[0], game.legal_moves(states[0])[0])
    assert game.is_over(states[0])
    assert game.final_rewards(states[0]) == [0.1]


def test_a_counter_bounds_the_game(tmp_path):
    assert game_of(tmp_path, DOORS).max_length == 9


@pytest.mark.long
@pytest.mark.parametrize("text", [PENNIES, DOORS])
def test_keeps_the_contract(tmp_path, text):
    report = check_problem(game_of(tmp_path, text))
    assert not report.problems, str(report)


def test_positions_and_moves_are_read(tmp_path):
    game = game_of(tmp_path, DOORS)
    state = game.read_position("(count 3) (OPEN 1 2)(open 2 3)")[0]
    assert game.move_text(state, game.parse_move(state, "toggle 1  2")) == "(toggle 1 2)"
    assert game.parse_move(state, "switch") == game.parse_move(state, "( Switch )")
    with pytest.raises(DataError, match="can hold in no position"):
        game.read_position("(count 77)")
    with pytest.raises(DataError, match="not a legal move"):
        game.parse_move(state, "(toggle 12)")


@needs_data("ggp/required/connectFour.kif")
def test_a_board_is_found_and_drawn():
    game = GDLGame(str(data("ggp/required/connectFour.kif")))
    states = game.root()
    for move in ("drop 1", "drop 1", "drop 8"):
        game.play_joint(states[0], [game_term(game, states[0], move, r) for r in range(2)])
    lines = game.render(states[0]).splitlines()
    assert lines[4] == "2 b . . . . . . ."
    assert lines[5:] == [
        "1 r . . . . . . r",
        "  1 2 3 4 5 6 7 8",
        "b black, r red",
        "(control black)",
    ]
    picture = ElementTree.fromstring(game.svg(states[0]))
    assert sum(element.tag.endswith("circle") for element in picture.iter()) == 3


def game_term(game, state, text, role):
    """A role's move: what a text says, or its no-op."""
    legal = game.role_moves(state, role)
    return ("drop", text.split()[1]) if len(legal) > 1 else legal[0]


def test_facts_without_a_board_are_listed(tmp_path):
    game = game_of(tmp_path, PENNIES)
    assert game.render(game.read_position("(shown even heads)")[0]) == "(shown even heads)"
    ElementTree.fromstring(game.svg(game.root()[0]))


NATIVE = [
    ("ticTacToe", "tictactoe", 6),
    ("connectFour", "connectfour:8x6", 5),
    pytest.param("breakthrough", "breakthrough:8x8", 3, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("name", "native", "depth"), NATIVE)
@needs_data("ggp/required/ticTacToe.kif")
def test_has_as_many_games_as_the_native_one(name, native, depth):
    game = GDLGame(str(data(f"ggp/required/{name}.kif")))
    assert perft(game, depth) == perft(load_game(native), depth)


@needs_data("ggp/extra/maze.kif")
def test_a_puzzle_is_a_problem():
    (puzzle,) = GDLPuzzle.read(data("ggp/extra/maze.kif"))
    assert puzzle.players == 1
    states = puzzle.root()
    while len(legal := puzzle.legal_moves(states[0])):
        puzzle.play_move(states[0], legal[0])
    assert 0 <= puzzle.final_score(states) <= 100
    with pytest.raises(DataError, match="has 2 roles"):
        GDLPuzzle.read(data("ggp/required/ticTacToe.kif"))


def test_a_solver_refuses_goals_that_do_not_add_up(tmp_path):
    text = """(role a) (role b) (init (control a))
    (<= (legal ?r (take ?n)) (true (control ?r)) (amount ?n)) (amount 1) (amount 2)
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (control b)) (true (control a))) (<= (next done) (true (control b)))
    (<= (next (control a)) (true (control b))) (<= terminal (true done))
    (goal a 100) (goal b 50)"""
    game = game_of(tmp_path, text)
    assert not game.simultaneous
    with pytest.raises(OptionError, match="add up to 150"):
        Prover(game)
