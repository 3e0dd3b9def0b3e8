"""An algorithm that searches a problem, as a frozen dataclass of options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from playout.algorithms.search import Search
from playout.contract import Problem
from playout.text.options import Options, option

Levels = int | tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Algorithm(Options):
    """Options of an algorithm, named as in its paper; what its searches count is `counters`."""

    counters: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.name = cls.name or cls.__name__.lower()

    polish: bool = option(False, "improve each playout by the problem's polish()")

    def start(self, problem: Problem, seed: int) -> Search:
        """A search that has done nothing yet."""
        raise NotImplementedError
