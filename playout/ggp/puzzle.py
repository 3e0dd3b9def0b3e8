"""A rulesheet with one role as a problem: `playout solve gdl FILE`."""

from __future__ import annotations

import os
from typing import Any

from playout.contract import Problem
from playout.errors import DataError, ProblemError
from playout.ggp.game import GDLRules
from playout.ggp.ground import Limits
from playout.ggp.rulesheet_file import rules_of_file


class GDLPuzzle(GDLRules, Problem):
    """A puzzle from its rulesheet; the score is the goal, from 0 to 100.

    Parameters
    ----------
    path : str
        The rulesheet.
    steps : int
        A game ends after so many steps; see `GDLGame`.
    """

    def __init__(self, path: str, *, steps: int | None = None) -> None:
        source = os.fspath(path)
        self.load(rules_of_file(source), source, steps, Limits())
        if self.roles != 1:
            raise DataError(
                f"{source}: has {self.roles} roles; a problem has one: try playout play gdl:..."
            )

    @classmethod
    def default(cls, **options: Any) -> Any:
        raise ProblemError("gdl: name a rulesheet with one role, as playout solve gdl maze.kif")

    @classmethod
    def read(cls, path: Any, **options: Any) -> list[Any]:
        return [cls(path, **options)]

    def score(self, state):
        return 100.0 * self.final_goal(state, 0)
