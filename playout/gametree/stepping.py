"""The loop of a search of a game: a step, a look at the stop criterion, and again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

from playout.compiled.compile_errors import friendly
from playout.gametree.search_result import SearchResult
from playout.stop import Progress, Stop

STEP_SECONDS = 0.02


class Steps(Protocol):
    """What is taken on in steps: the workers of a search."""

    unit: int
    rate: float  # simulations a second, of the last step of all

    def simulate(self, goal: int) -> None:
        """Simulate until there are `goal` simulations."""

    def done(self) -> int:
        """The simulations so far."""

    def calls(self) -> int:
        """The calls of `play` so far, where they are counted."""

    def settled(self) -> bool:
        """Whether there is nothing more to find out."""


def with_views(
    progress: Callable[[Progress], None] | None,
    view: Callable[[SearchResult], None] | None,
    every: float,
    found: Callable[[float], SearchResult],
) -> Callable[[Progress], None] | None:
    """A `progress` that now and then shows what was found so far, between two steps.

    `found` is the result after so many seconds; `view` is handed one about every `every` seconds.
    """
    if view is None:
        return progress
    due = every

    def look(now: Progress) -> None:
        nonlocal due
        if progress is not None:
            progress(now)
        if now.playouts > 0 and now.seconds >= due:
            view(found(now.seconds))
            due = now.seconds + every

    return look


def run_steps(
    team: Steps,
    stop: Stop,
    check: Callable[[], None],
    progress: Callable[[Progress], None] | None = None,
) -> float:
    """Search until `stop`; the seconds that it took. `check` is called after every step."""
    start = time.perf_counter()
    rate = team.rate  # of the search before: the first step need not feel its way
    size = max(8, int(rate * STEP_SECONDS))
    while True:
        seconds = time.perf_counter() - start
        done = team.done()
        now = Progress(seconds, done, 0.0, 0, 0, rate, team.calls())
        if progress is not None:
            progress(now)
        if (done > 0 and stop.reached(now)) or team.settled():
            team.rate = rate
            return time.perf_counter() - start
        left = stop.playouts_left(now)
        if rate > 0 and math.isfinite(stop.seconds_left(now)):
            size = min(size, max(1, int(rate * max(0.0, stop.seconds_left(now)))))
        whole = -(-size // team.unit) * team.unit
        goal = done + int(min(whole, left))
        before = time.perf_counter()
        with friendly():
            team.simulate(goal)
        check()
        took = max(time.perf_counter() - before, 1e-9)
        made = team.done() - done  # fewer than were to be made, where calls are used up
        rate = (made if made > 0 else goal - done) / took
        size = max(1, min(4 * size, int(rate * STEP_SECONDS)))
