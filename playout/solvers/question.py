"""The question that a solver answers: whether the first player gets at least `goal`."""

from __future__ import annotations

import math

import numpy as np

from playout.contract import Game

# in the head of a search: `below` is the highest outcome below the goal
QUESTION = {"goal": "f8", "below": "f8", "lowest": "f8", "highest": "f8"}


def set_goal(head: np.record, game: Game, goal: float) -> None:
    """Write a question into the head of a search."""
    head.goal = goal
    head.below = max((value for value in game.outcomes if value < goal), default=-math.inf)
    head.lowest, head.highest = min(game.outcomes), max(game.outcomes)
