"""The games that come with the package, and the way to those that do not.

Importing this package is cheap: a game's module, and Numba with it, is imported when its class
is first asked for. A new game is one file and one line in `GAMES`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from playout.errors import ProblemError, nearest


class Entry(NamedTuple):
    """Where a game's class is, as `module:Class`, a line about it, options that its name sets."""

    place: str
    description: str
    options: Mapping[str, Any] = {}


GAMES: dict[str, Entry] = {
    "tictactoe": Entry("playout.games.tictactoe:TicTacToe", "three in a row on a board of 3x3"),
    "connectfour": Entry(
        "playout.games.connectfour:ConnectFour", "stones that drop, four in a line"
    ),
    "breakthrough": Entry("playout.games.breakthrough:Breakthrough", "pawns race to the far edge"),
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
    "reversi": Entry("playout.games.reversi:Reversi", "stones that turn the other's, as Othello"),
    "hex": Entry("playout.games.hex:Hex", "two edges to connect on a board of hexagons"),
    "dotsandboxes": Entry(
        "playout.games.dotsandboxes:DotsAndBoxes", "who closes a box moves again; most boxes win"
    ),
    "go": Entry("playout.games.go.go:Go", "area scoring, positional superko"),
    "atarigo": Entry("playout.games.go.atarigo:Atarigo", "Go in which who first takes stones wins"),
    "nogo": Entry("playout.games.go.nogo:NoGo", "Go in which nothing may be taken"),
}

_CLASSES = {entry.place.partition(":")[2]: entry.place for entry in GAMES.values()}

# path/to/file.py, then :Class, then :SIZE,OPTION=VALUE
_OWN = re.compile(r"(?P<file>.*\.py(:[A-Za-z_]\w*(?=:|$))?)(:(?P<rest>.*))?")


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

    if own := _OWN.fullmatch(text):
        from playout.contract import Game
        from playout.text.user_files import load_class

        return make_game(load_class(own["file"], Game), own["file"], own["rest"] or "", {})
    name, _, rest = text.partition(":")
    if name == "openspiel":
        from playout.adapters.openspiel_game import OpenSpielGame

        return OpenSpielGame(rest)
    entry = GAMES.get(name)
    if entry is None:
        raise ProblemError(
            f"there is no game {name!r}; {nearest(name, GAMES)} (your own is path/to/file.py:Class)"
        )
    return make_game(_class_at(entry.place), name, rest, entry.options)


def _class_at(place: str) -> Any:
    module, _, cls = place.partition(":")
    return getattr(import_module(module), cls)


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return _class_at(_CLASSES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_CLASSES])


__all__ = ["GAMES", "Entry", "load_game", *_CLASSES]
