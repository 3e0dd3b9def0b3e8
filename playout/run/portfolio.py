"""Several algorithms at work on one problem as one search: `auto` is made of it.

Each member is a search of its own with all of its arrays, and a `Race` says which of them goes on.
A member's playouts are those that it would play alone with the same seed, so that what one has
found can be had again without the others. With a budget of playouts the race is run by playouts,
and the same seed gives the same result; else by seconds.

Members are compiled in the background, in the order in which they will be needed. The first one,
which is compiled soonest, stands in for them; with a budget of playouts it is not needed. The clock
of the run begins when the second, the first guess, is compiled.
"""

from __future__ import annotations

import math
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.array_checks import LARGEST_COUNT, need, within
from playout.algorithms.search import ROOM, Search
from playout.compiled import record, wrapping
from playout.contract import Problem
from playout.errors import PlayoutError
from playout.interrupts import COMPILING
from playout.run.race import Race
from playout.run.steps import Step, make_step

CHUNK = 0.03  # seconds of a member's step
UNIT_SECONDS = 0.025  # of the race's first turn
UNIT_SHARE = 128  # the same by playouts: this part of the budget

OWN = record(by_playouts="i1", found_by="i8", found_at="i8")


class OneAlgorithmWarning(UserWarning):
    """A portfolio of which only one algorithm can search the problem."""


class Portfolio(Search):
    """Members and their race, which appear to the driver as one search."""

    own_fields = ("own", "runners", "marks", "control")
    fields = (*Search.fields, *own_fields)

    def __init__(self, problem: Problem, algorithms: Sequence[Algorithm], seed: int) -> None:
        super().__init__(problem, seed, 1)
        self.algorithms, self.members = _members(problem, algorithms, seed)
        self.prepare_member: Callable[[Search], None] = lambda member: None
        self.race = Race(len(self.members), UNIT_SECONDS)
        self.own = np.zeros(1, OWN)
        self.growing = {  # type: ignore[misc]
            **Search.growing,
            **{
                f"{number}.{name}": axis
                for number, member in enumerate(self.members)
                for name, axis in member.growing.items()
            },
        }

    # the race's arrays are this search's

    @property
    def runners(self) -> np.ndarray:
        return self.race.runners

    @property
    def marks(self) -> np.ndarray:
        return self.race.marks

    @property
    def control(self) -> np.ndarray:
        return self.race.control

    def arrays(self) -> dict[str, np.ndarray]:
        members = {
            f"{number}.{name}": array
            for number, member in enumerate(self.members)
            for name, array in member.arrays().items()
        }
        return {**super().arrays(), **members}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        for name in (*Search.fields, "own"):
            setattr(self, name, arrays[name])
        for name in ("runners", "marks", "control"):
            setattr(self.race, name, arrays[name])
        for number, member in enumerate(self.members):
            member.restore({name: arrays[f"{number}.{name}"] for name in member.fields})

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """The race, and each member as it checks itself."""
        self.race.check()
        within(self.own[0].found_by, 0, len(self.members) - 1, "the member that found it")
        within(self.own[0].found_at, 0, LARGEST_COUNT, "playouts")
        for number, member in enumerate(self.members):
            theirs = {name: fresh[f"{number}.{name}"] for name in member.fields}
            member.check_arrays(problem, theirs, compiled)
        played = sum(int(member.head[0].playouts) for member in self.members)
        need(self.head[0].playouts == played, "playouts of nobody")

    # what is known of it

    def counters(self) -> dict[str, int]:
        total: dict[str, int] = {}
        for member in self.members:
            for name, count in member.counters().items():
                total[name] = total.get(name, 0) + count
        return total

    def doing(self) -> str:
        return self.algorithms[int(self.control[0].turn)].text()

    def found_by(self) -> tuple[Algorithm, int]:
        """The algorithm that found the best sequence, and after how many playouts of its own."""
        own = self.own[0]
        return self.algorithms[int(own.found_by)], int(own.found_at)

    def make_step(self, problem: Problem, compiled: bool, threads: int) -> Step:
        return _Steps(self, problem, compiled, threads)

    def take_in(self, number: int, before: int, noted: int) -> None:
        """Note what a member has played and found since it had `before` playouts."""
        member, head = self.members[number], self.head[0]
        theirs = member.head[0]
        for point in member.curve[noted : int(theirs.improvements)]:
            if point.score > head.best_score or head.improvements == 0:
                head.best_score = point.score
                i = min(int(head.improvements), len(self.curve) - 1)
                self.curve[i].playouts = head.playouts + point.playouts - before
                self.curve[i].score = point.score
                head.improvements = i + 1
                head.best_length = theirs.best_length
                self.best[:] = member.best
                self.own[0].found_by, self.own[0].found_at = number, point.playouts
        head.playouts += theirs.playouts - before


def _members(
    problem: Problem, algorithms: Sequence[Algorithm], seed: int
) -> tuple[list[Algorithm], list[Search]]:
    """The algorithms that can search a problem, and their searches; one line if it is only one."""
    able: list[tuple[Algorithm, Search]] = []
    failed: BaseException | None = None
    for algorithm in algorithms:
        try:
            able.append((algorithm, algorithm.start(problem, seed)))
        except (PlayoutError, MemoryError) as error:
            failed = error
    if not able:
        assert failed is not None
        raise failed
    names = {algorithm.name for algorithm, _ in able[1:]} or {able[0][0].name}
    if failed is not None and len(names) == 1:
        warnings.warn(
            f"{names.pop()} alone can search {type(problem).__name__}: there is nothing to race "
            f"({str(failed) or 'there is not enough memory for the others'})",
            OneAlgorithmWarning,
            stacklevel=2,
        )
    return [algorithm for algorithm, _ in able], [search for _, search in able]


