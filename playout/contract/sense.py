"""Costs: problems whose score is to be made as low as possible (`sense = "min"`).

Every search looks for a high score. Of a problem with costs it is given a twin whose score is minus
the cost; what a person sees, and what a result holds, are costs.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np

from playout.contract.evaluated import as_scores
from playout.contract.game import Game
from playout.contract.problem import Problem
from playout.errors import OptionError, ProblemError

TURNED = ("score", "evaluate")
# of which a twin's would be asked, with the sign turned round
COMPILED = ("moves", "play", "bias", "code", "polish", "all_moves", "reset")


def sign_of(problem: Problem) -> float:
    """What a problem's scores are multiplied by for a search, and back again: 1, or -1 for costs.

    >>> import playout as po
    >>> sign_of(po.problems.Maximum(9))
    1.0
    """
    return -1.0 if problem.sense == "min" else 1.0


def sign_as_written(searched: Problem) -> float:
    """The same of a problem as searches have it: -1 for the twin of one with costs."""
    return -1.0 if hasattr(searched, "evaluate_as_written") else 1.0


def score_word(sense: str) -> str:
    """What the score is to a person: a score, or a cost."""
    return "cost" if sense == "min" else "score"


def maximised(problem: Problem) -> Problem:
    """The problem as searches have it: with a score that is to be made as high as possible."""
    if problem.sense == "max":
        return problem
    twin, cls = copy.copy(problem), type(problem)
    twin.__class__ = _turned(cls)  # type: ignore[arg-type]
    return twin


def as_written(searched: Any) -> Any:
    """The problem that `maximised` has made this one of; whatever else as it is."""
    if not any(hasattr(searched, f"{name}_as_written") for name in TURNED):
        return searched
    problem = copy.copy(searched)
    problem.__class__ = type(searched).__bases__[0]
    return problem


def refuse_costs(problem: Any, who: str) -> None:
    """For what only knows scores that are to be high."""
    if isinstance(problem, Problem) and problem.sense == "min":
        raise OptionError(
            f"{who} looks for high scores, and {type(problem).__name__} has costs (sense = 'min'): "
            "give it a score that is minus the cost"
        )


def _minus_cost(self: Any, state: Any) -> Any:
    return -self.score_as_written(state)


def _minus_costs(self: Any, states: np.ndarray) -> np.ndarray:
    return -as_scores(type(self).__name__, states, self.evaluate_as_written(states))


@functools.cache
def _turned(cls: type[Problem]) -> Any:
    """A class whose scores are minus those of another."""
    for name in COMPILED:
        code = getattr(getattr(cls, name, None), "__code__", None)
        asked = set(TURNED) & set(code.co_names if code is not None else ())
        if asked:
            raise ProblemError(
                f"{cls.__name__}.{name} asks {asked.pop()}(), whose sign a search of costs turns "
                "round: put the cost into a method of another name and ask that in both"
            )
    methods: dict[str, Any] = {"__module__": cls.__module__, "__doc__": cls.__doc__, "sense": "max"}
    if cls.outcomes is not Game.outcomes:
        methods["outcomes"] = tuple(sorted(-cost for cost in cls.outcomes))
    if cls.evaluate is None:
        methods |= {"score_as_written": cls.score, "score": _minus_cost}
    else:
        methods |= {"evaluate_as_written": cls.evaluate, "evaluate": _minus_costs}
    return type(cls.__name__, (cls,), methods)
