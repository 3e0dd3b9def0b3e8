"""Matches that cannot be played: each is refused in one line that says why."""

from __future__ import annotations

import pytest

import playout as po
from playout.errors import OptionError, PlayoutError
from tests.support.small_matches import tictactoe

SOLO = """
import playout

class Solo(playout.Problem):
    def __init__(self):
        self.state_type = self.move_type = playout.record(x="i8")
        self.max_moves = self.max_length = 1
    def reset(self, state): pass
    def moves(self, state, moves): return 0
    def play(self, state, move): pass
    def score(self, state): return 0.0
"""


@pytest.mark.parametrize(
    ("players", "settings", "says"),
    [
        (("random",), {}, "name 2 players or more"),
        ((), {}, "name 2 players or more"),
        (("random", 3), {}, "3 is no player"),
        (("random", "uctt"), {}, "no player 'uctt'; did you mean uct"),
        (("random", ""), {}, "no player ''"),
        (("random:x=1", "uct"), {}, "random has no options"),
        (("random", "uct:simulatons=5"), {}, "did you mean simulations"),
        (("random", "uct:simulations=0"), {}, "simulations=0: a whole number over 0"),
        (("random", "uct:simulations=1.5"), {}, "a whole number over 0"),
        (("random", "uct:seconds=x"), {}, "seconds=x: a number over 0"),
        (("random", "uct:seconds=nan"), {}, "a number over 0"),
        (("random", "uct:seconds=1,simulations=2"), {}, "not both"),
        (("random", "uct:seconds=1,seconds=2"), {}, "given twice"),
        (("random", "uct:C"), {}, "'C' is not NAME=VALUE"),
        (("random", "uct:symmetry=true"), {}, "graph=uct1"),
        (("random", "uct:nodes=1"), {}, "nodes=1: a whole number of at least 2"),
        (("random", "uct:C=x"), {}, "uct:C=x: C=x: a number"),
        (("random", "uct:playout=mast,epsilon=2"), {}, "epsilon=2: epsilon=2.0: a number from"),
        (("random", "random"), {"games": 0}, "games=0"),
        (("random", "random"), {"games": 10**11}, r"games=100000000000: .* to 1000000"),
        (("random", "random"), {"games": True}, "games=True"),
        (("random", "random"), {"seconds": 1.0}, "not both"),
        (("random", "random"), {"simulations": 0}, "Playouts"),
        (("random", "random"), {"seed": -1}, "seed=-1"),
        (("random", "random"), {"seed": 2**64}, "seed="),
        (("random", "random"), {"workers": 0}, "workers=0"),
        (("random", "random"), {"opening": -1}, "opening=-1"),
        (("random", "random"), {"opening": 9}, "ends a game of TicTacToe: give fewer"),
        (("random", "random"), {"sprt": "10"}, "elo0,elo1"),
        (("random", "no_such.py:Player"), {}, "no_such.py"),
    ],
)
def test_refused(players, settings, says):
    with pytest.raises(PlayoutError, match=says):
        tictactoe(*players, **settings)


def test_games_that_cannot_be_played(tmp_path):
    (tmp_path / "solo.py").write_text(SOLO)
    with pytest.raises(PlayoutError, match="did you mean tictactoe"):
        po.match("tictacto", "random", "random")
    with pytest.raises(OptionError, match="is no game"):
        po.match(3, "random", "random")
    with pytest.raises(OptionError, match="one player"):
        po.match(f"{tmp_path}/solo.py:Solo", "random", "random")


def test_a_search_that_needs_what_the_game_lacks():
    class Plain(po.games.TicTacToe):
        symmetries = 1

    with pytest.raises(OptionError, match=r"uct:graph=uct1,symmetry=true: .*no symmetries"):
        po.match(Plain(), "uct:graph=uct1,symmetry=true", "random")


@pytest.mark.parametrize(
    ("method", "gives", "says"),
    [
        ("turn", lambda self, state: 2, r"turn\(\) returned 2; the first of 2 players is 0"),
        ("moves", lambda self, state, moves: None, r"moves\(\) returned None; it should fill"),
    ],
)
def test_a_game_that_returns_what_it_should_not(monkeypatch, method, gives, says):
    game = po.games.TicTacToe()
    monkeypatch.setattr(type(game), method, gives)
    with pytest.raises(PlayoutError, match=says):
        po.match(game, "random", "random", games=1, compiled=False, seed=1)
