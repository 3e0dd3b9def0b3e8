"""The search of a game for which none is named, and the codes that it depends on."""

from __future__ import annotations

import pytest

import playout as po
from playout.check.codes import Codes, look_at_codes
from playout.check.traces import share_without_trace
from playout.errors import OptionError
from playout.games import GAMES, load_game
from playout.gametree.usual_search import GRAVE, grave_helps, usual_search
from playout.matches.player import parse_player
from tests.support.rulesheets import PENNIES, game_of

KALAH = "examples/kalah.py:Kalah"


def test_the_search_suits_the_game(tmp_path):
    wanted = {"bridge": "ismcts", "jass": "ismcts"}
    moving = ["breakthrough", "knightthrough", "misere-breakthrough", "misere-knightthrough"]
    for name in [*moving, "connectfour", "dotsandboxes", "reversi", "tictactoe"]:
        wanted[name] = "puct"
    for name in GAMES:
        if not GAMES.entry(name).takes_text:
            assert usual_search(load_game(name)) == wanted.get(name, GRAVE), name
    assert usual_search(load_game("hex:3"), open=True) == "puct"  # few moves
    assert usual_search(load_game("go:5x5")) == usual_search(load_game("go:13x13")) == GRAVE
    assert usual_search(load_game(KALAH)) == "puct"
    assert usual_search(game_of(tmp_path, PENNIES)) == "uct"
    assert usual_search(load_game("arcade:crates,1")) == "openloop"


def test_codes_that_come_again():
    """By hand: in Tic-tac-toe no cell is played twice, in Kalah six pits are all there is."""
    codes = look_at_codes(load_game("tictactoe"), looked_at=1)
    assert (codes.again, codes.choices) == (0.0, 9.0)
    assert look_at_codes(load_game("tictactoe")).again == 0.0
    assert look_at_codes(load_game(KALAH)).again > 0.6


def test_codes_that_are_legal_already():
    """By hand: a cell of Hex can be played from the beginning, whenever it is."""
    codes = look_at_codes(load_game("hex:5"))
    assert codes.already == 1.0
    assert look_at_codes(load_game("breakthrough:5x5")).already < 0.6  # second steps of pawns


class Cram(po.Game):
    """Dominoes of either way, put by both players; who cannot move loses."""

    def __init__(self, coloured: bool = False):
        self.coloured = coloured
        self.state_type = po.record(on=("i1", (5, 5)), player="i1")
        self.move_type = po.record(row="i1", column="i1", down="i1")
        self.max_moves, self.max_length = 40, 12

    fields = ("coloured",)

    def moves(self, state, moves):
        n = 0
        for row in range(5):
            for column in range(5):
                for down in range(2):
                    end, side = row + down, column + 1 - down
                    if end < 5 and side < 5 and not state.on[row, column] | state.on[end, side]:
                        moves[n].row, moves[n].column, moves[n].down = row, column, down
                        n += 1
        return n

    def play(self, state, move):
        colour = 1 + state.player * self.coloured
        state.on[move.row, move.column] = colour
        state.on[move.row + move.down, move.column + 1 - move.down] = colour
        state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if player != state.player else 0.0


def test_moves_without_a_trace_of_who_made_them():
    """By hand: a domino has no owner, unless it has a colour; nor has a line of Dots and Boxes."""
    assert share_without_trace(Cram()) == 1.0
    assert share_without_trace(Cram(coloured=True)) == 0.0
    assert 0.8 < share_without_trace(load_game("dotsandboxes:2x2")) < 1.0  # a box has an owner
    assert share_without_trace(load_game("hex:4")) == 0.0
    assert share_without_trace(load_game("domineering:4x4")) == 0.0  # nobody has the other's moves
    assert (usual_search(Cram()), usual_search(Cram(coloured=True))) == ("puct", GRAVE)


def test_a_move_without_an_answer_has_no_pair():
    assert share_without_trace(load_game("domineering:1x2")) == 0.0


@pytest.mark.parametrize(
    "changed",
    [{"already": 0.7}, {"choices": 6.0}, {"again": 0.6}],
    ids=lambda changed: next(iter(changed)),
)
def test_each_thing_that_grave_needs(changed):
    helps = Codes(again=0.0, choices=20.0, already=1.0)
    assert grave_helps(helps)
    assert not grave_helps(helps._replace(**changed))


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
        po.search(load_game(KALAH), stop="50 playouts", seed=1, compiled=False).algorithm == "puct"
    )


def test_the_player_auto():
    result = po.match(
        "tictactoe", "auto:simulations=30", "uct", po.Playouts(30), games=4, seed=1, compiled=False
    )
    again = po.match("tictactoe", "puct", "uct", po.Playouts(30), games=4, seed=1, compiled=False)
    assert result.score(0).win_rate == again.score(0).win_rate
    with pytest.raises(OptionError, match="auto chooses its options"):
        parse_player("auto:C=1")


def test_a_playout_policy_is_no_player():
    with pytest.raises(OptionError, match="mast is a playout policy, no player: uct:playout=mast"):
        parse_player("mast")
