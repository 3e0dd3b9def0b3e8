"""A game for one player, played to its end with each of some settings of a search."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from playout.errors import OptionError
from playout.stop import Calls
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Budget, Kind, Over, code_of, looking
from playout.study.store.row import Row, crafted_is_damaged

SHOWS = ("won", "score")
FEWEST = 10  # calls for a decision, however small the scale


@dataclass(frozen=True)
class Episodes(Kind):
    """A game with the luck of the run's seed, once with each of `searches`; budgets are calls.

    What is shown of the runs is whether a game was won or its score, of the search `setting`. If
    that is empty, it is the one that has won most often, then the one with the highest mean
    score: the best for this game, found afterwards, as papers have it.
    With several `levels` the seed of a run says which is played.
    """

    problem: str
    searches: tuple[str, ...]
    shows: str = "won"
    setting: str = ""
    levels: int = 1

    kind: ClassVar[str] = "episodes"
    counts: ClassVar[str] = "calls"

    def where(self) -> str:
        return f"problem {self.problem}, levels {self.levels}"

    def key(self) -> str:
        text = self.searches[0]
        if len(self.searches) > 1:
            every = json.dumps(self.searches).encode()
            digest = hashlib.blake2b(every, digest_size=6).hexdigest()
            text += f" and {len(self.searches) - 1} more, {digest}"
        return f"{self.problem} | {text}" + (f" | {self.levels} levels" if self.levels > 1 else "")

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget has games of its own."""
        return f"{self.key()} | {budget:g} {unit}"

    def own_texts(self) -> tuple[str, ...]:
        return (self.problem, *self.searches)

    def check(self) -> None:
        from playout.worlds.episode import as_world_search

        if self.shows not in SHOWS:
            raise OptionError(f"shows={self.shows!r}: one of {', '.join(SHOWS)}")
        if self.setting and self.setting not in self.searches:
            raise OptionError(f"setting={self.setting!r} is none of the searches")
        for text in self.searches:
            as_world_search(text)

    def load(self) -> list[Any]:
        from playout.problems.instances import open_problem

        if self.levels == 1:
            return [open_problem(self.problem)[0]]
        levels = range(self.levels)
        return [open_problem(self.problem, options={"level": str(k)})[0] for k in levels]

    def code(self, problem: Any) -> str:
        return "-".join(code_of(level) for level in problem)

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.worlds.episode import as_world_search, episode

        level = problem[(seed - 1) % len(problem)]
        stop, look = Calls(max(FEWEST, int(budget.amount))), looking(over)
        games = [
            episode(level, text, stop, seed=seed, progress=look, verify=False)
            for text in self.searches
        ]
        rules = as_world_search(self.searches[0]).session(level, seed=seed).team
        won = [float(game.outcome.get("standing", 0.0) >= 2) for game in games]
        return Row(
            problem=self.problem,
            algorithm=self.searches[0].partition(":")[0],
            options={"kind": self.kind, "searches": len(self.searches)},
            score=float(np.mean(won)),
            playouts=sum(game.calls for game in games),
            seconds=sum(game.seconds for game in games),
            verified=all(_replays(level, game, rules) for game in games),
            stopped_by=budget.unit,
            details={
                "won": won,
                "score": [game.score for game in games],
                "moves": [len(game.moves) for game in games],
            },
        )

    def shown(self, runs: FinishedRuns, mark: float, reached: bool) -> np.ndarray:
        return self._figures(runs, mark)[self.shows]

    def ranked_by(self, runs: FinishedRuns, mark: float) -> tuple[float, ...]:
        """What cells are ranked by: the share of wins, then the mean score."""
        figures = self._figures(runs, mark)
        return float(figures["won"].mean()), float(figures["score"].mean())

    def _figures(self, runs: FinishedRuns, mark: float) -> dict[str, np.ndarray]:
        """Wins and scores of the setting that is shown, a number for each run."""
        with crafted_is_damaged():
            found = [json.loads(text) for text, far in zip(runs.details, runs.went(mark)) if far]
            tables = {name: np.array([one[name] for one in found], float) for name in SHOWS}
        if not found:
            return dict.fromkeys(SHOWS, np.zeros(0))
        if self.setting:
            chosen = self.searches.index(self.setting)
        else:
            means = [tables[name].mean(axis=0).tolist() for name in SHOWS]
            chosen = max(range(len(self.searches)), key=lambda k: (means[0][k], means[1][k]))
        return {name: table[:, chosen] for name, table in tables.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "searches": tuple(data["searches"])})


def _replays(problem: Any, game: Any, rules: Any) -> bool:
    """Whether the moves, played again from the luck's seed by the compiled rules, lead there."""
    from playout.worlds.episode_result import state_digest

    states = problem.root(game.luck)
    for move in problem.as_moves(game.records):
        rules.play(states, move)
    return bool(state_digest(states) == game.state)
