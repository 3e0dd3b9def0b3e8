"""The search of a game for which none is named, and the codes that it depends on."""

from __future__ import annotations

import pytest

import playout as po
from playout.check.codes import look_at_codes
from playout.errors import OptionError
from playout.games import GAMES, load_game
from playout.gametree.usual_search import GRAVE, usual_search
from playout.matches.player import parse_player
from tests.support.rulesheets import PENNIES, game_of

KALAH = "examples/kalah.py:Kalah"


def test_the_search_suits_the_game(tmp_path):
    wanted = {"bridge": "ismcts", "jass": "ismcts", "tictactoe": "uct", "connectfour": "uct"}
    for name in GAMES:
        if not GAMES.entry(name).takes_text:
            assert usual_search(load_game(name)) == wanted.get(name, GRAVE), name
    assert usual_search(load_game("hex:3"), open=True) == "uct"  # few moves
    assert usual_search(load_game(KALAH)) == "uct"
    assert usual_search(game_of(tmp_path, PENNIES)) == "uct"
    assert usual_search(load_game("arcade:crates,1")) == "openloop"


def test_codes_that_come_again():
    """By hand: in Tic-tac-toe no cell is played twice, in Kalah six pits are all there is."""
    codes = look_at_codes(load_game("tictactoe"), looked_at=1)
    assert (codes.again, codes.choices) == (0.0, 9.0)
    assert look_at_codes(load_game("tictactoe")).again == 0.0
    assert look_at_codes(load_game(KALAH)).again > 0.6


def test_check_tells_of_codes_that_mislead():
    report = po.check_problem(load_game(KALAH), games=2, compiled=False)
    assert report.passed
    assert "grave and rave would be misled" in report.notes[-1]
    assert not po.check_problem(load_game("tictactoe"), games=2, compiled=False).notes


def test_the_plain_search_is_the_usual_one():
    one = po.search("hex:4", stop="50 playouts", seed=1, compiled=False)
    other = po.search("hex:4", "auto", "50 playouts", seed=1, compiled=False)
    assert one.algorithm == other.algorithm == GRAVE
    assert one.move == other.move
    assert (
        po.search(load_game(KALAH), stop="50 playouts", seed=1, compiled=False).algorithm == "uct"
    )


def test_the_player_auto():
    result = po.match(
        "tictactoe", "auto:simulations=30", "uct", po.Playouts(30), games=4, seed=1, compiled=False
    )
    again = po.match("tictactoe", "uct", "uct", po.Playouts(30), games=4, seed=1, compiled=False)
    assert result.score(0).win_rate == again.score(0).win_rate
    with pytest.raises(OptionError, match="auto chooses its options"):
        parse_player("auto:C=1")


def test_a_playout_policy_is_no_player():
    with pytest.raises(OptionError, match="mast is a playout policy, no player: uct:playout=mast"):
        parse_player("mast")
