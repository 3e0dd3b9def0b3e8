"""One game between players: asked for moves, checked and timed, by the rules in plain Python.

Where players do not know everything, none is ever handed the true state. A player gets one that
was redrawn for what he sees, from the seed of the deal and his view, and is told of moves that he
sees as they are. So a player that looks at hidden cards looks at cards that were made up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import hash_record, wrapping
from playout.compiled.random import stream_of
from playout.compiled.records import copy_of, mix, same_record
from playout.contract import Game, is_veiled
from playout.contract.playable import seat_of
from playout.errors import GivenUp, ProblemError
from playout.gametree.joint_moves import choosers
from playout.stop import Stop


@dataclass(frozen=True)
class Played:
    """A finished game; `rewards`, `seconds` and `simulations` are by seat."""

    moves: list[str]
    rewards: list[float]
    seconds: list[float]
    simulations: list[int]


def play_game(
    game: Game,
    players: Sequence[Any],
    stops: Sequence[Stop],
    seeds: Sequence[int],
    *,
    names: Sequence[str] = (),
    opening: Sequence[Any] = (),
    deal: int | None = None,
    over: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game between players, one for each seat.

    `stops` are their budgets for each move and `seeds` their seeds; `opening` is played first;
    `deal` is the seed of cards and luck, of which no player may know; `over` is asked at every move
    whether to give up, which raises `GivenUp`.
    """
    names = names or [getattr(player, "name", "") or type(player).__name__ for player in players]
    seats = len(players)
    position = game.root(deal)
    veil = Veil(game, deal or 0)
    texts: list[str] = []
    seconds, simulations = [0.0] * seats, [0] * seats
    for player, seed in zip(players, seeds):
        if hasattr(player, "new_game"):
            player.new_game(game.searched(), seed)
    with wrapping():
        while len(game.legal_moves(position[0])):
            if over():
                raise GivenUp
            if len(texts) >= game.max_length:
                raise ProblemError(
                    f"a game of {type(game).__name__} went on after max_length = "
                    f"{game.max_length} moves"
                )
            if len(texts) < len(opening):
                joint = [opening[len(texts)]]
            else:  # all who move at the same time choose before any of them is played
                joint = []
                for seat, seen in _who_chooses(game, position):
                    player = players[seat]
                    began = time.perf_counter()
                    chosen = _asked(player, veil, position, seen, seat, stops[seat])
                    seconds[seat] += time.perf_counter() - began
                    simulations[seat] += int(getattr(player, "simulations", 0))
                    joint.append(_checked(game, seen, chosen, names[seat]))
            for chosen in joint:
                texts.append(game.move_text(position[0], chosen))
                told = [veil.told(position, chosen, seat) for seat in range(seats)]
                game.play(position[0], chosen)
                for player, move in zip(players, told):
                    if hasattr(player, "played"):
                        player.played(move)
        rewards = game.final_rewards(position[0])
    return Played(texts, rewards, [round(s, 6) for s in seconds], simulations)


def _who_chooses(game: Game, position: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Who is to choose now, each with the position as far as it may know it."""
    if game.simultaneous and not game.concealed(position[0]):
        return choosers(game, position)
    return [(seat_of(game, position[0]), position)]


class Veil:
    """What of the true state the players of a game get to see."""

    def __init__(self, game: Game, deal: int) -> None:
        self._game, self._deal, self._on = game, np.uint64(deal), is_veiled(game)
        self._asked = 0

    def shown(self, position: np.ndarray, seat: int) -> np.ndarray:
        """The position for a seat: a copy, in which all that it cannot know is drawn anew."""
        copy = position.copy()
        if not self._on:
            return copy
        self._asked += 1
        # luck alone has no view: the number of the question does as well
        view = self._game.view(position[0], seat) if self._game.hidden else self._asked
        stream = stream_of(mix(self._deal) ^ mix(np.uint64(view)), 1 + seat)
        self._game.redraw(copy[0], seat, np.array([stream], np.uint64))
        return copy

    def told(self, position: np.ndarray, move: Any, seat: int) -> Any:
        """A move as a seat is told of it: itself, or None where the seat does not see it whole."""
        game = self._game
        if not (self._on and game.hidden) or int(game.turn(position[0])) == seat:
            return move
        return move if game.seen(position[0], move, seat) == hash_record(move) else None


def _asked(
    player: Any, veil: Veil, position: np.ndarray, seen: np.ndarray, seat: int, stop: Stop
) -> Any:
    """What a player chooses; of those who move at the same time, each for its seat."""
    if seen is position or not hasattr(player, "choose_for"):
        return player.choose(veil.shown(seen, seat), stop)
    return player.choose_for(veil.shown(position, seat), seat, veil.shown(seen, seat), stop)


def _checked(game: Game, position: np.ndarray, chosen: Any, name: str) -> Any:
    """The legal move that a player has chosen, as a record of its own."""
    if isinstance(chosen, str):
        try:
            return game.parse_move(position[0], chosen)
        except Exception as error:
            raise ProblemError(f"{name} played {error}") from None
    if isinstance(chosen, np.ndarray) and chosen.size == 1:
        chosen = chosen.reshape(1)[0]
    for move in game.legal_moves(position[0]):
        if same_record(move, chosen):
            return copy_of(move)
    raise ProblemError(f"{name} played {chosen!r}, which is not a legal move there")
