"""The question that a solver answers: whether the first player gets at least `goal`."""

from __future__ import annotations

import math

import numpy as np

from playout.contract import Game

# how a step of a search ended
RUNNING, DONE, TOO_MANY_MOVES, TOO_LONG, BAD_REWARD = 0, 1, -1, -2, -3


def set_goal(head: np.record, game: Game, goal: float) -> None:
    """Write a question into the head of a search."""
    head.goal = goal
    head.below = max((value for value in game.outcomes if value < goal), default=-math.inf)
    head.lowest, head.highest = min(game.outcomes), max(game.outcomes)


def what_is_wrong(status: int, game: Game) -> str:
    """What a game has done, for a person, if a step ended so."""
    name = type(game).__name__
    return {
        TOO_MANY_MOVES: f"{name}.moves() returned more than max_moves = {game.max_moves} moves",
        BAD_REWARD: f"{name}.reward() of the first player is none of outcomes = {game.outcomes}",
        TOO_LONG: f"a game of {name} went on after max_length = {game.max_length} moves",
    }[status]
