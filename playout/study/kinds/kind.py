"""A kind of run: what fills a cell of a table, as plain data, and all that is done with it.

An experiment names runs by objects of these classes. Each is frozen data, so that an experiment can
be stored; its methods say what it is about, how it is checked, loaded and performed, and what is
shown of it. A new kind is one file here and one line in `KINDS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from playout.compiled import digest_of_class
from playout.contract import Game
from playout.errors import GivenUp
from playout.run.checkpoint import digest_of_instance
from playout.stop import Playouts, Progress, Seconds
from playout.study.finished_runs import FinishedRuns
from playout.study.store.row import Row
from playout.text.grammar import value_text

Over = Callable[[], bool]


@dataclass(frozen=True)
class Budget:
    """How long a run is: an amount of seconds or of playouts."""

    unit: str
    amount: float

    def stop(self) -> Playouts | Seconds:
        """The budget as a stop criterion."""
        return Playouts(int(self.amount)) if self.unit == "playouts" else Seconds(self.amount)


class Kind(ABC):
    """What a run does, apart from its seed and its budget."""

    kind: ClassVar[str]
    counts: ClassVar[str] = "playouts"  # what a budget counts that is not in seconds
    per: ClassVar[str] = ""  # what a budget is for, where it is not the whole run: a move

    @abstractmethod
    def where(self) -> str:
        """What the run is about, as one text: runs with the same load the same."""

    @abstractmethod
    def key(self) -> str:
        """The cell's name in the store: equal searches have equal keys."""

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store.

        It is the same for all budgets where a longer run has the shorter ones in its curve.
        """
        return self.key()

    def threads(self) -> int:
        """How many threads a run searches with."""
        return 1

    def own_texts(self) -> tuple[str, ...]:
        """The texts that may name files of the user's own."""
        return ()

    def check(self) -> None:
        """Refuse options that there are not, before anything runs."""
        return

    @abstractmethod
    def load(self) -> Any:
        """The problem or the game that the run is about."""

    @abstractmethod
    def code(self, problem: Any) -> str:
        """A digest of the code and the data of a run: runs before an edit are kept apart."""

    def lock(self, seed: int) -> Path | None:
        """The file that a run locks while it does work that serves other runs too."""
        return None

    @abstractmethod
    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        """Do a run; `over` is asked now and then whether to give up, which raises `GivenUp`."""

    def shown(self, runs: FinishedRuns, mark: float, reached: bool) -> np.ndarray:
        """What is shown of the runs that went as far as a mark: the scores by then.

        With `reached`, a run that had no score by then counts as one that has reached nothing.
        """
        scores = runs.curves.reached(mark) if reached else runs.curves.at(mark)
        return scores[runs.went(mark)]

    def games(self) -> int:
        """How many games, or other trials, a score is the share of that were won; 0: it is none."""
        return 0

    def ranked_by(self, runs: FinishedRuns, mark: float) -> tuple[float, ...]:
        """What columns are ranked by in a line, the highest first: the mean of what is shown."""
        return (float(self.shown(runs, mark, False).mean()),)

    def has_curve(self) -> bool:
        """Whether its scores are drawn over time."""
        return False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """One from what the store has of it."""
        return cls(**data)


@dataclass(frozen=True)
class GameKind(Kind):
    """A kind of run that is about a game."""

    game: str

    def where(self) -> str:
        return f"game {self.game}"

    def own_texts(self) -> tuple[str, ...]:
        return (self.game,)

    def load(self) -> Game:
        from playout.games import load_game

        return load_game(self.game)

    def code(self, problem: Any) -> str:
        return code_of(problem)


def code_of(problem: Any, *more: str) -> str:
    """The digests of a problem's class and data, and others, as one text."""
    parts = [class_digest(type(problem)), digest_of_instance(problem), *more]
    return "-".join(part[:12] for part in parts)


_digests: dict[type, str] = {}


def class_digest(cls: type) -> str:
    """The digest of a class; an edit while a process runs is not seen."""
    if cls not in _digests:
        _digests[cls] = digest_of_class(cls)
    return _digests[cls]


def looking(over: Over) -> Callable[..., None]:
    """What is called now and then in a run, and gives it up when it should."""

    def look(progress: Progress | None = None) -> None:
        if over():
            raise GivenUp

    return look


def option_pairs(options: Mapping[str, Any]) -> list[str]:
    """Options as NAME=VALUE, by name; a tuple is 1,2."""
    return [f"{name}={value_text(value)}" for name, value in sorted(options.items())]