class _Steps:
    """The step of a portfolio: a piece of one member's turn."""

    def __init__(self, portfolio: Portfolio, problem: Problem, compiled: bool, threads: int):
        self._portfolio, self._problem, self._compiled = portfolio, problem, compiled
        self._step = make_step(problem, compiled, threads)
        self._steps = [
            member.make_step(problem, compiled, threads) or self._step
            for member in portfolio.members
        ]
        self.threads = getattr(self._step, "threads", 1)
        self.seconds = getattr(self._step, "seconds", CHUNK)
        self._rates = np.zeros(len(self._steps))
        self._ready = np.zeros(len(self._steps), bool)
        self._ready_at = math.inf
        self._over = False
        self._error: BaseException | None = None

    def ready_at(self) -> float:
        """When the first guess was compiled; infinite before: compiling is not on the clock."""
        return self._ready_at

    def expect(self, seconds: float) -> None:
        """Know from the start how many seconds there are; infinite: nobody knows."""
        if self._portfolio.head[0].playouts == 0 and not self._portfolio.own[0].by_playouts:
            if math.isfinite(seconds):
                self._portfolio.race.expect(seconds)

    def watch(self, ending: Callable[[], bool] | None) -> None:
        """Let the problem know whether the run is to end."""
        self._over = ending is None
        watch = getattr(self._step, "watch", None)
        if watch is not None:
            watch(ending)

    def evaluating(self) -> float:
        """Seconds of the problem's `evaluate`, if it has one."""
        return float(getattr(self._step, "evaluating", float)())

    def counters(self) -> dict[str, int]:
        """What the step of the problem counts."""
        return dict(getattr(self._step, "counters", dict)())

    def __call__(self, search: Any, playouts: int) -> int:
        if playouts == 0:
            return self._compile()
        if self._error is not None:
            raise self._error
        race = self._portfolio.race
        if self._portfolio.own[0].by_playouts:
            number, until = race.turn(np.ones_like(self._ready))
            size = int(until - race.runners[number].effort)
        else:
            number, until = race.turn(self._ready)
            seconds = min(self.seconds, until - float(race.runners[number].effort))
            size = int(self._rates[number] * seconds)
        return self._run(number, max(min(playouts, size), 1))

    def _run(self, number: int, size: int) -> int:
        """Let a member play so many playouts."""
        portfolio, member = self._portfolio, self._portfolio.members[number]
        head = member.head[0]
        before, noted = int(head.playouts), int(head.improvements)
        head.target = portfolio.head[0].target
        start = time.perf_counter()
        goal = before + size
        while True:
            status = self._steps[number](member, goal - int(member.head[0].playouts))
            if status != ROOM:
                break
            member.grow()
        took = time.perf_counter() - start
        done = int(member.head[0].playouts) - before
        if member.head[0].improvements > len(member.curve) // 2:
            member.curve = np.concatenate([member.curve, np.zeros_like(member.curve)])
        portfolio.take_in(number, before, noted)
        if np.isinf(member.scores).any():
            portfolio.scores[0] = np.inf  # for who looks between two steps
        self._rates[number] = done / took if took > 0 else 0.0
        by_playouts = portfolio.own[0].by_playouts
        effort = float(portfolio.runners[number].effort) + (done if by_playouts else took)
        found = member.curve[max(int(member.head[0].improvements) - 1, 0)].playouts
        improved = float(found) if by_playouts else effort
        portfolio.race.ran(number, effort, float(member.head[0].best_score), improved)
        return status

    def _compile(self) -> int:
        """Compile the member that is needed first, and the others in the background."""
        portfolio, first = self._portfolio, 0
        if portfolio.head[0].playouts == 0 and portfolio.head[0].budget:
            portfolio.own[0].by_playouts = True
            portfolio.control[0].unit = max(1, int(portfolio.head[0].budget) // UNIT_SHARE)
            portfolio.race.expect(float(portfolio.head[0].budget))
            first = min(1, len(self._steps) - 1)  # nobody need stand in
        status = self._compile_one(first)
        if not self._compiled:  # so all are ready, and the clock runs from the start
            self._ready[:] = True
            self._ready_at = 0.0
            return status
        self._ready[first] = True
        if first in (1, len(self._steps) - 1):
            self._ready_at = time.perf_counter()
        # the interpreter waits for it at its end: it must not go away under a compiler
        threading.Thread(target=self._compile_others, args=(first,), name=COMPILING).start()
        return status

    def _compile_one(self, number: int) -> int:
        """Compile for a twin of the member, whose own arrays nobody else may touch."""
        twin = self._portfolio.algorithms[number].start(self._problem, 0)
        self._portfolio.prepare_member(twin)
        status = self._steps[number](twin, 0)
        while status == ROOM:
            twin.grow()
            status = self._steps[number](twin, 0)
        return status

    def _compile_others(self, first: int) -> None:
        try:
            with wrapping():
                for number in range(1, len(self._steps)):
                    if self._over:
                        return
                    if number != first:
                        self._compile_one(number)  # what is wrong will be told at its turn
                    self._ready[number] = True
                    self._ready_at = min(self._ready_at, time.perf_counter())
        except BaseException as error:
            self._error = error
