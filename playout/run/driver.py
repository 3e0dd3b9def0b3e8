"""The driver: takes searches on step by step, on one thread or several.

Between two steps it looks at the stop criteria, notes improvements, reports progress and writes
checkpoints; nothing of this is in the compiled loop. A step is made about as long as
`STEP_SECONDS`, so that Ctrl-C and the clock are never far away.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.algorithms.search import FINE, ROOM, Search
from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.errors import ProblemError
from playout.interrupts import ending_early
from playout.run.steps import Step, explain
from playout.stop import Playouts, Progress, Stop, Target

STEP_SECONDS = 0.03


class Worker:
    """One search and the thread that drives it."""

    def __init__(self, search: Search, take_step: Step, quota: int | None) -> None:
        self.search = search
        self.take_step = take_step
        self.quota = quota  # playouts that this worker may play in all
        self.rate = 0.0
        self.least = getattr(take_step, "threads", 1)  # playouts of a step, so that all have work
        self.seconds = getattr(take_step, "seconds", STEP_SECONDS)  # of a step, about
        self.ready_at = getattr(take_step, "ready_at", None)  # when what it needs was compiled
        self.copy: dict[str, np.ndarray] | None = None
        self.copy_wanted = threading.Event()
        self.copy_made = threading.Event()

    def step(self, playouts: int) -> None:
        """Play so many more playouts, making room as often as it is asked for."""
        head = self.search.head[0]
        goal = int(head.playouts) + playouts
        while True:
            status = self.take_step(self.search, goal - int(head.playouts))
            head = self.search.head[0]
            if status == ROOM:
                self.search.grow()
            elif status == FINE:
                if head.improvements > len(self.search.curve) // 2:
                    self.search.curve = np.concatenate(
                        [self.search.curve, np.zeros_like(self.search.curve)]
                    )
                return
            else:
                raise ProblemError(explain(status, self.search))

    def answer_copy(self) -> None:
        """Copy the arrays if a checkpoint is waiting for them."""
        if self.copy_wanted.is_set():
            self.copy = {name: array.copy() for name, array in self.search.arrays().items()}
            self.copy_wanted.clear()
            self.copy_made.set()


class Driver:
    """Several workers under one stop criterion."""

    def __init__(self, workers: list[Worker], stop: Stop) -> None:
        self.workers = workers
        self.stop = stop
        self.curve: list[list[float]] = []
        self.earlier = 0.0  # seconds of search before a checkpoint
        self.stopped_by = ""
        self._start = 0.0
        self._end: float | None = None
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._noted = [0] * len(workers)
        self._times: list[list[float]] = [[] for _ in workers]  # of each worker's improvements
        self._best = -math.inf
        self._improved_at = 0
        self._error: BaseException | None = None

    # what is known between steps

    def seconds(self) -> float:
        """Seconds of search so far; compiling is not counted."""
        end = time.perf_counter() if self._end is None else self._end
        ready = [worker.ready_at() for worker in self.workers if worker.ready_at is not None]
        return self.earlier + max(0.0, end - max([self._start, *ready]))

    def playouts(self) -> int:
        return sum(int(worker.search.head[0].playouts) for worker in self.workers)

    def counters(self) -> dict[str, int]:
        """What the searches have counted besides playouts, in all."""
        total: Counter[str] = Counter()
        for worker in self.workers:
            total.update(worker.search.counters())
            total.update(getattr(worker.take_step, "counters", dict)())
        return dict(total)

    def best_worker(self) -> Worker:
        """The worker with the best sequence; the first of equals."""
        played = [worker for worker in self.workers if worker.search.head[0].playouts > 0]
        return max(played, key=lambda worker: float(worker.search.head[0].best_score))

    def progress(self) -> Progress:
        return Progress(
            seconds=self.seconds(),
            playouts=self.playouts(),
            best=self._best,
            runs=sum(int(worker.search.head[0].runs) for worker in self.workers),
            improved_at=self._improved_at,
            rate=sum(worker.rate for worker in self.workers),
            doing=self.workers[0].search.doing() if self.workers else "",
        )

    def state(self) -> dict[str, Any]:
        """What a checkpoint must hold besides the arrays."""
        return {
            "seconds": self.seconds(),
            "curve": self.curve,
            "improved_at": self._improved_at,
            "noted": self._noted,
            "times": self._times,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`."""
        self.earlier = float(state["seconds"])
        self.curve = [
            [float(seconds), int(playouts), float(score)]
            for seconds, playouts, score in state["curve"]
        ]
        self._improved_at = int(state["improved_at"])
        self._noted = [int(n) for n in state["noted"]]
        self._times = [[float(time) for time in times] for times in state["times"]]
        if [len(times) for times in self._times] != self._noted:
            raise ValueError("improvements without their times")
        if len(self._noted) != len(self.workers):
            raise ValueError("improvements of other workers")
        self._best = self.curve[-1][2] if self.curve else -math.inf

    # running

    def prepare(self) -> None:
        """Compile, and tell the searches what they should know of the stop criteria."""
        target = min(
            (part.score for part in self.stop.parts() if isinstance(part, Target)),
            default=math.nan,  # no score is as high: an infinite one does not end the run
        )
        for worker in self.workers:
            worker.search.head[0].target = target
            worker.search.head[0].budget = worker.quota or 0
            with friendly():
                worker.step(0)

    def go(self, look: Callable[[Driver], None], every: float) -> None:
        """Run to the end; `look` is called on this thread about every `every` seconds."""
        self._start = time.perf_counter()
        self._find_end()
        self._let_watch(self.is_ending)
        try:
            with ending_early(self._interrupt):
                if len(self.workers) == 1:
                    self._drive(self.workers[0], look, every)
                else:
                    self._drive_threads(look, every)
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        finally:
            self._over.set()
            self._end = time.perf_counter()
            self._let_watch(None)
        if self._error is not None:
            raise self._error

    def is_ending(self) -> bool:
        """Whether the run is to end now, for what takes long within a step."""
        return self._over.is_set() or self.stop.seconds_left(self.progress()) <= 0

    def _let_watch(self, ending: Callable[[], bool] | None) -> None:
        for worker in self.workers:
            watch = getattr(worker.take_step, "watch", None)
            if watch is not None:
                watch(ending)

    def _interrupt(self) -> None:
        """End the run between two steps, where its arrays agree."""
        self.stopped_by = self.stopped_by or "interrupt"
        self._over.set()

    def _find_end(self) -> tuple[float, float]:
        """Look whether the run is over; how many playouts and seconds are left if it is not."""
        reason, playouts, seconds = self.stop.look(self.progress())
        if reason and not self._over.is_set():
            self.stopped_by = self.stopped_by or reason
            self._over.set()
        return playouts, seconds

    def _drive(
        self, worker: Worker, look: Callable[[Driver], None] | None = None, every: float = 1.0
    ) -> None:
        """Step one worker until the run is over or its quota is used up."""
        size, next_look = 1, time.perf_counter() + every
        exact = len(self.workers) == 1
        while True:
            left, seconds_left = self._find_end()
            if self._over.is_set():
                return
            if not exact:
                left = math.inf
            if worker.quota is not None:
                left = min(left, worker.quota - int(worker.search.head[0].playouts))
            if worker.rate > 0 and math.isfinite(seconds_left):
                size = min(size, max(1, int(worker.rate * max(seconds_left, 0.0))))
            self._tell_budget(worker, seconds_left)
            size = int(max(0, min(size, left)))
            if size == 0 and left <= 0:
                return
            before, start = int(worker.search.head[0].playouts), time.perf_counter()
            with friendly():
                worker.step(size)
            took = time.perf_counter() - start
            done = int(worker.search.head[0].playouts) - before
            self._note(worker)
            worker.answer_copy()
            if took > 0 and done > 0:
                worker.rate = smooth_rate(worker.rate, done / took)
                size = max(worker.least, min(2 * max(size, 1), int(worker.rate * worker.seconds)))
            if look is not None and time.perf_counter() >= next_look:
                look(self)
                next_look = time.perf_counter() + every

    def _drive_threads(self, look: Callable[[Driver], None], every: float) -> None:
        def body(worker: Worker) -> None:
            try:
                with wrapping():
                    self._drive(worker)
            except BaseException as error:
                self._error = self._error or error
                self._over.set()
            finally:
                worker.answer_copy()

        threads = [threading.Thread(target=body, args=(w,), daemon=True) for w in self.workers]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                deadline = time.perf_counter() + every
                for thread in threads:
                    thread.join(max(0.0, deadline - time.perf_counter()))
                look(self)
        finally:
            self._over.set()
            for thread in threads:
                thread.join()
        self._find_end()

    def _tell_budget(self, worker: Worker, seconds_left: float) -> None:
        """For searches that split their budget over the moves: the playouts they may expect."""
        if worker.quota is None and math.isfinite(seconds_left) and worker.rate > 0:
            head = worker.search.head[0]
            head.budget = int(head.playouts) + int(worker.rate * max(seconds_left, 0.0))

    def _note(self, worker: Worker) -> None:
        """Add a worker's improvements since the last step to the curve of the run."""
        number = self.workers.index(worker)
        found = int(worker.search.head[0].improvements)
        if found == self._noted[number]:
            return
        with self._lock:
            others = self.playouts() - int(worker.search.head[0].playouts)
            for point in worker.search.curve[self._noted[number] : found]:
                self._times[number].append(round(self.seconds(), 6))
                score, playouts = float(point.score), others + int(point.playouts)
                if score > self._best or not self.curve:
                    self._best = score
                    self._improved_at = playouts
                    self.curve.append([self._times[number][-1], playouts, score])
            self._noted[number] = found

    def final_curve(self) -> list[list[float]]:
        """The curve of a run that is over.

        Workers with a share of the playouts each are taken to have played at the same pace, so that
        the curve by playouts does not depend on which of them was ahead.
        """
        workers = self.workers
        if len(workers) == 1 or any(worker.quota is None for worker in workers):
            return self.curve
        done = [int(worker.search.head[0].playouts) for worker in workers]
        found = [
            (int(point.playouts), number, float(point.score), self._times[number][which])
            for number, worker in enumerate(workers)
            for which, point in enumerate(worker.search.curve[: self._noted[number]])
        ]
        curve: list[list[float]] = []
        seconds = 0.0
        for playouts, _, score, at in sorted(found):
            if not curve or score > curve[-1][2]:
                seconds = max(seconds, at)
                total = sum(min(playouts, most) for most in done)
                curve.append([seconds, total, score])
        return curve

    def copies(self) -> list[dict[str, np.ndarray]]:
        """A copy of every worker's arrays, each between two of its steps."""
        if len(self.workers) == 1 or self._end is not None:
            return [worker.search.arrays() for worker in self.workers]
        for worker in self.workers:
            worker.copy_made.clear()
            worker.copy_wanted.set()
        copies = []
        for worker in self.workers:
            while not worker.copy_made.wait(0.01):
                if self._over.is_set():
                    break
            copies.append(worker.copy or worker.search.arrays())
        return copies


def smooth_rate(before: float, now: float) -> float:
    """Playouts a second, from what they were and now are; 0: not known yet.

    A rate that has fallen to less than half is believed at once: a search that goes on as if it
    were fast would come to its next move, or to its end, too late.

    >>> smooth_rate(0.0, 50.0), smooth_rate(100.0, 200.0), smooth_rate(100.0, 60.0)
    (50.0, 120.0, 92.0)
    >>> smooth_rate(100_000.0, 50.0)
    50.0
    """
    return 0.8 * before + 0.2 * now if now > before / 2 > 0 else now


def quotas(stop: Stop, workers: int) -> list[int | None]:
    """Each worker's share of a budget of playouts: fixed, so that the result is too."""
    budget = min(
        (part.playouts for part in stop.parts() if isinstance(part, Playouts)), default=None
    )
    if budget is None:
        return [None] * workers
    return [budget // workers + (number < budget % workers) for number in range(workers)]
