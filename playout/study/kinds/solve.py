"""A search of a problem by one of the algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from playout.algorithms import ALGORITHMS
from playout.compiled import wrapping
from playout.contract import Problem
from playout.errors import OptionError, nearest
from playout.problems import PROBLEMS
from playout.problems.instances import find_instance, parse_options
from playout.stop import Stop, Target
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import (
    Budget,
    Kind,
    Over,
    class_digest,
    code_of,
    looking,
    option_pairs,
)
from playout.study.kinds.trained_policy import digest_of_model, model_file, use_threads
from playout.study.store.row import Row
from playout.text.grammar import parse_named


@dataclass(frozen=True)
class Solve(Kind):
    """What a run does, apart from its seed and its budget.

    `problem` is a name or `file.py:Class`; `instance`, `options` and `problem_options` are as the
    command line has them. In an instance such as `random:{seed}` the run's seed is put in, so that
    each run has an instance of its own. A run ends at the score `target`, if there is one.
    `workers` threads search, each for itself or, with `parallel="leaf"`, together. With `whole`
    every budget is a run of its own: a search that shares its time out over the moves of a game is
    not at 1 s of 15 where it is at the end of 1 s. Such a run may show its `playouts` in place of
    its score, or one of the algorithm's `counters`. With `sense="min"` its scores are costs.
    """

    problem: str
    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    compiled: bool = True
    target: float | None = None
    workers: int = 1
    parallel: str = "root"
    whole: bool = False
    shows: str = "score"
    sense: str = "max"

    kind: ClassVar[str] = "solve"

    @classmethod
    def parse(
        cls,
        problem: str,
        algorithm: str,
        instance: str = "",
        problem_options: Mapping[str, str] | None = None,
        compiled: bool = True,
    ) -> Solve:
        """The search that the command line's texts name, after a look whether they can be loaded.

        `problem` and `algorithm` may have options, NAME:OPTION=VALUE,...; `problem_options` are
        more of the problem's.
        """
        how = parse_named(algorithm, ALGORITHMS)
        search = ALGORITHMS.find(how.name).from_text(how.options)
        what = parse_named(problem, PROBLEMS)
        found = PROBLEMS.find(what.name)
        values = parse_options(found, {**what.options, **(problem_options or {})})
        find_instance(found, instance.replace("{seed}", "1") or None, **values)
        options = {name: getattr(search, name) for name in how.options}
        return cls(what.name, how.name, instance, options, values, compiled, sense=found.sense)

    def where(self) -> str:
        """The problem, its instance and its options."""
        about = [self.problem, self.instance or "default", *option_pairs(self.problem_options)]
        return " ".join(about)

    def key(self) -> str:
        how = [self.algorithm, *option_pairs(self.options)]
        how += [] if self.compiled else ["interpreted"]
        how += [] if self.target is None else [f"to {self.target:g}"]
        how += [] if self.workers == 1 else [f"on {self.workers} {self.parallel} threads"]
        return f"{self.where()} | {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        return f"{self.key()} | {budget:g} {unit}" if self.whole else self.key()

    def threads(self) -> int:
        return self.workers

    def own_texts(self) -> tuple[str, ...]:
        return (self.problem, self.algorithm)

    def instance_of(self, seed: int) -> str:
        """The name of a run's instance."""
        return self.instance.replace("{seed}", str(seed))

    def check(self) -> None:
        shown = ("score", "playouts", *self._algorithm().counters)
        if self.shows not in shown:
            raise OptionError(
                f"a run of {self.algorithm} shows no {self.shows!r}; {nearest(self.shows, shown)}"
            )
        if self.shows != "score" and not self.whole:
            raise OptionError(f"a run shows its {self.shows} only with whole=True")

    def load(self) -> Problem:
        from playout.problems import PROBLEMS
        from playout.problems.instances import find_instance

        cls = PROBLEMS.find(self.problem)
        name = self.instance_of(1)  # which stands for those of all seeds
        problem: Problem = find_instance(cls, name or None, **self.problem_options)[0]
        return problem

    def code(self, problem: Any) -> str:
        model = [digest_of_model(self._model_file(problem))] if self.has_model() else []
        return code_of(problem, *model, class_digest(self._search_class(problem)))

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.run.solve import solve

        stop: Stop = budget.stop()
        if self.target is not None:
            stop = stop | Target(self.target)
        name = self.instance_of(seed)
        if name != self.instance:
            problem = replace(self, instance=name).load()
        if self.has_model():
            use_threads(self.workers)
        result = solve(
            problem,
            self._algorithm(),
            stop,
            seed=seed,
            workers=self.workers,
            parallel=self.parallel,
            compiled=self.compiled,
            progress=looking(over),
            instance=name,
        )
        return Row(
            problem=self.problem,
            instance=name,
            problem_options=self.problem_options,
            algorithm=self.algorithm,
            options=result.options,
            score=result.score,
            playouts=result.playouts,
            seconds=result.seconds,
            verified=result.verified,
            stopped_by=result.stopped_by,
            curve=result.curve,
            moves=result.moves,
            records=result.records,
            details=result.counters,
        )

    def shown(self, runs: FinishedRuns, mark: float, reached: bool) -> np.ndarray:
        if self.shows == "score":
            return super().shown(runs, mark, reached)
        far = runs.went(mark)
        if self.shows == "playouts":
            return runs.playouts[far]
        counts = runs.counted(self.shows)
        return counts[far & ~np.isnan(counts)]  # without runs that have not counted it

    def has_curve(self) -> bool:
        return self.shows == "score"

    def has_model(self) -> bool:
        """Whether a run needs a trained policy."""
        from playout.learn.policy_iteration.policy_mcts import UNIFORM, PolicyMCTS

        return self.algorithm == PolicyMCTS.name and self.options.get("model") != UNIFORM

    def _model_file(self, problem: Any) -> Any:
        return model_file(self.options.get("model"), self.problem, problem)

    def _algorithm(self) -> Any:
        from playout.algorithms import ALGORITHMS

        return ALGORITHMS.find(self.algorithm)(**self.options)

    def _search_class(self, problem: Any) -> type:
        """The class that searches, known by the algorithm's class and whether it has a model."""
        algorithm = self._algorithm()
        known = type(algorithm), self.has_model()
        if known not in _search_classes:
            with wrapping():
                _search_classes[known] = type(algorithm.start(problem, 1))
        return _search_classes[known]


_search_classes: dict[tuple[type, bool], type] = {}
