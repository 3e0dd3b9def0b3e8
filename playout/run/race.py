"""A race between ways to search one problem: who goes on next, and for how long.

Every runner has a share of the effort, by its rank: the leader most of it, the second 5% of what
the leader has, each further one half of the one before. When the leader has found nothing new for
long, the second has half, too. So nobody is ever out: who starts slowly comes to its turns late,
but comes to them. First turns are early ones, so that a short race tries everybody, too.

Ranks are by comparisons at equal effort. After 1, 2, 4, ... units a runner's best score is noted.
Two runners are compared where both have been, and who wins more of its comparisons than it loses
is ahead. A runner that was better when the leader had spent as little takes the lead at once, and
loses it again if it does not keep up; that costs no more than the leader had spent.

The first runner only stands in until another is ready; its effort is nobody's share. What the race
knows is in arrays, as what a search knows; effort is playouts, or seconds.
"""

from __future__ import annotations

import math

import numpy as np

from playout.algorithms.array_checks import need, within
from playout.compiled import record

SHARE = 0.05  # of the second, in what the leader has
STALLED_SHARE = 0.5  # the same while the leader finds nothing
FURTHER_SHARE = 0.5  # of a further one, in what the one before has
STALLED = 0.2  # a best score from before this part of its effort: the leader finds nothing
EARLY = 0.5  # of a unit: others have their first turns when that much would be their share
WARM_UP = 2  # units before a leader can be said to find nothing
PIECE = 0.125  # a turn is at most this part of what a runner has spent
MARKS = 48  # comparisons at most, each after twice the effort of the one before

RUNNER = record(
    effort="f8",
    best="f8",
    improved="f8",  # the effort at which the best score was found
    marks="i8",  # efforts at which its best score was noted
    rank="i8",
)
CONTROL = record(turn="i8", until="f8", unit="f8")


class Race:
    """Runners by their numbers; the first one stands in at the start, the second leads then.

    Parameters
    ----------
    runners : int
        How many there are.
    unit : float
        The effort of the first turn.
    """

    def __init__(self, runners: int, unit: float) -> None:
        self.runners = np.zeros(runners, RUNNER)
        self.runners["best"] = -np.inf
        self.runners["rank"] = (np.arange(runners) - 1) % runners
        self.marks = np.full((runners, MARKS), -np.inf)
        self.control = np.zeros(1, CONTROL)
        self.control[0].unit = unit

    def turn(self, ready: np.ndarray) -> tuple[int, float]:
        """Whose turn it is of those that are ready, and up to which effort."""
        control = self.control[0]
        if not self.runners[control.turn].effort < control.until:
            number = control.turn = self._next(ready)
            effort = float(self.runners[number].effort)
            piece = PIECE * effort if number > 0 else 0.0  # others may soon be ready
            control.until = min(effort + max(self._unit(), piece), self._next_mark(number))
        return int(control.turn), float(control.until)

    def ran(self, number: int, effort: float, best: float, improved: float) -> None:
        """Note a runner's effort, its best score and the effort at which it was found.

        Ranks change where a score is noted, so that it does not matter how often this is called.
        """
        runner = self.runners[number]
        runner.effort = effort
        if best > runner.best:
            runner.best, runner.improved = best, improved
        noted = int(runner.marks)
        while effort >= self._next_mark(number):
            self.marks[number, runner.marks] = runner.best
            runner.marks += 1
        if runner.marks > noted:
            self._rank()

    def _next(self, ready: np.ndarray) -> int:
        """The runner that has least of its share."""
        ranked = np.argsort(self.runners["rank"])
        waiting = ranked[ready[ranked] & (ranked > 0)]
        if len(waiting) == 0:
            return 0
        first = self.runners[waiting[0]]
        stalled = first.effort > WARM_UP * self._unit() and first.improved < STALLED * first.effort
        shares = FURTHER_SHARE ** (np.arange(len(waiting)) - 1)
        shares *= STALLED_SHARE if stalled else SHARE
        shares[0] = 1.0
        had = (self.runners["effort"][waiting] + EARLY * self._unit()) / shares
        return int(waiting[np.argmin(had)])

    def _rank(self) -> None:
        """Rank by comparisons won less those lost, then by the best score, then as before."""
        marks = self.runners["marks"]
        won = np.zeros(len(marks), np.int64)
        for number in range(2, len(marks)):
            common = np.minimum(marks[number], marks[1:number])
            there = np.flatnonzero(common) + 1
            ours = self.marks[number, common[there - 1] - 1]
            theirs = self.marks[there, common[there - 1] - 1]
            better = (ours > theirs).astype(np.int64) - (ours < theirs)
            won[number] += better.sum()
            won[there] -= better
        won[0] = -len(marks)  # who stands in is behind all
        order = np.lexsort((self.runners["rank"], -self.runners["best"], -won))
        self.runners["rank"][order] = np.arange(len(order))

    def _unit(self) -> float:
        return float(self.control[0].unit)

    def _next_mark(self, number: int) -> float:
        marks = int(self.runners[number].marks)
        return self._unit() * 2.0**marks if marks < MARKS else math.inf

    def check(self) -> None:
        """ValueError if the arrays, which come from a file, cannot be those of a race."""
        control, runners = self.control[0], self.runners
        within(control.turn, 0, len(runners) - 1, "the turn")
        need(0 < control.unit < np.inf and 0 <= control.until < np.inf, "no unit of effort")
        within(runners["marks"], 0, MARKS, "marks")
        within(runners["effort"], 0, 1e300, "effort")
        within(runners["improved"], 0, runners["effort"], "effort")
        need((np.sort(runners["rank"]) == np.arange(len(runners))).all(), "no ranks")
        need(not np.isnan(runners["best"]).any() and not np.isnan(self.marks).any(), "a score")
