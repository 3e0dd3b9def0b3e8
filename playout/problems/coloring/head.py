"""HEAD: two colourings that are crossed and improved until they are one, for a number of colours.

L. Moalic and A. Gondran, Variations on memetic algorithms for graph coloring problems, 2018. A
generation crosses the two both ways, improves both children by tabu search, and they take their
parents' places. Every ten generations the best of the ten before comes back for one of them.
When the two have become alike, it begins again, with twice the patience of the tabu search.

The paper's tabu search counts conflicts (`tabu.py`). The same is done with partial colourings
(`partial_tabu.py`). They need not become alike, and begin again when the best is not beaten for
long. Each of four tenures is tried once, then the two that came furthest have turns, with four
times the patience each time. The one that finds a colouring is the first for the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playout.compiled import kernel
from playout.compiled.random import random_below
from playout.problems.coloring.crossover import apart, cross
from playout.problems.coloring.partial_tabu import TENURES, partial_steps
from playout.problems.coloring.saturation import InnerGraph
from playout.problems.coloring.tabu import tabu_steps

CYCLE = 10  # generations after which the best of a cycle comes back
MOST_GENERATIONS = 1000
MOST_PATIENT = 2**20
MOST_STALE = 100  # generations of partial colourings in which the best was not beaten


@kernel
def child_of(one, two, k, rng):
    """A child, and how far apart its parents are."""
    return cross(one, two, k, rng), apart(one, two, k)


@kernel
def improve(near, starts, k, colour, steps, ended, rng):
    """Improve a colouring by its conflicts; vertices without colour get one at random first."""
    for v in range(len(colour)):
        if colour[v] < 0:
            colour[v] = random_below(rng, k)
    fixed = np.zeros(len(colour), np.bool_)
    return tabu_steps(near, starts, k, colour, fixed, steps, ended, rng)


@kernel
def improve_partial(near, starts, k, colour, tenure, steps, ended, rng):
    """Improve a partial colouring."""
    return partial_steps(near, starts, k, colour, tenure, steps, ended, rng)


@dataclass
class Head:
    """A search for a colouring with k colours, one improved colouring after another.

    `begin(k, known)` begins with another number of colours, and a proper colouring with more;
    `advance` improves one colouring, and returns it if it is proper. `work` is what all took.
    """

    graph: InnerGraph
    partial: bool
    patience: int  # steps of a tabu search without progress, at first
    rng: np.ndarray
    ended: np.ndarray
    compiled: bool = True
    k: int = 0
    least: int = 0  # the fewest wrong edges that were found with k colours
    work: int = 0
    tenures: list[float] = field(default_factory=lambda: list(TENURES))
    parents: list[np.ndarray] = field(default_factory=list)
    children: list[np.ndarray] = field(default_factory=list)
    elites: list[np.ndarray] = field(default_factory=list)  # of this cycle, and of the one before
    elite_cost: int = 0
    lowest: int = 0  # cost since it began again
    lowest_at: int = 0  # generation
    generation: int = 0
    restarts: int = 0
    patient: int = 1  # times the patience at first
    turn: int = 0  # the tenure of this time
    reached: list[int] = field(default_factory=list)  # the lowest cost of each tenure tried

    def begin(self, k: int, known: np.ndarray) -> None:
        """Look for a colouring with k colours, from one with more: its largest k classes."""
        sizes = np.bincount(known)
        rank = np.empty(len(sizes), np.int64)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        first = rank[known].astype(np.int32)
        first[first >= k] = -1
        self.k, self.least, self.restarts = k, len(known) ** 2, 0
        self.patient, self.turn, self.reached = 1, 0, []
        self._anew()
        self._start = first

    def _anew(self) -> None:
        self.parents, self.children, self.elites = [], [], []
        self.generation = self.lowest_at = 0
        self.lowest = len(self.graph.near) + 1
        self._start = np.full(len(self.graph.order), -1, np.int32)

    def advance(self) -> np.ndarray | None:
        """Improve one more colouring; a proper one, by inner numbers, if that is what it is."""
        if len(self.parents) < 2:
            start, distance = self._start.copy(), len(self._start)
        else:
            one, two = self.parents if not self.children else self.parents[::-1]
            start, distance = self._call(child_of)(one, two, self.k, self.rng)
        found, cost = self._improved(start)
        if cost == 0:
            self.tenures.insert(0, self.tenures.pop(self.turn))
            return found
        if cost < self.lowest:
            self.lowest, self.lowest_at = cost, self.generation
        if len(self.parents) < 2:
            self.parents.append(found)
            self._start = np.full(len(found), -1, np.int32)
            if len(self.parents) == 2:
                self.elites, self.elite_cost = [self.parents[0]] * 2, cost
            return None
        if cost < self.elite_cost:
            self.elites[0], self.elite_cost = found, cost
        self.children.append(found)
        if len(self.children) == 2:
            self._next_generation(distance)
        return None

    def _next_generation(self, distance: int) -> None:
        self.parents, self.children = self.children, []
        self.generation += 1
        if self.generation % CYCLE == 0:
            self.parents[0] = self.elites[1]
            self.elites[1] = self.elites[0]
            self.elite_cost = len(self._start) ** 2
        stale = self.partial and self.generation - self.lowest_at >= MOST_STALE
        if distance <= len(self._start) // 100 or self.generation == MOST_GENERATIONS or stale:
            self._again()

    def _again(self) -> None:
        """Begin again with two other parents, and with more patience or another tenure."""
        self.restarts += 1
        if not self.partial:
            self.patient = min(2 * self.patient, MOST_PATIENT)
        elif self.restarts < len(self.tenures):
            self.reached.append(self.lowest)
            self.turn = self.restarts
        else:
            if self.restarts == len(self.tenures):
                self.reached.append(self.lowest)
                order = sorted(range(len(self.tenures)), key=self.reached.__getitem__)
                self.tenures = [self.tenures[i] for i in order]
            self.turn = self.restarts % 2
            if self.turn == 0:
                self.patient = min(4 * self.patient, MOST_PATIENT)
        self._anew()

    def _improved(self, start: np.ndarray) -> tuple[np.ndarray, int]:
        near, starts = self.graph.near, self.graph.starts
        steps = self.patience * self.patient
        if self.partial:
            tenure = int(self.tenures[self.turn] * len(start))
            found, cost, work = self._call(improve_partial)(
                near, starts, self.k, start, tenure, steps, self.ended, self.rng
            )
        else:
            found, cost, work = self._call(improve)(
                near, starts, self.k, start, steps, self.ended, self.rng
            )
        self.work += int(work)
        self.least = min(self.least, self._wrong(found) if self.partial else int(cost))
        return found, int(cost)

    def _wrong(self, found: np.ndarray) -> int:
        """The wrong edges if vertices without colour get those that fewest neighbours have."""
        colour, wrong = found.copy(), 0
        for v in np.flatnonzero(found < 0).tolist():
            theirs = colour[self.graph.neighbours(v)]
            counts = np.bincount(theirs[theirs >= 0], minlength=self.k)
            colour[v] = counts.argmin()
            wrong += int(counts.min())
        return wrong

    def _call(self, compiled: Any) -> Callable[..., Any]:
        function: Callable[..., Any] = compiled if self.compiled else compiled.py_func
        return function
