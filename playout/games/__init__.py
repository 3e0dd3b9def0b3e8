"""The games that come with the package, and the way to those that do not.

Importing this package is cheap: a game's module, and Numba with it, is imported when its class
is first asked for. A new game is one file and one line in `GAMES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playout.errors import ProblemError
from playout.text.registry import Entry, Registry

GAMES = Registry(
    "game",
    "playout.games",
    {
        "tictactoe": Entry("playout.games.tictactoe:TicTacToe", "three in a row on a board of 3x3"),
        "connectfour": Entry(
            "playout.games.connectfour:ConnectFour", "stones that drop, four in a line"
        ),
        "breakthrough": Entry(
            "playout.games.breakthrough:Breakthrough", "pawns race to the far edge"
        ),
        "misere-breakthrough": Entry(
            "playout.games.breakthrough:Breakthrough", "who gets there loses", {"misere": True}
        ),
        "knightthrough": Entry("playout.games.knightthrough:Knightthrough", "knights race forward"),
        "misere-knightthrough": Entry(
            "playout.games.knightthrough:Knightthrough", "who gets there loses", {"misere": True}
        ),
        "domineering": Entry(
            "playout.games.domineering:Domineering", "upright dominoes against lying ones"
        ),
        "misere-domineering": Entry(
            "playout.games.domineering:Domineering", "who has no room wins", {"misere": True}
        ),
        "reversi": Entry(
            "playout.games.reversi:Reversi", "stones that turn the other's, as Othello"
        ),
        "hex": Entry("playout.games.hex:Hex", "two edges to connect on a board of hexagons"),
        "dotsandboxes": Entry(
            "playout.games.dotsandboxes:DotsAndBoxes",
            "who closes a box moves again; most boxes win",
        ),
        "go": Entry("playout.games.go.go:Go", "area scoring, positional superko"),
        "atarigo": Entry(
            "playout.games.go.atarigo:Atarigo", "Go in which who first takes stones wins"
        ),
        "nogo": Entry("playout.games.go.nogo:NoGo", "Go in which nothing may be taken"),
        "bridge": Entry(
            "playout.games.bridge:Bridge", "the play of the cards in one contract: bridge:3NT,S"
        ),
        "jass": Entry(
            "playout.games.jass.jass:Jass", "four players, tricks with trumps, hidden cards"
        ),
        "gdl": Entry(
            "playout.ggp.game:GDLGame",
            "any game from its rulesheet: gdl:connectFour.kif",
            takes_text=True,
        ),
        "arcade": Entry(
            "playout.arcade:arcade_game",
            "a video game on one of its levels: arcade:orchard,1",
            takes_text=True,
        ),
        "openspiel": Entry(
            "playout.adapters.openspiel_game:OpenSpielGame",
            "a game of OpenSpiel's by its name there, interpreted: openspiel:hex(board_size=4)",
            takes_text=True,
        ),
    },
    base="playout.contract:Game",
    error=ProblemError,
    commands="playout play, analyse, match or prove",
    sibling="playout.problems:PROBLEMS",
)

if TYPE_CHECKING:
    from playout.games.breakthrough import Breakthrough as Breakthrough
    from playout.games.bridge import Bridge as Bridge
    from playout.games.connectfour import ConnectFour as ConnectFour
    from playout.games.domineering import Domineering as Domineering
    from playout.games.dotsandboxes import DotsAndBoxes as DotsAndBoxes
    from playout.games.go.atarigo import Atarigo as Atarigo
    from playout.games.go.go import Go as Go
    from playout.games.go.nogo import NoGo as NoGo
    from playout.games.hex import Hex as Hex
    from playout.games.jass.jass import Jass as Jass
    from playout.games.knightthrough import Knightthrough as Knightthrough
    from playout.games.reversi import Reversi as Reversi
    from playout.games.tictactoe import TicTacToe as TicTacToe


def load_game(text: str) -> Any:
    """The game that a text names: `NAME`, `NAME:SIZE` or `NAME:SIZE,OPTION=VALUE,...`.

    NAME is one of `GAMES` or `path/to/file.py:Class`. SIZE is columns x rows (`5x4` is five columns
    and four rows), or one number for a square board. The options are the keyword arguments of
    the class; without a size, `NAME:OPTION=VALUE`. `openspiel:hex(board_size=4)` is a game of
    OpenSpiel's, interpreted.

    >>> load_game("tictactoe").max_moves
    9
    """
    from playout.games.game_text import make_game  # not needed to list the games

    return make_game(text)


def __getattr__(name: str) -> Any:
    return GAMES.class_named(name, __name__)


def __dir__() -> list[str]:
    return sorted([*globals(), *GAMES.class_names()])
