"""The best few solutions of a run, each different: `solve(best=5)`, `--best 5`.

A search is given a short list beside its best sequence, which it looks at when a batch has been
scored. Two games that end in the same state are one solution. Without `best` a search has no list,
and its compiled code is what it was.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from playout.algorithms.array_checks import need
from playout.algorithms.search import PLAY, Search
from playout.compiled import hash_record, helper, record
from playout.contract import Problem
from playout.errors import OptionError
from playout.run.portfolio import Portfolio

SOLUTION = record(score="f8", ending="u8", length="i8")
MOST = 10_000


def check_best(best: int) -> None:
    """Refuse what is no number of solutions."""
    if not isinstance(best, int) or isinstance(best, bool) or not 1 <= best <= MOST:
        raise OptionError(f"best={best!r}: a whole number from 1 to {MOST}")


def keep_best(search: Search, problem: Problem, best: int) -> None:
    """Let a search that has done nothing yet keep its best solutions."""
    if isinstance(search, Portfolio):
        search.prepare_member = functools.partial(keep_best, problem=problem, best=best)
        for member in search.members:
            search.prepare_member(member)
        return
    if type(search).make_step is not Search.make_step:
        raise OptionError(f"{type(search).__name__} keeps its best solution only: leave best out")
    cls: Any = type(search)
    search.__class__ = _keeping(cls)
    search.solutions = np.zeros(best, SOLUTION)  # type: ignore[attr-defined]
    search.solutions["score"] = -np.inf  # type: ignore[attr-defined]
    search.solved = np.zeros(  # type: ignore[attr-defined]
        (best, problem.max_length), problem.move_type
    )


def best_solutions(searches: list[Search], best: int) -> list[tuple[float, np.ndarray]]:
    """Score and moves of the best solutions that searches have kept, the best first."""
    found: dict[int, tuple[float, np.ndarray]] = {}
    for search in (member for run in searches for member in _members(run)):
        if search.head[0].phase == PLAY:
            for slot in range(int(search.head[0].played)):
                keep_solution(search, slot)
        for solution, moves in zip(search.solutions, search.solved, strict=True):
            if solution.score > -np.inf:
                known = found.get(int(solution.ending))
                if known is None or solution.score > known[0]:
                    game = moves[: int(solution.length)].copy()
                    found[int(solution.ending)] = float(solution.score), game
    return sorted(found.values(), key=lambda solution: -solution[0])[:best]


def _members(search: Any) -> Iterator[Any]:
    yield from search.members if isinstance(search, Portfolio) else [search]


@helper
def keep_solution(search: Any, slot: Any) -> None:
    """Put a scored playout into the list, if it is good enough and ends as no other does."""
    solutions, score = search.solutions, search.scores[slot]
    place = len(solutions) - 1
    if not score > solutions[place].score:
        return
    ending = hash_record(search.states[slot])
    for i in range(len(solutions)):
        if solutions[i].score > -np.inf and solutions[i].ending == ending:
            return
    row = search.row(slot)
    while place > 0 and solutions[place - 1].score < score:
        solutions[place] = solutions[place - 1]
        for i in range(solutions[place].length):
            search.solved[place, i] = search.solved[place - 1, i]
        place -= 1
    solutions[place].score = score
    solutions[place].ending = ending
    solutions[place].length = search.lengths[row]
    for i in range(search.lengths[row]):
        search.solved[place, i] = search.sequences[row, i]


def _learn(self: Any, problem: Any) -> Any:
    for slot in range(self.head[0].batch):
        keep_solution(self, slot)
    return self.learn_alone(problem)


def _check_knowledge(
    self: Any, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
) -> None:
    lengths = self.solutions["length"]
    need(bool(((lengths >= 0) & (lengths <= self.solved.shape[1])).all()), "solutions' lengths")
    need(not np.isnan(self.solutions["score"]).any(), "a solution's score")
    self.check_knowledge_alone(problem, fresh, compiled)


@functools.cache
def _keeping(cls: Any) -> Any:
    """A search class that keeps solutions."""
    return type(
        f"Keeping{cls.__name__}",
        (cls,),
        {
            "__module__": cls.__module__,
            "__doc__": cls.__doc__,
            "fields": (*cls.fields, "solutions", "solved"),
            "learn_alone": cls.learn,
            "learn": _learn,
            "check_knowledge_alone": cls.check_knowledge,
            "check_knowledge": _check_knowledge,
        },
    )
