"""The driver: takes searches on step by step, and looks at the stop criteria between two steps.

It is one loop over steps that have ended, whoever made them (`hands.py`). After each it adds to the
run's totals, notes improvements, looks at the stop criteria, and says how large the worker's next
step is; now and then it reports progress and has a checkpoint written. Nothing of this is in the
compiled loop, and nothing is summed over all workers, of which there may be thousands. A step is
made about as long as its worker wants it, so that Ctrl-C and the clock are never far away.
"""

from __future__ import annotations

import math
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.interrupts import ending_early
from playout.run.hands import Arrays, Hands, ThreadHands, Worker, hands_here
from playout.run.shares import curve_of_shares
from playout.stop import Bound, Progress, Stop, Target

LOOK_AGAIN = 0.01  # seconds between two looks for the arrays of a checkpoint


@dataclass(frozen=True)
class Best:
    """The best sequence that a run has found, and when; it is never changed."""

    score: float
    playouts: int
    seconds: float
    moves: np.ndarray


class BeatenBoundWarning(UserWarning):
    """A score that is better than a bound says that any can be."""


class Driver:
    """Several workers under one stop criterion."""

    def __init__(self, workers: list[Worker], stop: Stop, hands: Hands | None = None) -> None:
        self.workers = workers
        self.stop = stop
        self.hands = hands_here(workers) if hands is None else hands
        self.sign = 1.0  # -1 where the searches' scores are minus costs
        self.curve: list[list[float]] = []
        self.earlier = 0.0  # seconds of search before a checkpoint
        self.stopped_by = ""
        self.best: Best | None = None
        self.start: Best | None = None  # what was known before the run
        self.bound = next((part for part in stop.parts() if isinstance(part, Bound)), None)
        self._beaten = False
        self._noting = threading.Lock()
        self._start = 0.0
        self._end: float | None = None
        self._over = threading.Event()
        self._noted = [0] * len(workers)
        self._times: list[list[float]] = [[] for _ in workers]  # of each worker's improvements
        self._best = -math.inf
        self._improved_at = 0
        self._error: BaseException | None = None
        # what the workers had at their last reports, and the sums of it
        self._playouts = [0] * len(workers)
        self._runs = [0] * len(workers)
        self._all_playouts, self._all_runs, self._rate = 0, 0, 0.0
        self._ready: list[Callable[[], float]] = []  # when what workers need was compiled
        self._stepping: set[int] = set()  # workers whose steps are under way
        self._wanted: set[int] = set()  # workers whose arrays a checkpoint waits for
        self._copies: dict[int, Arrays] = {}

    # what is known between steps

    def seconds(self) -> float:
        """Seconds of search so far; compiling is not counted."""
        return self.earlier + max(0.0, self._now() - max(self._start, self._ready_at()))

    def compiling(self) -> float:
        """Seconds in which playouts were made while the clock waited for compiled code."""
        return max(0.0, min(self._now(), self._ready_at()) - self._start)

    def _now(self) -> float:
        return time.perf_counter() if self._end is None else self._end

    def _ready_at(self) -> float:
        return max((ready_at() for ready_at in self._ready), default=0.0)

    def playouts(self) -> int:
        return self._all_playouts

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
            best=self.shown(self._best),
            runs=self._all_runs,
            improved_at=self._improved_at,
            rate=self._rate,
            doing=self.workers[0].search.doing() if self.workers else "",
            bound=None if self.bound is None or self._beaten else self.bound.score,
            sign=self.sign,
        )

    def shown(self, score: float) -> float:
        """A search's score as the problem has it."""
        return self.sign * score + 0.0  # no cost is minus 0

    def state(self) -> dict[str, Any]:
        """What a checkpoint must hold besides the arrays."""
        return {
            "seconds": self.seconds(),
            "curve": list(self.curve),
            "improved_at": self._improved_at,
            "noted": list(self._noted),
            "times": [list(times) for times in self._times],
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
        self._best = self.sign * self.curve[-1][2] if self.curve else -math.inf
        if self.curve:
            self._publish(self.best_worker())

    def has_begun(self) -> bool:
        """Whether the run's clock runs, or has run."""
        return self._start > 0.0

    def quiet(self) -> threading.Lock:
        """Held while improvements are noted: for who has it, curve and best agree."""
        return self._noting

    # running

    def prepare(self) -> None:
        """Compile, and tell the searches what they should know of the stop criteria."""
        self._tell_target()
        self._look_at_bound()
        for worker in self.workers:
            worker.search.head[0].budget = worker.quota or 0
        try:
            self.hands.prepare()
        except BaseException:
            self.hands.close()
            raise

    def begin_with(self, moves: np.ndarray, score: float) -> None:
        """Begin with a solution that is known: what is no better is no improvement."""
        moves.flags.writeable = False
        self.start = Best(score, 0, 0.0, moves)
        if not self.curve:
            self.curve.append([0.0, 0, score])
            self._best = self.sign * score
        if self.sign * score >= self._best:
            self.best = self.start

    def _tell_target(self) -> None:
        targets = [part for part in self.stop.parts() if isinstance(part, Target)]
        if self._beaten:
            targets = [part for part in targets if not isinstance(part, Bound)]
        # NaN: no score is as high, and an infinite one does not end the run
        target = min((self.sign * part.score for part in targets), default=math.nan)
        for worker in self.workers:
            worker.search.head[0].target = target

    def _look_at_bound(self) -> None:
        """Say once that the bound is wrong, and go on."""
        bound = self.bound
        if bound is not None and not self._beaten and bound.beaten(self.progress()):
            self._beaten = True
            self._tell_target()
            warnings.warn(
                f"the bound {bound.score:.10g} is beaten by {self.shown(self._best):.10g}: "
                "it is no bound, and the search goes on",
                BeatenBoundWarning,
                stacklevel=2,
            )

    def go(self, look: Callable[[Driver], None], every: float) -> None:
        """Run to the end; `look` is called on this thread about every `every` seconds."""
        self._count_all()
        self._ready = [one.ready_at for one in self.workers if one.ready_at is not None]
        self._start = time.perf_counter()
        self.hands.watch(self.is_ending)
        self.hands.expect(self.stop.seconds_left(self.progress()))
        try:
            with ending_early(lambda: self.end("interrupt")):
                self._loop(look, every)
                self._end = time.perf_counter()
                self.hands.gather()
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        finally:
            self._over.set()
            self._end = self._end or time.perf_counter()
            self.hands.watch(None)
            self.hands.close()
            self._count_all()
        if self._error is not None:
            raise self._error

    def is_ending(self) -> bool:
        """Whether the run is to end now, for what takes long within a step."""
        return self._over.is_set() or self.stop.seconds_left(self.progress()) <= 0

    def end(self, reason: str) -> None:
        """End the run between two steps, where its arrays agree; from any thread."""
        self.stopped_by = self.stopped_by or reason
        self._over.set()

    def _loop(self, look: Callable[[Driver], None], every: float) -> None:
        for number in range(len(self.workers)):
            self._begin_step(number)
        next_look = time.perf_counter() + every
        while self._stepping:
            self._hear(min(every, max(0.0, next_look - time.perf_counter())))
            if time.perf_counter() >= next_look:
                look(self)
                next_look = time.perf_counter() + every
        self._find_end()

    def _find_end(self) -> tuple[float, float]:
        """Look whether the run is over; how many playouts and seconds are left if it is not."""
        reason, playouts, seconds = self.stop.look(self.progress())
        if reason and not self._over.is_set():
            self.stopped_by = self.stopped_by or reason
            self._over.set()
        return playouts, seconds

    def _begin_step(self, number: int) -> None:
        """Have a worker that is free go on, unless the run is over or its quota is used up."""
        worker = self.workers[number]
        left, seconds_left = self._find_end()
        if self._over.is_set():
            return
        if len(self.workers) > 1:
            left = math.inf  # no worker's step alone reaches a criterion exactly
        if worker.quota is not None:
            left = min(left, worker.quota - self._playouts[number])
        size = worker.size
        if worker.rate > 0 and math.isfinite(seconds_left):
            size = min(size, max(1, int(worker.rate * max(seconds_left, 0.0))))
        self._tell_budget(worker, seconds_left)
        size = int(max(0, min(size, left)))
        if size > 0 or left > 0:
            self._step(number, size, seconds_left)
        else:
            self.hands.rest(number)

    def _step(self, number: int, playouts: int, seconds_left: float) -> None:
        self._stepping.add(number)
        self.hands.begin(number, playouts, seconds_left)

    def _hear(self, seconds: float) -> None:
        """Take in the steps that have ended, and begin the next ones."""
        for number, took, error in self.hands.ended(seconds):
            self._stepping.remove(number)
            if error is not None:
                self._error = self._error or error
                self._over.set()
            else:
                worker, done = self.workers[number], self._count(number)
                self._note(number)
                if took > 0 and done > 0:
                    rate = smooth_rate(worker.rate, done / took)
                    self._rate += rate - worker.rate
                    worker.rate = rate
                    most = int(rate * worker.seconds)
                    worker.size = max(worker.least, min(2 * max(worker.size, 1), most))
            if number in self._wanted:
                self._copy(number)
            self._begin_step(number)
            self._bring(number)

    def _count_all(self) -> None:
        for number in range(len(self.workers)):
            self._count(number)

    def _count(self, number: int) -> int:
        """Add to the totals what a worker has done since its last report: so many playouts."""
        head = self.workers[number].search.head[0]
        done = int(head.playouts) - self._playouts[number]
        runs = int(head.runs) - self._runs[number]
        self._playouts[number] += done
        self._all_playouts += done
        self._runs[number] += runs
        self._all_runs += runs
        return done

    def _tell_budget(self, worker: Worker, seconds_left: float) -> None:
        """For searches that split their budget over the moves: the playouts they may expect."""
        if worker.quota is None and math.isfinite(seconds_left) and worker.rate > 0:
            head = worker.search.head[0]
            head.budget = int(head.playouts) + int(worker.rate * max(seconds_left, 0.0))

    def _note(self, number: int) -> None:
        """Add a worker's improvements since its last report to the curve of the run."""
        search = self.workers[number].search
        found = int(search.head[0].improvements)
        if found == self._noted[number]:
            return
        with self._noting:
            before, others = len(self.curve), self._all_playouts - self._playouts[number]
            for point in search.curve[self._noted[number] : found]:
                self._times[number].append(round(self.seconds(), 6))
                score, playouts = float(point.score), others + int(point.playouts)
                if score > self._best or not self.curve:
                    self._best = score
                    self._improved_at = playouts
                    self.curve.append([self._times[number][-1], playouts, self.shown(score)])
            self._noted[number] = found
            if len(self.curve) > before:
                self._publish(self.workers[number])
        self._look_at_bound()

    def _publish(self, worker: Worker) -> None:
        """Let others see the best sequence, which a worker has that is between two steps."""
        seconds, playouts, score = self.curve[-1]
        moves = worker.search.best_moves()
        moves.flags.writeable = False
        self.best = Best(score, int(playouts), seconds, moves)

    def final_curve(self) -> list[list[float]]:
        """The curve of a run that is over."""
        workers = self.workers
        if len(workers) == 1 or any(worker.quota is None for worker in workers):
            return self.curve
        known = None if self.start is None else self.start.score
        return curve_of_shares(workers, self._times, known, self.sign)

    def copies(self) -> list[Arrays]:
        """A copy of every worker's arrays, each between two of its steps."""
        here = len(self.workers) == 1 and not isinstance(self.hands, ThreadHands)
        if here or self._end is not None:
            return [worker.search.arrays() for worker in self.workers]
        self._wanted = set(range(len(self.workers)))
        for number in sorted(self._wanted - self._stepping):
            self._copy(number)
            self._bring(number)
        while self._wanted and self._stepping:
            self._hear(LOOK_AGAIN)
        copies, self._copies = self._copies, {}
        return [
            copies.get(number) or worker.search.arrays()
            for number, worker in enumerate(self.workers)
        ]

    def _copy(self, number: int) -> None:
        arrays = self.hands.copy(number)
        if arrays is not None:
            self._copies[number] = arrays
            self._wanted.discard(number)

    def _bring(self, number: int) -> None:
        """Have the arrays brought of a worker that makes no more steps."""
        if number in self._wanted and number not in self._stepping and self._error is None:
            self._step(number, 0, math.inf)


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
