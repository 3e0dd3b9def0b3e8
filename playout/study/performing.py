"""How a worker comes to do the runs of an experiment: with problems that are here, or made anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playout.errors import ProblemError
from playout.study.kinds.kinds import load, perform
from playout.study.kinds.runs import Run
from playout.study.store.results_store import Place
from playout.workers import Recipe, Work, described


@dataclass(frozen=True)
class Job:
    """A run to be done, and its place in the store."""

    place: Place
    search: Run

    def __str__(self) -> str:
        return f"{self.place.cell}, seed {self.place.seed}"


@dataclass(frozen=True)
class Performing(Recipe[Job, dict[str, Any]]):
    """Runs in this process: `problems` exist only here, others are loaded when they are needed."""

    problems: Mapping[str, Any]

    def make(self) -> Work[Job, dict[str, Any]]:
        loaded = dict(self.problems)

        def do(job: Job, over: Callable[[], bool]) -> dict[str, Any]:
            where, place = job.search.where(), job.place
            if where not in loaded:
                loaded[where] = load(job.search)
            return perform(job.search, loaded[where], place.unit, place.budget, place.seed, over)

        return do


@dataclass(frozen=True)
class PerformingAnew(Recipe[Job, dict[str, Any]]):
    """Runs in a process that makes everything from texts; what is wrong is told with the run."""

    own: tuple[str, ...]  # the texts that may name files of the user's own

    def make(self) -> Work[Job, dict[str, Any]]:
        do = Performing({}).make()

        def told(job: Job, over: Callable[[], bool]) -> dict[str, Any]:
            try:
                return do(job, over)
            except Exception as error:
                fault = described(error, self.own)
                if isinstance(fault, ProblemError):
                    raise type(fault)(f"{fault} (in {job})") from None
                raise

        return told

    def texts(self) -> Sequence[str]:
        return self.own
