"""A race between ways to search one problem: who goes on next, and for how long.

One runner leads and has most of the effort. The others get a small share, each in turns that
double: after 1, 2, 4, ... units a runner's best score is compared with what the leader had after as
much. A runner that is ahead of the leader goes on at once, and takes the lead when its score is
better than the leader's. One that was behind twice is out until nobody else is left to try: a long
race is not decided by its first seconds. When the leader has found nothing for seven tenths of its
effort, the others get half.

The first runner only stands in until another is ready. It hands the lead over and goes; its effort
is nobody's share.

An early success is cheap to see and a late one is not missed, since a runner that keeps up is kept.
What the race knows is in arrays, as what a search knows; effort is playouts, or seconds.
"""

from __future__ import annotations

import math

import numpy as np

from playout.algorithms.array_checks import need, within
from playout.compiled import record

SHARE = 0.1  # of the effort, for all but the leader
STALLED_SHARE = 0.5  # the same while the leader finds nothing
STALLED = 0.3  # a best score from before this part of its effort: the leader finds nothing
WARM_UP = 2  # units before a leader can be said to find nothing
PATIENCE = 2  # comparisons lost
LATEST = 0.8  # of the whole effort, if that is known: after it only the leader goes on
MARKS = 48  # comparisons at most, each after twice the effort of the one before

RUNNER = record(
    effort="f8",
    best="f8",
    improved="f8",  # the effort at which the best score was found
    marks="i8",  # comparisons that it has come to
    behind="i8",  # how many of them it lost
    out="i1",
)
CONTROL = record(leader="i8", turn="i8", until="f8", unit="f8")


class Race:
    """Runners by their numbers; the first one stands in at the start.

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
        self.marks = np.full((runners, MARKS), -np.inf)
        self.control = np.zeros(1, CONTROL)
        self.control[0].unit = unit

    def turn(self, whole: float, ready: np.ndarray) -> tuple[int, float]:
        """Whose turn it is, and up to which effort.

        `whole` is the effort that all will have spent in the end, 0 if nobody knows; only runners
        that are `ready` can be taken on.
        """
        control = self.control[0]
        if not self.runners[control.turn].effort < control.until:
            control.turn, control.until = self._next(whole, ready)
        return int(control.turn), float(control.until)

    def do_without_stand_in(self) -> None:
        """Let the second runner lead from the start."""
        self.runners[0].out = True
        self.control[0].leader = self.control[0].turn = 1

    def ran(self, number: int, effort: float, best: float, improved: float) -> None:
        """Note a runner's effort, its best score and the effort at which it was found.

        The lead changes at the end of a turn, so that it does not matter how often this is called.
        """
        runner, control = self.runners[number], self.control[0]
        runner.effort = effort
        if best > runner.best:
            runner.best, runner.improved = best, improved
        while runner.marks < MARKS and effort >= control.unit * 2.0**runner.marks:
            self.marks[number, runner.marks] = runner.best
            runner.marks += 1
            self._compare(number)
        if effort >= control.until and runner.best > self.runners[control.leader].best:
            control.leader = number

    def _compare(self, number: int) -> None:
        """Look at the mark that a runner has just come to."""
        runner, leader = self.runners[number], self.control[0].leader
        if leader not in (0, number) and runner.marks <= self.runners[leader].marks:
            ours, theirs = self.marks[[number, leader], runner.marks - 1]
            if ours < theirs:
                runner.behind += 1
                runner.out = runner.behind >= PATIENCE
            elif ours > theirs:
                runner.behind = 0

    def _next(self, whole: float, ready: np.ndarray) -> tuple[int, float]:
        if self.control[0].leader == 0:
            self._hand_over(ready)
        leader = int(self.control[0].leader)
        first = self.runners[leader]
        spent = float(self.runners["effort"][1:].sum())
        if leader > 0 and not (whole > 0 and spent > LATEST * whole):
            number = self._challenger(leader, ready)
            if number < 0:
                self._let_in_again()
                number = self._challenger(leader, ready)
            stalled = (
                first.effort > WARM_UP * self.control[0].unit
                and first.improved < STALLED * first.effort
            )
            share = STALLED_SHARE if stalled else SHARE
            others = spent - first.effort
            if number >= 0 and (
                self._is_ahead(number, leader) or others < share / (1 - share) * first.effort
            ):
                return number, min(self._next_mark(number), max(first.effort, self._unit()))
        return leader, min(self._next_mark(leader), first.effort + self._unit())

    def _hand_over(self, ready: np.ndarray) -> None:
        """Let the first runner that is ready lead in place of the one that stands in."""
        if ready[1:].any():
            self.runners[0].out = True
            self.control[0].leader = 1 + int(np.argmax(ready[1:]))

    def _let_in_again(self) -> None:
        again = self.runners["out"] != 0
        again[0] = False
        self.runners["behind"][again] = 0
        self.runners["out"][again] = False

    def _challenger(self, leader: int, ready: np.ndarray) -> int:
        """The runner that comes next after the leader; -1: none."""
        waiting = [
            (not self._is_ahead(number, leader), int(runner.marks), number)
            for number, runner in enumerate(self.runners)
            if number != leader
            and ready[number]
            and not runner.out
            and runner.effort < self.runners[leader].effort
        ]
        return min(waiting)[2] if waiting else -1

    def _is_ahead(self, number: int, leader: int) -> bool:
        """Whether a runner's score at its last mark is better than the leader's was there."""
        marks = int(self.runners[number].marks)
        return (
            0 < marks <= self.runners[leader].marks
            and self.marks[number, marks - 1] > self.marks[leader, marks - 1]
        )

    def _unit(self) -> float:
        return float(self.control[0].unit)

    def _next_mark(self, number: int) -> float:
        marks = int(self.runners[number].marks)
        return self._unit() * 2.0**marks if marks < MARKS else math.inf

    def check(self) -> None:
        """ValueError if the arrays, which come from a file, cannot be those of a race."""
        control, runners = self.control[0], self.runners
        within(control.leader, 0, len(runners) - 1, "the leader")
        within(control.turn, 0, len(runners) - 1, "the turn")
        need(0 < control.unit < np.inf and 0 <= control.until < np.inf, "no unit of effort")
        within(runners["marks"], 0, MARKS, "marks")
        within(runners["effort"], 0, 1e300, "effort")
        within(runners["improved"], 0, runners["effort"], "effort")
        need(not np.isnan(runners["best"]).any() and not np.isnan(self.marks).any(), "a score")
