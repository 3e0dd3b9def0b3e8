"""Conducting an experiment: what is missing is run, by all workers, and remembered.

This process claims the runs, hands them to its workers and writes what they return; a second
`playout` on the same store is more of the same. What was not finished when it ended, however it
ended, is done again by the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from playout._version import __version__
from playout.contract import Game, Problem
from playout.errors import PlayoutError
from playout.provenance import Provenance
from playout.study.kinds.kinds import check_options, code_of, is_free, load, own_text
from playout.study.kinds.runs import Run
from playout.study.performing import Job, Performing, PerformingAnew
from playout.study.plan import Plan, Task
from playout.study.standing import Standing, Watch
from playout.study.store.owner_lock import Owner, sweep
from playout.study.store.results_store import DONE, MINE, TAKEN, Place, Store, open_store
from playout.workers import Processes, Threads, WorkerDied, users_fault


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
        watch = Watch(len(jobs), todo, workers, progress)
        _do(path, todo, workers, problems or {}, watch)
    return Outcome(path, len(tasks), len(todo), left_out, codes)


def _do(
    path: Path, jobs: list[Job], workers: int, problems: Mapping[str, Problem], watch: Watch
) -> None:
    """Do the jobs that no other process does; a row and its claim are one transaction."""
    at_once = min(workers, len(jobs))
    provenance = vars(Provenance.here())
    with Store(path) as store, Owner(path) as owner:
        claimed = _claimed(store, owner, jobs, watch)
        if problems:
            outcomes = Threads(at_once).each(Performing(problems), claimed)
        else:
            own = tuple({own_text(job.search): None for job in jobs})
            outcomes = Processes(at_once).each(PerformingAnew(own), claimed)
        try:
            for ended in outcomes:
                if ended is None:
                    watch.tell()
                    continue
                job, row = ended
                store.finish(job.place, {**row, **provenance, "finished": now()})
                watch.done(job, row["score"])
        except WorkerDied as error:
            raise WorkerDied(f"{error}; what was finished is in the store") from None
        finally:
            store.release(owner)


def _claimed(store: Store, owner: Owner, jobs: list[Job], watch: Watch) -> Iterator[Job | None]:
    """The jobs that are ours to do, when a worker asks; None while others do all that is left."""
    left = deque(jobs)
    while left:
        for _ in range(len(left)):
            job = left.popleft()
            free = is_free(job.search, job.place.seed)
            state = store.claim(job.place, owner) if free else TAKEN
            if state == DONE:
                watch.elsewhere(job)
            elif state == MINE:
                watch.begun(job)
                yield job
                break
            else:
                left.append(job)
        else:
            if left:
                yield None


def place_of(plan: Plan, task: Task, code: str) -> Place:
    """Where a run is kept."""
    return Place(
        plan.experiment.name, task.cell(), task.seed, task.unit, task.budget,
        __version__, code,
    )  # fmt: skip


def now() -> str:
    """The time, for a person."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
            raise users_fault(error, [own_text(search)]) or error from None
    return codes, left_out
