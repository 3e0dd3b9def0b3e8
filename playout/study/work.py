"""One worker of an experiment: claim a run, do it, store it, until none is left."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from playout.problem import Problem
from playout.run.result import Result
from playout.run.solve import solve
from playout.run.stop import Playouts, Progress, Seconds
from playout.searches import algorithm_class
from playout.study.owner import Owner
from playout.study.provenance import Provenance
from playout.study.spec import Solve
from playout.study.store import DONE, MINE, Place, Store

PAUSE = 0.1  # seconds between two looks at runs that others are doing


class Stopped(Exception):
    """The worker was told to stop in the middle of a run."""


@dataclass(frozen=True)
class Job:
    """A run to be done, and its place in the store."""

    place: Place
    search: Solve


@dataclass(frozen=True)
class Event:
    """What a worker tells: it `begun` a run, `done` it, or found it done `elsewhere`."""

    what: str
    job: int
    score: float = 0.0
    seconds: float = 0.0
    verified: bool = True


def work(
    path: Path,
    jobs: list[Job],
    provenance: Provenance,
    say: Callable[[Event], None],
    over: Callable[[], bool],
    problems: Mapping[str, Problem] | None = None,
) -> None:
    """Do what is left of `jobs`; several workers may be given the same ones."""
    loaded: dict[str, Problem] = dict(problems or {})
    with Store(path) as store, Owner(path) as owner:
        left = deque(enumerate(jobs))
        while left:
            moved = False
            for _ in range(len(left)):
                if over():
                    return
                number, job = left.popleft()
                state = store.claim(job.place, owner)
                if state == DONE:
                    say(Event("elsewhere", number))
                elif state == MINE:
                    say(Event("begun", number))
                    say(_do(store, number, job, provenance, loaded, over))
                    moved = True
                else:
                    left.append((number, job))
            if left and not moved:
                time.sleep(PAUSE)


def _do(
    store: Store, number: int, job: Job, provenance: Provenance, loaded: dict[str, Problem],
    over: Callable[[], bool],
) -> Event:  # fmt: skip
    try:
        where = job.search.where()
        if where not in loaded:
            loaded[where] = load(job.search)
        result = _run(job, loaded[where], over)
        store.finish(job.place, row_of(job.search, result, provenance))
    except BaseException:
        store.release(job.place)
        raise
    return Event("done", number, result.score, result.seconds, result.verified)


def _run(job: Job, problem: Problem, over: Callable[[], bool]) -> Result:
    def look(progress: Progress) -> None:
        if over():
            raise Stopped

    budget = job.place.budget
    return solve(
        problem,
        algorithm_class(job.search.algorithm)(**job.search.options),
        Playouts(int(budget)) if job.place.unit == "playouts" else Seconds(budget),
        seed=job.place.seed,
        compiled=job.search.compiled,
        progress=look,
        instance=job.search.instance,
    )


def load(search: Solve) -> Problem:
    """The problem that a search names."""
    from playout.problems import load_problem
    from playout.problems.instances import find_instance

    cls = load_problem(search.problem)
    problem, _ = find_instance(cls, search.instance or None, **search.problem_options)
    return problem


def row_of(search: Solve, result: Result, provenance: Provenance) -> dict[str, Any]:
    """A finished run as a row of the store, without its place."""
    return {
        "problem": search.problem,
        "instance": search.instance,
        "problem_options": json.dumps(dict(search.problem_options)),
        "algorithm": search.algorithm,
        "options": json.dumps(result.options),
        "score": result.score,
        "playouts": result.playouts,
        "seconds": result.seconds,
        "verified": int(result.verified),
        "stopped_by": result.stopped_by,
        **vars(provenance),
        "finished": now(),
        "curve": np.asarray(result.curve, "<f8").tobytes(),
        "moves": json.dumps(result.moves),
        "records": json.dumps(result.records),
    }


def now() -> str:
    """The time, for a person."""
    return datetime.now(UTC).isoformat(timespec="seconds")
