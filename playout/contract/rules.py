"""The rules of a game: what everybody who writes one writes, and every search calls."""

from __future__ import annotations

from typing import Any

from playout.compiled import Compiled


class Rules(Compiled):
    """Players who move in turn over states and moves that are NumPy records.

    An instance sets, usually in `__init__`:

    - `state_type`, `move_type`: record types, made with `playout.record(name=type, ...)`, or types
      of plain numbers such as "i8": then a state is an array of one number (`state[0]`), a move
      a number (`moves[0] = 3`);
    - `max_moves`: the most moves that any state offers;
    - `max_length`: the most moves that any play of the game has;
    - `fields` (on the class): the attributes that compiled code may read;
    - `players`: how many there are, if not two.
    """

    state_type: Any
    move_type: Any
    max_moves: int
    max_length: int
    players: int = 2

    def reset(self, state: Any) -> None:
        """Write the start into `state`, whose bytes are all zero; by default they are the start."""

    def moves(self, state: Any, moves: Any) -> int:
        """Fill `moves` with the legal moves and return how many; 0 ends the game."""
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> None:
        """Play a move: change `state` in place."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        """Whose move it is: 0 for the first player."""
        raise NotImplementedError

    def reward(self, state: Any, player: int) -> float:
        """What a finished game is worth to a player; higher is better."""
        raise NotImplementedError
