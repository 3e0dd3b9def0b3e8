"""How a step of a solver ended, and what it says of the game if that broke its promises."""

from __future__ import annotations

from playout.contract import Game

RUNNING, DONE, TOO_MANY_MOVES, TOO_LONG, BAD_REWARD = 0, 1, -1, -2, -3


def what_is_wrong(status: int, game: Game) -> str:
    """What a game has done, for a person, if a step ended so."""
    name = type(game).__name__
    return {
        TOO_MANY_MOVES: f"{name}.moves() returned fewer than 0 or more than max_moves = "
        f"{game.max_moves} moves",
        BAD_REWARD: f"{name}.reward() of the first player is none of outcomes = {game.outcomes}",
        TOO_LONG: f"a game of {name} went on after max_length = {game.max_length} moves",
    }[status]
