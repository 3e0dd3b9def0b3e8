"""Go positions in one line: the board, the player to move, and what was played before.

The past belongs to a position, as it decides about superko, passes and the limit on the number of
moves: `..b/.w./... b after C3 B2`. If the game did not begin with the empty board and black, its
start comes first: `..b/.w./... w after .../.w./... b C3`. A board without a past is a start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.errors import DataError
from playout.games.boards import position_line
from playout.games.go.goban import LETTERS

_AFTER = "after"


def position_with_past(game: Any, state: Any) -> str:
    """The line of a state of Go."""
    line = _line(game, game.cell_letters(state), state.player)
    if not state.count:
        return line
    cells, player, played = _past(game, state)
    words = [line, _AFTER]
    if player or any(cell != "." for cell in cells):
        words.append(_line(game, cells, player))
    return " ".join(words + [game.names[point] for point in played])


def _line(game: Any, cells: list[str], player: int) -> str:
    return position_line(cells, game.width, LETTERS[player])


def _past(game: Any, state: Any) -> tuple[list[str], int, list[int]]:
    """The board and the player at the start, and the points played since: all moves undone."""
    cells, player = game.cell_letters(state), int(state.player)
    played: list[int] = []
    took: list[int] = []
    for entry in map(int, reversed(state.log[: state.logged])):
        if entry < 0:
            took.append(-1 - entry)
            continue
        for point in took:
            cells[point] = LETTERS[player]
        took = []
        if entry < game.points:
            cells[entry] = "."
        player = 1 - player
        played.append(entry)
    return cells, player, played[::-1]


def read_with_past(game: Any, text: str) -> np.ndarray:
    """The state of a line, as an array of one; the past must lead to the board."""
    words = text.split()
    lower = [word.lower() for word in words]
    if _AFTER not in lower:
        return game.begin_at(text)
    at = lower.index(_AFTER)
    now, past = game.begin_at(" ".join(words[:at]))[0], words[at + 1 :]
    states = game.root()
    if past and "/" in past[0]:
        states, past = game.begin_at(" ".join(past[:2])), past[2:]
    state, legal = states[0], game.new_moves()
    for number, word in enumerate(past, 1):
        n = game.moves(state, legal)
        named = [move for move in legal[:n] if game.names[move.point].lower() == word.lower()]
        game.play(state, named[0] if named else _refused(game, text, state, number, word))
    reached = _line(game, game.cell_letters(state), state.player)
    if reached != _line(game, game.cell_letters(now), now.player):
        game.refuse(text, f"what was played leads to {reached!r}")
    return states


def _refused(game: Any, text: str, state: Any, number: int, word: str) -> Any:
    """Refuse a move of the past with the reason that the game gives."""
    try:
        return game.parse_move(state, word)
    except DataError as error:
        game.refuse(text, f"move {number}: {error}")
