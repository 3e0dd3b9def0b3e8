"""Conducting an experiment: what is missing is run, by all workers, and remembered."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playout._version import __version__
from playout.contract import Game, Problem
from playout.errors import PlayoutError
from playout.study.kinds.kinds import check_options, code_of, load, users_fault
from playout.study.kinds.runs import Run
from playout.study.plan import Plan, Task
from playout.study.store.owner_lock import sweep
from playout.study.store.results_store import Place, open_store
from playout.study.study_workers import run_processes, run_threads
from playout.study.worker import Event, Job


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


@dataclass(frozen=True)
class Outcome:
    """What conducting an experiment came to."""

    store: Path
    asked: int  # runs that the plan asks for
    done: int  # of them, done now
    left_out: dict[str, str]  # `key()` of a run -> why it cannot be done here
    codes: dict[str, str]  # `key()` of a run -> the present state of its problem and algorithm


def conduct(
    plan: Plan,
    *,
    store: str | Path | None = None,
    workers: int = 1,
    progress: Callable[[Standing], None] | None = None,
    problems: Mapping[str, Problem] | None = None,
    remember: bool = True,
    say: Callable[[str], None] | None = None,
) -> Outcome:
    """Do the runs of a plan that the store does not have yet.

    The experiment is remembered in the store, for a later report, unless told otherwise. `say` is
    told before anything runs why some of it cannot.

    `problems` are those that exist only in this process, by `Solve.where()`; with them the
    workers are threads, and processes otherwise.
    """
    tasks = plan.tasks()
    codes, left_out = _codes(tasks, problems or {})
    if not codes:
        raise PlayoutError(next(iter(left_out.values())))
    for reason in dict.fromkeys(left_out.values()):
        if say is not None:
            say(reason)
    with open_store(store) as opened:
        path = opened.path.resolve()
        jobs = [
            Job(place_of(plan, task, codes[task.search.key()]), task.search)
            for task in tasks
            if task.search.key() in codes
        ]
        if remember:
            opened.remember(plan.experiment, plan.settings, codes)
        missing = set(opened.missing(job.place for job in jobs))
    sweep(path)
    todo = [job for job in jobs if job.place in missing]
    if todo:
        watch = _Watch(len(jobs), todo, workers, progress)
        if problems:
            run_threads(path, todo, workers, watch.event, problems)
        else:
            run_processes(path, todo, workers, watch.event)
    return Outcome(path, len(tasks), len(todo), left_out, codes)


def place_of(plan: Plan, task: Task, code: str) -> Place:
    """Where a run is kept."""
    return Place(
        plan.experiment.name, task.cell(), task.seed, task.unit, task.budget,
        __version__, code,
    )  # fmt: skip


def _codes(
    tasks: list[Task], given: Mapping[str, Problem]
) -> tuple[dict[str, str], dict[str, str]]:
    """The code of every run, and why some cannot be had; options are checked on the way."""
    codes: dict[str, str] = {}
    left_out: dict[str, str] = {}
    loaded: dict[str, Game] = dict(given)
    searches: dict[str, Run] = {task.search.key(): task.search for task in tasks}
    for key, search in searches.items():
        check_options(search)
        where = search.where()
        try:
            if where not in loaded:
                loaded[where] = load(search)
            codes[key] = code_of(search, loaded[where])
        except PlayoutError as error:
            left_out[key] = str(error)
        except Exception as error:
            raise users_fault(error, [search]) or error from None
    return codes, left_out


class _Watch:
    """Turns the workers' events into a `Standing`."""

    def __init__(
        self, total: int, jobs: list[Job], workers: int,
        progress: Callable[[Standing], None] | None,
    ) -> None:  # fmt: skip
        self._jobs = jobs
        self._workers = workers
        self._progress = progress
        self._began = time.perf_counter()
        self._open = set(range(len(jobs)))
        self._left = sum(job.place.budget for job in jobs)
        self._begun: dict[int, float] = {}
        self._best: dict[str, float] = {}
        self._spent = self._budgets = 0.0
        self._standing = Standing(total, total - len(jobs))

    def event(self, event: Event | None) -> None:
        standing = self._standing
        if event is not None:
            job = self._jobs[event.job]
            if event.what == "begun":
                self._begun[event.job] = time.perf_counter()
            elif event.job in self._open:
                self._open.discard(event.job)
                self._left -= job.place.budget
                standing.done += 1
            if event.what == "done":
                began = self._begun.pop(event.job)
                self._spent += time.perf_counter() - began
                self._budgets += job.place.budget
                cell = job.place.cell
                self._best[cell] = max(self._best.get(cell, event.score), event.score)
                standing.last, standing.last_score = cell, event.score
                standing.best = self._best[cell]
        if self._progress is not None:
            standing.seconds = time.perf_counter() - self._began
            standing.seconds_left = self._seconds_left()
            standing.running = [self._jobs[n].place.cell for n in self._begun]
            self._progress(standing)

    def _seconds_left(self) -> float | None:
        """Seconds until the end, by what a unit of budget has taken so far."""
        if self._budgets > 0:
            rate = self._spent / self._budgets
        elif self._jobs[0].place.unit == "seconds":
            rate = 1.0
        else:
            return None
        now = time.perf_counter()
        running = sum(now - began for began in self._begun.values())
        workers = min(self._workers, max(1, len(self._open)))
        return max(0.0, self._left * rate - running) / workers
