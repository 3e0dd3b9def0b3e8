"""Who makes the steps of a run's workers: this thread, a thread for each, or somebody elsewhere.

The driver asks for a step and hears when it has ended. What is between is no business of its: a
step may be made here and now, by a thread, or on another machine (`playout.cluster`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, Queue, SimpleQueue

import numpy as np

from playout.algorithms.search import FINE, ROOM, Search
from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.errors import ProblemError
from playout.run.steps import Step, explain

STEP_SECONDS = 0.03

Arrays = dict[str, np.ndarray]
# a worker's number, the seconds that its step took, and what went wrong in it
Ended = tuple[int, float, BaseException | None]


class Worker:
    """One search, and what takes it on."""

    def __init__(self, search: Search, take_step: Step, quota: int | None) -> None:
        self.search = search
        self.take_step = take_step
        self.quota = quota  # playouts that this worker may play in all
        self.rate = 0.0
        self.size = 1  # playouts of the next step
        self.least = getattr(take_step, "threads", 1)  # playouts of a step, so that all have work
        self.seconds = getattr(take_step, "seconds", STEP_SECONDS)  # of a step, about
        self.ready_at = getattr(take_step, "ready_at", None)  # when what it needs was compiled
        self.infinite = False  # whether a score was, of those that were there after a step

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
                self.infinite = self.infinite or bool(np.isinf(self.search.scores).any())
                if head.improvements > len(self.search.curve) // 2:
                    self.search.curve = np.concatenate(
                        [self.search.curve, np.zeros_like(self.search.curve)]
                    )
                return
            else:
                raise ProblemError(explain(status, self.search))


class Hands:
    """Those who make the steps of workers, which are known by their numbers."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers

    def prepare(self) -> None:
        """Compile, or whatever else has to be there before the clock runs."""
        for worker in self.workers:
            with friendly():
                worker.step(0)

    def begin(self, number: int, playouts: int, seconds_left: float) -> None:
        """Have a worker that is free play so many playouts; so many seconds of the run are left."""
        raise NotImplementedError

    def ended(self, seconds: float) -> list[Ended]:
        """The workers whose steps have ended; if need be wait so many seconds for one."""
        raise NotImplementedError

    def copy(self, number: int) -> Arrays | None:
        """A copy of a free worker's arrays; None: it will be there after its next step."""
        arrays = self.workers[number].search.arrays()
        return {name: array.copy() for name, array in arrays.items()}

    def rest(self, number: int) -> None:
        """A free worker has used its quota up, and will make no more steps."""

    def watch(self, ending: Callable[[], bool] | None) -> None:
        """Let steps that take long know whether the run is to end; None: there is none any more."""
        for worker in self.workers:
            watch = getattr(worker.take_step, "watch", None)
            if watch is not None:
                watch(ending)

    def expect(self, seconds: float) -> None:
        """Let steps that plan with it know how many seconds there are; infinite: nobody knows."""
        for worker in self.workers:
            expect = getattr(worker.take_step, "expect", None)
            if expect is not None:
                expect(seconds)

    def gather(self) -> None:
        """Bring all arrays of workers that are free, where they are elsewhere, here."""

    def close(self) -> None:
        """Let go of whoever made the steps, after those under way."""


class OwnHands(Hands):
    """A single worker, whose steps are made by the driver's own thread."""

    _playouts: int | None = None

    def begin(self, number: int, playouts: int, seconds_left: float) -> None:
        self._playouts = playouts

    def ended(self, seconds: float) -> list[Ended]:
        if self._playouts is None:
            return []
        playouts, self._playouts = self._playouts, None
        start = time.perf_counter()
        with friendly():
            self.workers[0].step(playouts)
        return [(0, time.perf_counter() - start, None)]


class ThreadHands(Hands):
    """A thread for each worker."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        super().__init__(workers)
        # SimpleQueue waits for ever if a signal is handled when its timeout is over
        self._told: Queue[Ended] = Queue()
        self._asked: list[SimpleQueue[int | None]] = [SimpleQueue() for _ in workers]
        self._threads: list[threading.Thread] = []

    def begin(self, number: int, playouts: int, seconds_left: float) -> None:
        if not self._threads:
            for which in range(len(self.workers)):
                thread = threading.Thread(target=self._body, args=(which,), daemon=True)
                self._threads.append(thread)
                thread.start()
        self._asked[number].put(playouts)

    def ended(self, seconds: float) -> list[Ended]:
        found: list[Ended] = []
        try:
            found.append(self._told.get(timeout=seconds) if seconds else self._told.get_nowait())
            while True:
                found.append(self._told.get_nowait())
        except Empty:
            return found

    def close(self) -> None:
        for asked in self._asked:
            asked.put(None)
        for thread in self._threads:
            thread.join()

    def _body(self, number: int) -> None:
        worker, asked = self.workers[number], self._asked[number]
        with wrapping():
            while (playouts := asked.get()) is not None:
                start, fault = time.perf_counter(), None
                try:
                    with friendly():
                        worker.step(playouts)
                except BaseException as error:
                    fault = error
                self._told.put((number, time.perf_counter() - start, fault))


def hands_here(workers: Sequence[Worker]) -> Hands:
    """This machine's."""
    return OwnHands(workers) if len(workers) == 1 else ThreadHands(workers)
