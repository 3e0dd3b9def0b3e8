"""A game that was played, as a file: plain text for every game, SGF for Go, NoGo and Atarigo.

A text file is headers, an empty line and a line for each move, with its number and the number of
the player who made it:

    playout record 1
    game: dotsandboxes:1x1
    player 1: a person
    player 2: uct
    result: 0 1

    1 1 h1

`start:` is the position at the start if it is not that of the game; `deal:` is the seed of the
cards and the luck of the start, where there are any; `result:` has what the game was worth to each
player, and maybe how it ended (`0 1, resigned`); without it the game was not
finished. Other headers are kept as they are. Whatever is read was replayed by the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from playout.errors import DataError, PlayoutError
from playout.games import load_game
from playout.games.game_text import game_of_file
from playout.text.input_files import read_text
from playout.text.output_files import write_atomically

FIRST_LINE = "playout record 1"
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9 -]{0,30}):\s*(.*)")
_MOVE = re.compile(r"([0-9]{1,6})\s+([0-9]{1,3})\s+(\S.*)")
_PLAYER = re.compile(r"player ([1-9][0-9]?)")
_OWN_HEADERS = ("game", "start", "deal", "result")


@dataclass
class PlayedGame:
    """What was played: the game as `load_game` reads it, names of players, and moves as text.

    `rewards` is what the game was worth to each player, None if it was not finished; `ending`
    is how it ended if not by the rules; `start` is a position in the game's notation, empty for
    the start of the game, with cards and luck drawn from the seed `deal`.
    """

    game: str
    players: list[str]
    moves: list[str] = field(default_factory=list)
    start: str = ""
    rewards: list[float] | None = None
    ending: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    deal: int | None = None

    def states(self, source: str = "the game", game: Any = None) -> list[np.ndarray]:
        """Every position of the game, each an array of one state; the start is the first."""
        rules = load_game(self.game) if game is None else game
        states = [self.first_state(source, rules)]
        for number in range(len(self.moves)):
            states.append(self._after(rules, states[-1], number, f"{source}, move {number + 1}"))
        return states

    def first_state(self, source: str, game: Any) -> np.ndarray:
        """The position at the start."""
        try:
            if self.start:
                states: np.ndarray = game.read_position(self.start)
            else:
                states = game.root(self.deal)
        except PlayoutError as error:
            raise DataError(f"{source}: {error}") from None
        return states

    def _after(self, game: Any, states: np.ndarray, number: int, where: str) -> np.ndarray:
        after = states.copy()
        try:
            move = game.parse_move(after[0], self.moves[number])
        except PlayoutError as error:
            raise DataError(f"{where}: {error}") from None
        self.moves[number] = game.move_text(after[0], move)
        game.play_move(after[0], move)
        return after


def finished(game: Any, states: np.ndarray) -> list[float] | None:
    """What a position is worth to each player if the game is over there."""
    return game.final_rewards(states[0]) if game.is_over(states[0]) else None


def save_game_file(played: PlayedGame, path: str | PathLike[str]) -> None:
    """Write a game whole or not at all: SGF if the file's name ends in .sgf, else text."""
    if Path(path).suffix.lower() == ".sgf":
        from playout.adapters.sgf import to_sgf

        text = to_sgf(played)
    else:
        text = to_text(played)
    write_atomically(Path(path), text.encode())


def load_game_file(path: str | PathLike[str], named: str | None = None) -> PlayedGame:
    """Read a game, SGF or text, and replay it; one of a user's own class if that is `named`."""
    text = read_text(path)
    if text.lstrip().startswith("("):
        from playout.adapters.sgf import from_sgf

        return from_sgf(text, str(path))
    return from_text(text, str(path), named)


def to_text(played: PlayedGame) -> str:
    """A game as text."""
    game = load_game(played.game)
    lines = [FIRST_LINE, f"game: {played.game}"]
    lines += [f"player {seat}: {_one_line(name)}" for seat, name in enumerate(played.players, 1)]
    lines += [f"{name}: {_one_line(value)}" for name, value in played.headers.items()]
    if played.start:
        lines.append(f"start: {played.start}")
    if played.deal is not None:
        lines.append(f"deal: {played.deal}")
    if played.rewards is not None:
        worth = " ".join(f"{reward:g}" for reward in played.rewards)
        lines.append(f"result: {worth}" + (f", {played.ending}" if played.ending else ""))
    lines.append("")
    for number, states in enumerate(played.states(game=game)[:-1], 1):
        lines.append(f"{number} {int(game.turn(states[0])) + 1} {played.moves[number - 1]}")
    return "\n".join(lines) + "\n"


