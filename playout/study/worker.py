"""One worker of an experiment: claim a run, do it, store it, until none is left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from playout.contract import Game
from playout.provenance import Provenance
from playout.study.kinds.kinds import is_free, load, perform
from playout.study.kinds.runs import Run
from playout.study.store.owner_lock import Owner
from playout.study.store.results_store import DONE, MINE, TAKEN, Place, Store

PAUSE = 0.1  # seconds between two looks at runs that others are doing


@dataclass(frozen=True)
class Job:
    """A run to be done, and its place in the store."""

    place: Place
    search: Run


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
    problems: Mapping[str, Game] | None = None,
) -> None:
    """Do what is left of `jobs`; several workers may be given the same ones."""
    loaded: dict[str, Game] = dict(problems or {})
    with Store(path) as store, Owner(path) as owner:
        left = deque(enumerate(jobs))
        try:
            while left:
                moved = False
                for _ in range(len(left)):
                    if over():
                        return
                    number, job = left.popleft()
                    free = is_free(job.search, job.place.seed)
                    state = store.claim(job.place, owner) if free else TAKEN
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
        finally:
            store.release(owner)


def _do(
    store: Store, number: int, job: Job, provenance: Provenance, loaded: dict[str, Game],
    over: Callable[[], bool],
) -> Event:  # fmt: skip
    where, place = job.search.where(), job.place
    if where not in loaded:
        loaded[where] = load(job.search)
    row = perform(job.search, loaded[where], place.unit, place.budget, place.seed, over)
    store.finish(place, {**row, **vars(provenance), "finished": now()})
    return Event("done", number, row["score"], row["seconds"], bool(row["verified"]))


def now() -> str:
    """The time, for a person."""
    return datetime.now(UTC).isoformat(timespec="seconds")
