"""A game from its text: a name, a size and options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from playout.contract import Game
from playout.errors import DataError, OptionError, ProblemError
from playout.games import GAMES
from playout.text.grammar import Named, parse_named
from playout.text.options import Option, class_options, needed_options, parse_values
from playout.text.registry import Entry
from playout.text.user_files import is_user_file

_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")


def make_game(text: str) -> Any:
    """The game that `NAME:SIZE,OPTION=VALUE,...` names; see `load_game`."""
    name, _, rest = text.partition(":")
    entry = GAMES.entry(name) if name in GAMES else Entry("")
    if entry.takes_text:
        return GAMES[name](rest)
    named = parse_named(text, GAMES, sized=True)
    cls = GAMES.find(named.name)
    options = needed_options(cls) | class_options(cls)
    values: dict[str, Any] = dict(entry.options)
    if named.first:
        values |= _leading_options(named, cls, options) or _size_options(
            named, options, entry.options
        )
    for key in named.options:
        if key in values:
            what = "set by the name of the game" if key in entry.options else "given twice"
            raise OptionError(f"{named.name}: {key} is {what}")
    values |= parse_values(named.name, options, named.options)
    try:
        inspect.signature(cls).bind(**values)
    except TypeError as error:
        raise ProblemError(f"{named.name} cannot be made without options: {error}") from None
    return cls(**values)


def game_of_file(text: str, named: str | None = None) -> Any:
    """The game that a file, such as a transcript, says it is of; `named`: what the user has named.

    Loading a class from a Python file runs that file. So a file that was read may name what is
    registered, and a user's own class only if the user has named that very one.
    """
    name = parse_named(text, GAMES, sized=True).name
    if name not in GAMES and is_user_file(name) and text != named:
        raise DataError(f"it is of {text!r}: to run that file, name the game in the command too")
    return make_game(text)


def _leading_options(named: Named, cls: Any, options: Mapping[str, Option]) -> dict[str, Any]:
    """The options that the first words stand for, in a game that has such: `bridge:3NT,S`."""
    names = getattr(cls, "leading", ())
    words = named.first.split(",")
    if not names:
        return {}
    if len(words) > len(names):
        raise OptionError(
            f"{named.name}: {words[len(names)]!r} is not OPTION=VALUE; {_known(options, {})}"
        )
    return parse_values(named.name, options, dict(zip(names, words)))


def _size_options(
    named: Named, options: Mapping[str, Option], fixed: Mapping[str, Any]
) -> dict[str, int]:
    """The options that a size stands for."""
    name = named.name
    first, *more = named.first.split(",")
    size = _SIZE.fullmatch(first)
    if size is None or more:
        raise OptionError(
            f"{name}: {(more or [first])[0]!r} is neither a size, such as 8x8 (columns x rows, and "
            f"first), nor OPTION=VALUE; {_known(options, fixed)}"
        )
    width, height = int(size[1]), int(size[2] or size[1])
    if "width" in options and "height" in options:
        return {"width": width, "height": height}
    if "size" not in options:
        raise OptionError(f"{name} has one size only: leave {first} out; {_known(options, fixed)}")
    if width != height:
        raise OptionError(f"{name} has square boards only, such as {width}x{width}")
    return {"size": width}


def _known(options: Mapping[str, Option], fixed: Mapping[str, Any]) -> str:
    rest = [name for name in options if name not in fixed]
    return f"the options are {', '.join(rest)}" if rest else "it has no options"


def as_game(game: Any) -> Game:
    """A game that is given as such, or as the text that names it."""
    found = make_game(game) if isinstance(game, str) else game
    if not isinstance(found, Game):
        raise OptionError(
            f"{game!r} is no game: give a text such as 'connectfour', or an instance of a "
            "playout.Game class"
        )
    return found


def text_of_position(game: Game, position: np.ndarray) -> str:
    """A position, an array of one state, in one line; empty if the game has no notation."""
    try:
        return game.position_text(position[0])
    except DataError:
        return ""
