"""How far an experiment is, for whoever watches it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from playout.study.performing import Job
from playout.study.store.row import RunKey
from playout.text.live_words import Shown, Words, time_words


@dataclass
class Standing:
    """How far an experiment is."""

    total: int
    done: int = 0
    seconds: float = 0.0
    seconds_left: float | None = None
    last: str = ""  # the cell of the last finished run
    last_score: float | None = None
    best: float | None = None  # of that cell, so far
    running: list[str] = field(default_factory=list)

    def shown(self) -> Shown:
        """For a live line: runs done, time left, the last score and the best of its cell."""
        words: Words = [(f"{self.done:,}", "bold green"), f"/{self.total:,} runs  "]
        words += time_words(self.seconds, self.seconds_left)
        if self.last_score is not None:
            words += [f"  {self.last}: {self.last_score:.10g}"]
            words += [(f" (best {self.best:.10g})", "dim")]
        return Shown(words, self.done / max(1, self.total))


class Watch:
    """Keeps a `Standing` and tells it: of `jobs` to be done, out of `total` runs in all."""

    def __init__(
        self,
        total: int,
        jobs: list[Job],
        workers: int,
        progress: Callable[[Standing], None] | None,
    ) -> None:
        self._unit = jobs[0].key.unit
        self._workers = workers
        self._progress = progress
        self._began = time.perf_counter()
        self._open = len(jobs)
        self._left = sum(job.key.budget for job in jobs)
        self._begun: dict[RunKey, float] = {}
        self._best: dict[str, float] = {}
        self._spent = self._budgets = 0.0
        self._standing = Standing(total, total - len(jobs))

    def begun(self, job: Job) -> None:
        """A worker has begun a run."""
        self._begun[job.key] = time.perf_counter()
        self.tell()

    def elsewhere(self, job: Job) -> None:
        """Another process has done a run."""
        self._end(job)
        self.tell()

    def done(self, job: Job, score: float) -> None:
        """A worker has done a run."""
        self._end(job)
        self._spent += time.perf_counter() - self._begun.pop(job.key)
        self._budgets += job.key.budget
        cell = job.key.cell
        better = min if getattr(job.search, "sense", "max") == "min" else max
        self._best[cell] = better(self._best.get(cell, score), score)
        standing = self._standing
        standing.last, standing.last_score, standing.best = cell, score, self._best[cell]
        self.tell()

    def tell(self) -> None:
        """Say how far it is."""
        if self._progress is not None:
            standing = self._standing
            standing.seconds = time.perf_counter() - self._began
            standing.seconds_left = self._seconds_left()
            standing.running = [key.cell for key in self._begun]
            self._progress(standing)

    def _end(self, job: Job) -> None:
        self._open -= 1
        self._left -= job.key.budget
        self._standing.done += 1

    def _seconds_left(self) -> float | None:
        """Seconds until the end, by what a unit of budget has taken so far."""
        if self._budgets > 0:
            rate = self._spent / self._budgets
        elif self._unit == "seconds":
            rate = 1.0
        else:
            return None
        now = time.perf_counter()
        running = sum(now - began for began in self._begun.values())
        workers = min(self._workers, max(1, self._open))
        return max(0.0, self._left * rate - running) / workers
