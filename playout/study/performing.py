"""How a worker comes to do the runs of an experiment: with problems that are here, or made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playout.errors import ProblemError
from playout.study.kinds.kind import Budget, Kind, Over
from playout.study.store.row import Row, RunKey
from playout.workers import Recipe, Work, described


@dataclass(frozen=True)
class Job:
    """A run to be done."""

    key: RunKey
    search: Kind

    def __str__(self) -> str:
        return f"{self.key.cell}, seed {self.key.seed}"


@dataclass(frozen=True)
class Performing(Recipe[Job, Row]):
    """Runs in this process: `problems` exist only here, others are loaded when they are needed."""

    problems: Mapping[str, Any]

    def make(self) -> Work[Job, Row]:
        loaded = dict(self.problems)

        def do(job: Job, over: Over) -> Row:
            where, key = job.search.where(), job.key
            if where not in loaded:
                loaded[where] = job.search.load()
            budget = Budget(key.unit, key.budget)
            return job.search.perform(loaded[where], budget, key.seed, over)

        return do


@dataclass(frozen=True)
class PerformingAnew(Recipe[Job, Row]):
    """Runs in a process that makes everything from texts; what is wrong is told with the run."""

    own: tuple[str, ...]  # the texts that may name files of the user's own
    problems: Mapping[str, Any] = field(default_factory=dict)  # those that need not be made

    def make(self) -> Work[Job, Row]:
        do = Performing(self.problems).make()

        def told(job: Job, over: Over) -> Row:
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

    def objects(self) -> Sequence[Any]:
        return list(self.problems.values())
