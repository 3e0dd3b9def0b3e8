"""Colouring by HEAD: the search that `color` makes for each number of colours, if none is named.

Each worker has two searches, one that counts conflicts and one of partial colourings (`head.py`),
and goes on with the one that has had less than its share. A search that finds a colouring which the
other has looked for, too, gets a larger share of what follows. What a worker does is counted in
work and not in seconds, so one worker does the same with the same seed on any machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from playout.interrupts import ending_early
from playout.problems.coloring.graph_files import Graph
from playout.problems.coloring.head import Head
from playout.problems.coloring.saturation import InnerGraph
from playout.stop import Progress, Stop

LOOK_SECONDS = 0.02  # between two looks at the stop criterion
SHOW_SECONDS = 0.1  # between two calls of `progress`
STEPS, PARTIAL_STEPS = 8, 20  # of patience for each vertex, with conflicts and with partial ones
LEARNED = 0.3  # how fast a share moves towards the most
MOST_SHARE = 0.8


@dataclass(frozen=True)
class Outcome:
    """What came of the search for one number of colours; `coloring` is None if none was found."""

    coloring: list[int] | None
    seconds: float
    playouts: int
    wrong: int
    stopped_by: str


class Worker:
    """The two searches of one worker, and how much of its work each gets."""

    def __init__(
        self, graph: InnerGraph, rng: np.ndarray, ended: np.ndarray, steps: int | None, plain: bool
    ) -> None:
        n = len(graph.order)
        usual = (STEPS * n, PARTIAL_STEPS * n)
        self.searches = [
            Head(graph, partial, steps or usual[partial], rng, ended, compiled=not plain)
            for partial in (False, True)
        ]
        self.share = 0.5  # of the partial colourings

    def begin(self, k: int, known: np.ndarray) -> None:
        """Look for a colouring with k colours; one with more is known."""
        for search in self.searches:
            search.begin(k, known)
            search.work = 0

    def advance(self) -> np.ndarray | None:
        """Improve one more colouring; a proper one if that is what it is."""
        conflicts, partial = self.searches
        turn = partial.work * (1 - self.share) <= conflicts.work * self.share
        found = self.searches[turn].advance()
        if found is not None and self.searches[not turn].work > 0:
            most = MOST_SHARE if turn else 1 - MOST_SHARE
            self.share += LEARNED * (most - self.share)
        return found

    def wrong(self) -> int:
        """The fewest wrong edges so far."""
        return min(search.least for search in self.searches)


class HeadSearch:
    """Searches for colourings of one graph, with one number of colours after another."""

    def __init__(
        self, graph: Graph, seed: int, workers: int, compiled: bool, steps: int | None
    ) -> None:
        self._graph = graph.inner
        self._ended = np.zeros(1, np.int64)
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._workers = []
        for number in range(workers):
            rng = np.array([Random(f"{seed}/{number}").getrandbits(64)], np.uint64)
            self._workers.append(Worker(self._graph, rng, self._ended, steps, not compiled))
        if compiled:
            _compile()

    def find(
        self,
        k: int,
        known: list[int],
        stop: Stop,
        progress: Callable[[Progress], None] | None,
        before: tuple[float, int],
    ) -> Outcome:
        """Look for a colouring with k colours; `before` has the seconds and playouts spent."""
        inner = np.empty(len(known), np.int64)
        inner[self._graph.rank] = known
        for worker in self._workers:
            worker.begin(k, inner)
        self._ended[0] = 0
        self._over.clear()
        self._found: np.ndarray | None = None
        self._error: BaseException | None = None
        self._begun = self._playouts = self._improved_at = 0
        self._wrong = 2**62
        self._doing, self._reason = f"{k} colours", ""
        began = shown = time.perf_counter()
        now = self._look(0.0)
        self._most = stop.playouts_left(now)
        threads = [threading.Thread(target=self._work, args=(one,)) for one in self._workers]
        with ending_early(lambda: self._end("interrupt")):
            for thread in threads:
                thread.start()
            try:
                while not self._over.wait(LOOK_SECONDS):
                    now = self._look(time.perf_counter() - began)
                    reason = stop.look(now)[0]
                    if reason:
                        self._end(reason)
                    if progress is not None and time.perf_counter() - shown >= SHOW_SECONDS:
                        shown = time.perf_counter()
                        progress(_after(now, before))
            finally:
                self._end("interrupt")  # if nothing has ended it before
                for thread in threads:
                    thread.join()
        if self._error is not None:
            raise self._error
        now = self._look(time.perf_counter() - began)
        if progress is not None:
            progress(_after(now, before))
        coloring = None if self._found is None else self._found[self._graph.rank].tolist()
        reason = self._reason
        if coloring is not None and reason != "interrupt":
            reason = ""
        wrong = 0 if coloring is not None else self._wrong
        return Outcome(coloring, now.seconds, now.playouts, wrong, reason)

    def _work(self, worker: Worker) -> None:
        try:
            while self._may_go_on():
                with np.errstate(over="ignore"):  # random numbers, where nothing is compiled
                    found = worker.advance()
                with self._lock:
                    self._playouts += 1
                    if worker.wrong() < self._wrong:
                        self._wrong, self._improved_at = worker.wrong(), self._playouts
                    if found is not None and self._found is None:
                        self._found = found
                        self._end("found")
                    if self._playouts >= self._most:
                        self._end("playouts")
        except BaseException as error:
            self._error = error
            self._end("error")

    def _may_go_on(self) -> bool:
        """Whether one more colouring may be improved, which is counted at once."""
        with self._lock:
            if self._over.is_set() or self._begun >= self._most:
                return False
            self._begun += 1
            return True

    def _end(self, reason: str) -> None:
        self._reason = self._reason or reason
        self._ended[0] = 1
        self._over.set()

    def _look(self, seconds: float) -> Progress:
        playouts = self._playouts
        return Progress(
            seconds=seconds,
            playouts=playouts,
            best=-float(self._wrong) if playouts else -np.inf,
            runs=0,
            improved_at=self._improved_at,
            rate=playouts / seconds if seconds > 0 else 0.0,
            doing=self._doing,
        )


def _after(now: Progress, before: tuple[float, int]) -> Progress:
    """The same in all, with what was spent on other numbers of colours."""
    seconds, playouts = before
    return replace(
        now,
        seconds=seconds + now.seconds,
        playouts=playouts + now.playouts,
        improved_at=playouts + now.improved_at,
    )


def _compile() -> None:
    """Have everything compiled that a search calls, so that its clock does not count it."""
    triangle = InnerGraph.of(3, np.array([[0, 1], [0, 2], [1, 2]]))
    rng, ended = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    known: Any = np.arange(3)
    for partial in (False, True):
        search = Head(triangle, partial, 1, rng, ended)
        search.begin(2, known)
        for _ in range(3):
            search.advance()
