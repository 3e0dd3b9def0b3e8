"""What the package does with any game in plain Python, where players, files and checks need it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.records import is_number
from playout.contract.rules import Rules
from playout.errors import ProblemError


class Playable(Rules):
    """The rules as a program that is not compiled plays by them; nobody overrides these."""

    def new_states(self, n: int) -> np.ndarray:
        """An array of n zeroed states; each is an array of one, where states are numbers."""
        return np.zeros((n, 1) if is_number(self.state_type) else n, self.state_type)

    def is_one_state(self, states: Any) -> bool:
        """Whether this is an array of one state, such as `root` gives."""
        one = self.new_states(1)
        if not isinstance(states, np.ndarray):
            return False
        return states.shape == one.shape and states.dtype == one.dtype

    def new_moves(self, n: int | None = None) -> np.ndarray:
        """An array for moves, `max_moves` of them unless told."""
        return np.zeros(self.max_moves if n is None else n, self.move_type)

    def legal_moves(self, state: Any) -> np.ndarray:
        """The legal moves of a state, an array of exactly these; empty if the game is over."""
        moves = self.new_moves()
        with wrapping():
            return moves[: as_count(self, self.moves(state, moves))]

    def is_over(self, state: Any) -> bool:
        """Whether a game is finished: there is no legal move."""
        return len(self.legal_moves(state)) == 0

    def play_move(self, state: Any, move: Any) -> None:
        """Play a move that is known to be legal: change `state` in place."""
        with wrapping():
            self.play(state, move)

    def final_rewards(self, state: Any) -> list[float]:
        """What a finished game is worth to each player.

        Raises `ProblemError` if one of these is no finite number.
        """
        with wrapping():
            found = [float(self.reward(state, player)) for player in range(self.players)]
        if not all(map(math.isfinite, found)):
            name = type(self).__name__
            raise ProblemError(f"{name}.reward() returned {found}: no finite numbers")
        return found


def seat_of(game: Any, state: Any) -> int:
    """Whose turn it is, as a player that there is."""
    seat = int(game.turn(state))
    if not 0 <= seat < game.players:
        raise ProblemError(
            f"{type(game).__name__}.turn() returned {seat}; the first of {game.players} players "
            "is 0"
        )
    return seat


def as_count(game: Any, n: Any) -> int:
    """What `moves` has returned, as a number of moves."""
    try:
        return int(n)
    except (TypeError, ValueError):
        raise ProblemError(
            f"{type(game).__name__}.moves() returned {n!r}; it should fill `moves` and return how "
            "many as an int"
        ) from None
