"""Wins, draws and losses: the score, its interval, and what it is in Elo.

A draw is half a win. The interval of a score is Wilson's, at 95%, with the score in place of the
share of wins; where there are draws it is wider than it need be, never narrower. Elo is the
logistic scale: a score of s is a difference of -400 log10(1/s - 1), and the interval's ends are
those of the score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playout.statistics import wilson


def elo_of(share: float) -> float:
    """The difference in Elo that an expected score stands for.

    >>> round(elo_of(0.75), 2)
    190.85
    """
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return -400 * math.log10(1 / share - 1)


def share_of(elo: float) -> float:
    """The expected score of a player who is stronger by so much Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins, with draws as a half."""
        return self.wins + self.draws / 2

    @property
    def win_rate(self) -> float:
        """The share of the points, NaN without a game."""
        return self.points / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the win rate."""
        return wilson(self.points, self.games) if self.games else (0.0, 1.0)

    @property
    def elo(self) -> float:
        """The difference in Elo, infinite after nothing but wins or losses."""
        return elo_of(self.win_rate) if self.games else math.nan

    @property
    def elo_interval(self) -> tuple[float, float]:
        """Its 95% interval."""
        low, high = self.interval
        return elo_of(low), elo_of(high)

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def to_json(self) -> dict[str, Any]:
        """The counts and the win rate as JSON data."""
        counts = {"games": self.games, "wins": self.wins, "draws": self.draws}
        rate = self.win_rate if self.games else None
        return {**counts, "losses": self.losses, "win_rate": rate}


def best_rewards(seats: Sequence[int], rewards: Sequence[float]) -> dict[int, float]:
    """The highest reward of each player of a game.

    >>> best_rewards([0, 1, 0], [0.0, 0.5, 1.0])
    {0: 1.0, 1: 0.5}
    """
    best: dict[int, float] = {}
    for player, reward in zip(seats, rewards):
        best[player] = max(reward, best.get(player, reward))
    return best


class Tally:
    """Who has beaten whom: by pairs of players, and by seats.

    In a game for more than two, the rewards of each two of them say who of the two has won; where
    two players share out the seats, the highest reward of each.
    """

    def __init__(self, players: int, seats: int) -> None:
        self.players = players
        self.games = 0
        self._against = [[[0, 0, 0] for _ in range(players)] for _ in range(players)]
        self._by_seat = [[[0, 0, 0] for _ in range(seats)] for _ in range(players)]

    def add(self, seats: Sequence[int], rewards: Sequence[float]) -> None:
        """Take a game in."""
        self.games += 1
        highest = best_rewards(seats, rewards)
        for player, mine in highest.items():
            for other, theirs in highest.items():
                if player == other:
                    continue
                outcome = 0 if mine > theirs else 1 if mine == theirs else 2
                self._against[player][other][outcome] += 1
                for seat, whose in enumerate(seats):
                    if whose == player:
                        self._by_seat[player][seat][outcome] += 1

    def score(self, player: int, other: int | None = None) -> Score:
        """The score of a player against another, or against all of them."""
        if other is not None:
            return Score(*self._against[player][other])
        return sum((Score(*row) for row in self._against[player]), Score())

    def by_seat(self, player: int) -> list[Score]:
        """The score of a player in each seat."""
        return [Score(*counts) for counts in self._by_seat[player]]
