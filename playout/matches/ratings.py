"""Ratings of several players from all their games: the Bradley-Terry model.

The expected score of one against another depends on the difference of their ratings alone, which
are those that make the results most likely (R. A. Bradley and M. E. Terry, 1952), a draw being half
a win and half a loss. Each two who have met have one more draw than they played, so that
ratings stay finite where one wins every game. They are in Elo, their mean is 0, and
the 95% intervals come from the curvature of the likelihood.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from playout.matches.score import Tally

SCALE = 400 / math.log(10)
Z = 1.959963984540054


@dataclass(frozen=True)
class Rating:
    """A player's Elo, with its interval."""

    elo: float
    low: float
    high: float


def ratings(tally: Tally) -> list[Rating]:
    """The rating of every player."""
    n = tally.players
    points, games = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j and (score := tally.score(i, j)).games:
                points[i, j] = score.points + 0.5
                games[i, j] = score.games + 1
    strength = np.zeros(n)
    for _ in range(100):  # Newton's method: the likelihood is concave
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (points - games * expected).sum(1)
        step = np.linalg.pinv(_information(games, expected), hermitian=True) @ gradient
        strength = strength + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-12:
            break
    strength -= strength.mean()
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    variance = np.diag(np.linalg.pinv(_information(games, expected), hermitian=True))
    half = Z * np.sqrt(np.maximum(variance, 0))
    return [
        Rating(float(SCALE * s), float(SCALE * (s - h)), float(SCALE * (s + h)))
        for s, h in zip(strength, half)
    ]


def _information(games: np.ndarray, expected: np.ndarray) -> np.ndarray:
    weights = games * expected * (1 - expected)
    return np.diag(weights.sum(1)) - weights
