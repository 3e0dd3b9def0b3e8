"""A race between ways to search one problem: who goes on next, and for how long.

The front runner has most of the effort. Of what it runs the others are owed a share: the second 3%,
each further one half of the one before. While the front runner finds nothing new for long, the
second is owed half. Who is owed a turn has it, and pays for it. So nobody is ever out: who starts
slowly comes to its turns late, but comes to them. A part of the first turn is lent where the whole
effort is known and small, so that a short race tries several, too.

Ranks are by comparisons at equal effort. After 1, 2, 4, ... units a runner's best score is noted.
Two runners are compared where both have been, and who wins more of its comparisons than it loses
is ahead. Who is ahead of all is the front runner, unless somebody who has spent far more has found
as much. Then it catches up, owed as much as the front runner runs, or twice that while that one
finds nothing: many who start well do not keep up, and what they had is lost.

The first runner only stands in until another is ready; its effort is nobody's share. What the race
knows is in arrays, as what a search knows; effort is playouts, or seconds.
"""

from __future__ import annotations

import math

import numpy as np

from playout.algorithms.array_checks import need, within
from playout.compiled import record

SHARE = 0.03  # of the second, in what the front runner has
STALLED_SHARE = 0.5  # the same while the front runner finds nothing
FURTHER_SHARE = 0.5  # of a further one, in what the one before has
CATCHING_UP = 1.0  # of a better starter, in what the front runner has
STALLED_CATCHING_UP = 2.0  # the same while the front runner finds nothing
NEAR = 0.1  # a better starter with this part of the front runner's effort takes its place
STALLED = 0.2  # a best score from before this part of its effort: the front runner finds nothing
EARLY = 0.5  # of a unit, if the whole is not known: who is owed that much has its first turn
FIRST = 1 / 6  # of the whole, if it is known: the second has its first turn after that, or before
WARM_UP = 2  # units before a front runner can be said to find nothing
PIECE = 0.25  # a turn is at most this part of what a runner has spent
MARKS = 48  # comparisons at most, each after twice the effort of the one before

RUNNER = record(
    effort="f8",
    best="f8",
    improved="f8",  # the effort at which the best score was found
    marks="i8",  # efforts at which its best score was noted
    rank="i8",
    share="f8",  # what it is owed of the effort of the front runner
    owed="f8",
)
CONTROL = record(turn="i8", front="i8", began="f8", until="f8", unit="f8", early="f8")


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
        self.control[0].early = EARLY

    def expect(self, whole: float) -> None:
        """Know from the start how much effort there is for all."""
        self.control[0].early = min(1.0, SHARE * FIRST * whole / self._unit())

    def turn(self, ready: np.ndarray) -> tuple[int, float]:
        """Whose turn it is of those that are ready, and up to which effort."""
        control = self.control[0]
        if not self.runners[control.turn].effort < control.until:
            self._settle()
            number = control.turn = self._next(ready)
            control.began = effort = float(self.runners[number].effort)
            control.until = effort + self._length(number)
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

    def _settle(self) -> None:
        """What the front runner ran is owed to the others in part; they pay for what they ran."""
        control, runners = self.control[0], self.runners
        ran = runners[control.turn].effort - control.began
        if control.turn == control.front:
            runners["owed"] += runners["share"] * ran
        else:
            runners["owed"][control.turn] -= ran

    def _next(self, ready: np.ndarray) -> int:
        """The runner that is owed most, in its turns, or else the front runner."""
        runners = self.runners
        ranked = np.argsort(runners["rank"])
        waiting = ranked[ready[ranked] & (ranked > 0)]
        runners["share"] = 0.0
        if len(waiting) == 0:
            self.control[0].front = 0
            return 0
        front = self.control[0].front = self._front(waiting)
        others = waiting[waiting != front]
        stalled = self._stalled(front)
        share = STALLED_SHARE if stalled else SHARE
        runners["share"][others] = share * FURTHER_SHARE ** np.arange(len(others))
        if front != waiting[0]:
            runners["share"][waiting[0]] = STALLED_CATCHING_UP if stalled else CATCHING_UP
        lengths = np.array([self._length(int(number)) for number in others])
        first = runners["effort"][others] == 0
        due = runners["owed"][others] >= np.where(first, self.control[0].early, 1.0) * lengths
        if not due.any():
            return front
        return int(others[np.argmax(np.where(due, runners["owed"][others] / lengths, -np.inf))])

    def _front(self, waiting: np.ndarray) -> int:
        """The first by rank, or who has spent far more than it and has found as much or more."""
        runners, first = self.runners, self.runners[waiting[0]]
        more = first.effort < NEAR * runners["effort"][waiting]
        holding = waiting[more & (runners["best"][waiting] >= first.best)]
        if len(holding) == 0:
            return int(waiting[0])
        order = np.lexsort((-runners["effort"][holding], -runners["best"][holding]))
        return int(holding[order[0]])

    def _stalled(self, number: int) -> bool:
        runner = self.runners[number]
        warm = runner.effort > WARM_UP * self._unit()
        return bool(warm and runner.improved < STALLED * runner.effort)

    def _length(self, number: int) -> float:
        """The effort of a runner's next turn."""
        effort = float(self.runners[number].effort)
        piece = PIECE * effort if number > 0 else 0.0  # others may soon be ready
        return min(max(self._unit(), piece), self._next_mark(number) - effort)

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
        within(control.front, 0, len(runners) - 1, "the front runner")
        within(control.began, 0, runners[control.turn].effort, "the turn")
        within(runners["share"], 0, STALLED_CATCHING_UP, "a share")
        need(np.isfinite(runners["owed"]).all(), "nothing that can be owed")
        need(0 < control.unit < np.inf and 0 <= control.until < np.inf, "no unit of effort")
        within(control.early, 0, 1, "a part of a unit")
        within(runners["marks"], 0, MARKS, "marks")
        within(runners["effort"], 0, 1e300, "effort")
        within(runners["improved"], 0, runners["effort"], "effort")
        need((np.sort(runners["rank"]) == np.arange(len(runners))).all(), "no ranks")
        need(not np.isnan(runners["best"]).any() and not np.isnan(self.marks).any(), "a score")
