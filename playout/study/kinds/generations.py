"""How the training of a policy went, as its model file tells it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from playout.errors import DataError
from playout.statistics import half_width
from playout.study.kinds.kind import Budget, Kind, Over, option_pairs
from playout.study.kinds.trained_policy import digest_of_model, model_file
from playout.study.store.row import Row


@dataclass(frozen=True)
class Generations(Kind):
    """The mean score of self-play by generation, as the training of a policy has noted it.

    `model` is the file; empty: the package's own for the problem. The budget, in playouts, is the
    last generation that is shown.
    """

    problem: str
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""

    kind: ClassVar[str] = "generations"
    counts: ClassVar[str] = "generations"

    def where(self) -> str:
        """The problem and its options."""
        return " ".join(["training of", self.problem, *option_pairs(self.problem_options)])

    def key(self) -> str:
        return f"{self.where()} | {self.model or 'the policy of the package'}"

    def own_texts(self) -> tuple[str, ...]:
        return (self.problem,)

    def load(self) -> Any:
        from playout.problems import PROBLEMS

        return PROBLEMS.find(self.problem).training(**self.problem_options)

    def code(self, problem: Any) -> str:
        return digest_of_model(self._file(problem))

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        """The mean scores of self-play up to a generation.

        Each has an interval over the games of its generation, where the file has the whole record.
        """
        from playout.learn.networks.model_file import read_header

        path = self._file(problem)
        about = read_header(path)["about"]
        scores = [float(score) for score in about.get("scores", [])][: int(budget.amount)]
        if not scores:
            raise DataError(f"{path} does not say how its training went")
        seconds = float(about.get("seconds", 0.0)) * len(scores) / len(about["scores"])
        record = [*about.get("record", []), *({} for _ in scores)]
        halves = [_half(entry) for entry in record[: len(scores)]]
        return Row(
            problem=self.problem,
            problem_options=self.problem_options,
            algorithm="policy-iteration",
            options={"kind": self.kind, "settings": about.get("settings", {})},
            score=scores[-1],
            playouts=len(scores),
            seconds=seconds,
            curve=[[seconds, float(number), score] for number, score in enumerate(scores, 1)],
            details={"halves": halves},
        )

    def has_curve(self) -> bool:
        return True

    def _file(self, problem: Any) -> Path:
        return model_file(self.model, self.problem, problem)


def _half(entry: dict[str, Any]) -> float | None:
    """The half-width of the 95% interval of a generation's mean over its games."""
    games = int(entry.get("games", 0))
    if games < 2 or "deviation" not in entry:
        return None
    return half_width(float(entry["deviation"]) / math.sqrt(games - 1), games - 1)
