"""The clock of a game by the Go Text Protocol: main time, then byo-yomi."""

from __future__ import annotations

LAG = 0.05  # seconds that a move may take besides the search


class Clock:
    """The time that is left to both colours.

    `main` seconds for the game, then periods of `period` seconds in which `stones` moves are to be
    made; no stones: there is main time alone.
    """

    def __init__(self, main: float, period: float, stones: int) -> None:
        self._main, self._period, self._stones = main, period, stones
        self.begin()

    def begin(self) -> None:
        """A game begins: all time is left."""
        first = (self._main, 0) if self._main > 0 else (self._period, self._stones)
        self._left = [first, first]  # by colour: seconds, and stones to play in them

    def set_left(self, colour: int, seconds: float, stones: int) -> None:
        """What a controller says is left."""
        self._left[colour] = (seconds, stones)

    def seconds(self, colour: int, played: int, points: int) -> float:
        """The time of a move: its share of what is left."""
        seconds, stones = self._left[colour]
        if stones > 0:
            share = seconds / stones
        else:  # as if the board were to be filled by two thirds, but never fewer than ten moves
            share = seconds / max(10.0, (0.66 * points - played) / 2)
            if self._stones > 0:  # and then the byo-yomi begins
                share = max(share, min(0.8 * self._period / self._stones, seconds))
        return max(0.01, 0.9 * share - LAG)

    def spend(self, colour: int, seconds: float) -> None:
        """Take a move's time off; a controller that keeps the time says so by time_left."""
        left, stones = self._left[colour]
        left -= seconds
        if stones == 0:
            over = left <= 0 and self._stones > 0
            left, stones = (self._period, self._stones) if over else (left, 0)
        else:
            left, stones = (left, stones - 1) if stones > 1 else (self._period, self._stones)
        self._left[colour] = (max(left, 0.1), stones)
