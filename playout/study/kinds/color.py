"""A graph coloured with as few colours as a budget allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from playout.study.kinds.kind import Budget, Kind, Over, code_of, looking, option_pairs
from playout.study.store.row import Row


@dataclass(frozen=True)
class Color(Kind):
    """A graph coloured with few colours; the score is minus their number.

    `algorithm` is one of ours, or `head`, `dsatur` or `sat`; `instance` names the graph.
    """

    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)

    kind: ClassVar[str] = "color"

    def where(self) -> str:
        """The graph."""
        return " ".join(["color", self.instance or "default"])

    def key(self) -> str:
        how = [self.algorithm, *option_pairs(self.options), *option_pairs(self.problem_options)]
        return f"{self.where()} | {' '.join(how)}"

    def check(self) -> None:
        self._colourer()

    def load(self) -> Any:
        from playout.problems.coloring.graph_coloring import GraphColoring
        from playout.problems.instances import find_instance

        return find_instance(GraphColoring, self.instance or None, k=1)[0]

    def code(self, problem: Any) -> str:
        return code_of(problem)

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.tasks import color

        found = color(
            problem.graph,
            self._colourer(),
            budget.stop(),
            seed=seed,
            progress=looking(over),
            **self.problem_options,
        )
        return Row(
            problem="coloring",
            instance=self.instance,
            problem_options=self.problem_options,
            algorithm=found.algorithm,
            options=found.options,
            score=found.score,
            playouts=found.playouts,
            seconds=found.seconds,
            verified=found.verified,
            stopped_by=found.stopped_by,
            curve=found.curve,
            moves=found.moves(),
        )

    def _colourer(self) -> Any:
        """The algorithm that decides each number of colours."""
        from playout.algorithms import ALGORITHMS
        from playout.tasks.fewest_colors import NAMED

        if self.algorithm in NAMED:
            return self.algorithm
        return ALGORITHMS.find(self.algorithm)(**self.options)
