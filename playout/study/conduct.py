"""Conducting an experiment: what is missing is run, by all workers, and remembered.

This process claims the runs, hands them to its workers and writes what they return; a second
`playout` on the same store is more of the same. What was not finished when it ended, however it
ended, is done again by the next.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from playout.cluster.node_crew import NodeCrew
from playout.contract import Problem
from playout.errors import PlayoutError
from playout.provenance import cores
from playout.study.kinds.kind import Kind
from playout.study.performing import Job, Performing, PerformingAnew
from playout.study.plan import Plan, PlannedRun
from playout.study.standing import Standing, Watch
from playout.study.store.claim_owner import Owner, is_locked, sweep
from playout.study.store.results_store import DONE, MINE, TAKEN, Store, open_store
from playout.study.store.row import Row
from playout.text.user_files import users_fault
from playout.workers import Crew, Processes, Recipe, Threads, WorkerDied

T = TypeVar("T")


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
    workers: int | None = 1,
    progress: Callable[[Standing], None] | None = None,
    problems: Mapping[str, Problem] | None = None,
    remember: bool = True,
    say: Callable[[str], None] | None = None,
    crew: NodeCrew | None = None,
) -> Outcome:
    """Do the runs of a plan that the store does not have yet.

    The experiment is remembered in the store, for a later report, unless told otherwise. `say` is
    told before anything runs why some of it cannot.

    Without a number of `workers` there are as many runs at once as there are cores for. Runs of
    several threads each are done apart from those of others, so that each has its cores.

    `problems` are those that exist only in this process, by `Solve.where()`; with them the
    workers are threads, and processes otherwise. A `crew` on other machines is sent what was loaded
    here, and needs no files.
    """
    planned = plan.planned_runs()
    codes, left_out, loaded = _codes(planned, problems or {})
    if not codes:
        raise PlayoutError(next(iter(left_out.values())))
    for reason in dict.fromkeys(left_out.values()):
        if say is not None:
            say(reason)
    with open_store(store) as opened:
        path = opened.path.resolve()
        jobs = [
            Job(run.run_key(plan.experiment.name, codes[run.search.key()]), run.search)
            for run in planned
            if run.search.key() in codes
        ]
        if remember:
            opened.remember(plan.experiment, plan.settings, codes)
        missing = set(opened.missing(job.key for job in jobs))
    sweep(path)
    todo = [job for job in jobs if job.key in missing]
    if todo:
        groups = by_threads(todo, lambda job: job.search)
        most = max(at_once(threads, workers, crew) for threads in groups)
        watch = Watch(len(jobs), todo, most, progress)
        own = tuple({text: None for job in todo for text in job.search.own_texts()})
        team: Crew
        recipe: Recipe[Job, Row]
        for threads, some in groups.items():
            many = min(at_once(threads, workers, crew), len(some))
            if crew is not None:
                _check_elsewhere(todo)
                team, recipe = crew.of_threads(threads), PerformingAnew(own, _movable(loaded))
            elif problems:
                team, recipe = Threads(many), Performing(problems)
            else:
                team, recipe = Processes(many), PerformingAnew(own)
            _do(path, some, team, recipe, watch)
    return Outcome(path, len(planned), len(todo), left_out, codes)


def by_threads(items: Sequence[T], search: Callable[[T], Kind]) -> dict[int, list[T]]:
    """Runs by the number of threads that each searches with, the fewest first."""
    threads: dict[str, int] = {}
    groups: dict[int, list[T]] = {}
    for item in items:
        one = search(item)
        key = one.key()
        if key not in threads:
            threads[key] = one.threads()
        groups.setdefault(threads[key], []).append(item)
    return dict(sorted(groups.items()))


def at_once(threads: int, workers: int | None, crew: NodeCrew | None) -> int:
    """How many runs of so many threads are done at once."""
    if crew is not None:
        return crew.of_threads(threads).workers
    return workers or max(1, cores() // threads)


def _movable(loaded: Mapping[str, Any]) -> dict[str, Any]:
    """What was loaded here and can be sent; the rest is loaded from its text where it is needed."""
    found = {}
    for where, problem in loaded.items():
        with suppress(Exception):
            pickle.dumps(problem)
            found[where] = problem
    return found


def _check_elsewhere(jobs: list[Job]) -> None:
    """Refuse runs that keep files of this machine which others need."""
    for job in jobs:
        if job.search.lock(job.key.seed) is not None:
            raise PlayoutError(f"{job} keeps a folder on this machine: run it without a cluster")


def _do(
    path: Path,
    jobs: list[Job],
    team: Crew,
    recipe: Recipe[Job, Row],
    watch: Watch,
) -> None:
    """Do the jobs that no other process does."""
    with Store(path) as store, Owner(path) as owner:
        claims = _Claims(store, owner, watch)
        outcomes = team.each(recipe, claims.make(jobs))
        try:
            for ended in outcomes:
                if ended is None:
                    watch.tell()
                else:
                    claims.finish(*ended)
        except WorkerDied as error:
            raise WorkerDied(f"{error}; what was finished is in the store") from None
        finally:
            store.release(owner)


@dataclass
class _Claims:
    """What this process has claimed in a store; a row and its claim are one transaction."""

    store: Store
    owner: Owner
    watch: Watch
    locks: set[Path | None] = field(default_factory=set)  # what the runs under way lock

    def make(self, jobs: list[Job]) -> Iterator[Job | None]:
        """Jobs that are ours to do, when a worker is free; None while others do what is left."""
        left = deque(jobs)
        while left:
            for _ in range(len(left)):
                job = left.popleft()
                state = self._claim(job)
                if state == MINE:
                    self.watch.begun(job)
                    yield job
                    break
                if state == DONE:
                    self.watch.elsewhere(job)
                else:
                    left.append(job)
            else:
                if left:
                    yield None

    def finish(self, job: Job, row: Row) -> None:
        """A worker has done a job."""
        self.store.finish(job.key, row)
        self.locks.discard(job.search.lock(job.key.seed))
        self.watch.done(job, row.score)

    def _claim(self, job: Job) -> str:
        """Claim a job, unless it would only wait for another that does most of its work."""
        lock = job.search.lock(job.key.seed)
        if lock is not None and (lock in self.locks or is_locked(lock)):
            return TAKEN
        state = self.store.claim(job.key, self.owner)
        if state == MINE and lock is not None:
            self.locks.add(lock)
        return state


def _codes(
    planned: list[PlannedRun], given: Mapping[str, Problem]
) -> tuple[dict[str, str], dict[str, str], dict[str, Any]]:
    """The code of every run, why some cannot be had, and what was loaded to find out."""
    codes: dict[str, str] = {}
    left_out: dict[str, str] = {}
    loaded: dict[str, Any] = dict(given)
    searches: dict[str, Kind] = {run.search.key(): run.search for run in planned}
    for key, search in searches.items():
        search.check()
        where = search.where()
        try:
            if where not in loaded:
                loaded[where] = search.load()
            codes[key] = search.code(loaded[where])
        except PlayoutError as error:
            left_out[key] = str(error)
        except Exception as error:
            raise users_fault(error, search.own_texts()) or error from None
    return codes, left_out, loaded