def from_text(text: str, source: str, named: str | None = None) -> PlayedGame:
    """The game of a text, replayed; `source` names it in errors, `named` as `load_game_file`."""
    lines = text.split("\n")
    if lines[0].strip() != FIRST_LINE:
        raise DataError(f"{source}: is no record of a game: the first line is not {FIRST_LINE!r}")
    headers: dict[str, str] = {}
    number = 1
    while number < len(lines) and lines[number].strip():
        match = _HEADER.fullmatch(lines[number].strip())
        if match is None:
            _fail(source, number, f"{_cut(lines[number])} is no header, such as 'game: hex:5'")
        name = match[1].strip().lower()
        if name in headers:
            _fail(source, number, f"a second header {name!r}")
        headers[name] = match[2].strip()
        number += 1
    played, game = _begun(headers, source, named)
    states = played.first_state(source, game)
    for place in range(number, len(lines)):
        line = lines[place].strip()
        if not line:
            continue
        match = _MOVE.fullmatch(line)
        if match is None:
            _fail(source, place, f"{_cut(line)} is no move: number, player, move")
        if int(match[1]) != len(played.moves) + 1:
            _fail(source, place, f"move {match[1]} where {len(played.moves) + 1} should be")
        player = int(game.turn(states[0])) + 1
        if int(match[2]) != player and finished(game, states) is None:
            _fail(source, place, f"player {match[2]} moves, but it is player {player}'s turn")
        played.moves.append(match[3])
        where = f"{source}, line {place + 1}"
        states = played._after(game, states, len(played.moves) - 1, where)
    _check_result(played, game, states, source)
    return played


def _begun(headers: dict[str, str], source: str, named: str | None) -> tuple[PlayedGame, Any]:
    """What was played without its moves, from the headers, and the game."""
    if "game" not in headers:
        raise DataError(f"{source}: there is no header 'game: ...'")
    try:
        game = game_of_file(headers["game"], named)
    except PlayoutError as error:
        raise DataError(f"{source}: {error}") from None
    players = [headers.get(f"player {seat + 1}", "") for seat in range(game.players)]
    for name in headers:
        if (seat := _PLAYER.fullmatch(name)) and int(seat[1]) > game.players:
            raise DataError(f"{source}: {name}, but the game has {game.players} players")
    others = {
        name: value
        for name, value in headers.items()
        if name not in _OWN_HEADERS and not _PLAYER.fullmatch(name)
    }
    start = headers.get("start", "")
    played = PlayedGame(headers["game"], players, start=start, headers=others)
    if "deal" in headers:
        if not re.fullmatch(r"[0-9]{1,19}", headers["deal"]):
            raise DataError(f"{source}: {_cut(headers['deal'])} is no seed of a deal: a number")
        played.deal = int(headers["deal"])
    if "result" in headers:
        worth, _, played.ending = (part.strip() for part in headers["result"].partition(","))
        try:
            played.rewards = [float(word) for word in worth.split()]
        except ValueError:
            played.rewards = []
        if len(played.rewards) != game.players or not np.isfinite(played.rewards).all():
            raise DataError(
                f"{source}: {_cut(headers['result'])} is no result: a number for each of "
                f"{game.players} players"
            )
    return played, game


def _check_result(played: PlayedGame, game: Any, states: np.ndarray, source: str) -> None:
    rewards = finished(game, states)
    if rewards is not None and played.rewards is not None and rewards != played.rewards:
        worth = " ".join(f"{reward:g}" for reward in rewards)
        raise DataError(f"{source}: the result is not {worth}, what the moves come to")
    if rewards is None and played.rewards is not None and not played.ending:
        raise DataError(f"{source}: has a result, but the moves do not end the game")
    if rewards is not None:
        played.rewards, played.ending = rewards, ""


def _fail(source: str, place: int, reason: str) -> NoReturn:
    raise DataError(f"{source}, line {place + 1}: {reason}")


def _cut(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _one_line(text: str) -> str:
    return " ".join(str(text).split())
