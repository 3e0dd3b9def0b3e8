"""Moves as somebody gives them: texts, values as a saved result has them, records, numbers.

Whoever names a sequence of moves may write it in any of these forms, and is told which move is
wrong. All of it is plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.contract.visible import move_texts
from playout.errors import DataError, ProblemError
from playout.text.numbers import counted

if TYPE_CHECKING:
    from playout.contract.game import Game

SHOWN = 5  # legal moves that an error names
WIDTH = 60  # letters of a line that an error shows


def given_moves(game: Game, given: Any, start: np.ndarray | None = None) -> np.ndarray:
    """An array of the game's moves; texts are read where they are played, from `start` on."""
    kind = np.dtype(game.move_type)
    given = getattr(given, "records", given)  # of a result
    if isinstance(given, dict):  # of what --json prints
        given = given.get("records") or given.get("moves")
    if isinstance(given, np.ndarray):
        if given.dtype == kind and given.ndim == 1:
            return given
        given = given.tolist()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise DataError(
            f"{given!r:.{WIDTH}} is no solution: give a result (Result.load reads a file), or a "
            "list of its moves"
        )
    given = list(given)
    if any(isinstance(move, str) for move in given):
        return _from_texts(game, given, game.root() if start is None else start.copy())
    moves = np.zeros(len(given), kind)
    for number, move in enumerate(given):
        try:
            moves[number] = _value(kind, move)
        except (TypeError, ValueError, OverflowError):
            raise DataError(_no_move(game, number + 1, move)) from None
    return moves


def check_over(game: Game, states: np.ndarray, length: int) -> None:
    """Refuse a game that goes on after its moves: nobody knows yet what it comes to."""
    left = len(game.legal_moves(states[0]))
    if left:
        raise ProblemError(
            f"the game is not over after its {counted(length, 'move')}: {left} more "
            f"{'is' if left == 1 else 'are'} possible there"
        )


def _value(kind: np.dtype, given: Any) -> Any:
    """A value of a type, from what JSON makes of it; no number is made narrower or whole."""
    if isinstance(given, np.void) and given.dtype == kind:
        return given
    if kind.names is not None:
        given = given.item() if isinstance(given, np.void) else given
        values = list(given) if isinstance(given, list | tuple) else [given]
        pairs = zip(kind.names, values, strict=True)
        return tuple(_value(kind[name], value) for name, value in pairs)
    if kind.shape:
        inner = np.dtype((kind.base, kind.shape[1:]))
        items = [_value(inner, item) for item in given]
        if len(items) != kind.shape[0]:
            raise ValueError
        return items
    value = given[0] if isinstance(given, list | tuple) and len(given) == 1 else given
    if not isinstance(value, int | float | np.number | np.bool_):
        raise TypeError
    number = kind.type(value)
    if kind.kind in "iub" and number != value:
        raise ValueError
    return number


def _no_move(game: Game, number: int, move: Any) -> str:
    names = np.dtype(game.move_type).names
    wanted = f"a value for each of {', '.join(names)}" if names else "a number"
    return f"move {number}, {move!r}, is no move of {type(game).__name__}: give {wanted}, or texts"


def _from_texts(game: Game, texts: Sequence[Any], states: np.ndarray) -> np.ndarray:
    """Moves by what they are called where they are played."""
    found = np.zeros(len(texts), game.move_type)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise DataError(f"move {number + 1}, {text!r}, is no text, as others are")
        legal = game.legal_moves(states[0])
        names = move_texts(game, states[0], legal)
        if names.count(text) == 1:
            found[number] = legal[names.index(text)]
        else:
            try:
                found[number] = game.parse_move(states[0], text)
            except DataError:
                raise ProblemError(_wrong(number + 1, text, names)) from None
        game.play_move(states[0], found[number])
    return found


def _wrong(number: int, text: str, names: list[str]) -> str:
    if text in names:
        return f"move {number}, {text!r}, stands for {names.count(text)} moves there"
    if not names:
        return f"move {number}, {text!r}, comes after the end of the game"
    if any(text.startswith((f"{name} ", f"{name},", f"{name};")) for name in names):
        shown = text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
        return f"move {number}, {shown!r}, is several moves: each should have a line of its own"
    more = ", ..." if len(names) > SHOWN else ""
    return f"move {number}, {text!r}, is not legal there: {', '.join(names[:SHOWN])}{more} are"
