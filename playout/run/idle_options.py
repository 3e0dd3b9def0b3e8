"""Options that cannot have mattered in a run, and cores that stood idle: each is said in a line."""

from __future__ import annotations

import math
import os
from typing import Any

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.gnrpa import GNRPA
from playout.algorithms.nmcs import NMCSSearch
from playout.contract import Problem
from playout.run.driver import Driver

LONG = 5.0  # seconds of a run that is worth more cores
MOSTLY = 0.5  # of the run's time in evaluate: it is what costs


def idle_options(
    algorithm: Algorithm, problem: Problem, run: Driver, sharing: int = 1
) -> list[str]:
    """Notes on a run that is over; `sharing` threads shared out its batches."""
    most = max(int(worker.search.head[0].playouts) for worker in run.workers)
    notes = []
    if isinstance(algorithm, GNRPA):
        notes += _level_note(algorithm, most)
        beams = algorithm.per_level("beam", algorithm.beam)
        if algorithm.diversity != "none" and max(beams) == 1:
            notes.append(f"diversity={algorithm.diversity} is about beams, and beam=1 has none")
        if sharing > beams[0] * algorithm.P:
            notes.append(
                f"a batch has P times beam playouts, {beams[0] * algorithm.P} here, for {sharing} "
                "workers to share: give a larger P, or --parallel root"
            )
    searches: list[Any] = [worker.search for worker in run.workers]
    if all(isinstance(search, NMCSSearch) for search in searches):
        notes += _nmcs_note(searches)
    if type(problem).bias is Problem.bias:
        notes += _bias_note(algorithm, type(problem).__name__)
    if problem.evaluate is not None and sharing == 1:
        notes += _evaluate_note(run, os.cpu_count() or 1)
    return notes


def _evaluate_note(run: Driver, cores: int) -> list[str]:
    """How a costly objective is shared out; threads of searches that hold one lock are no help."""
    steps = [worker.take_step for worker in run.workers]
    spent = sum(step.evaluating() for step in steps if hasattr(step, "evaluating"))
    seconds = run.seconds()
    if cores == 1 or seconds < LONG or spent < MOSTLY * seconds:
        return []
    return [
        f"evaluate took {min(spent / seconds, 1.0):.0%} of the time: "
        f"-o P={cores} --workers {cores} --parallel processes has GNRPA play batches that the "
        "cores share out"
    ]


def _level_note(algorithm: GNRPA, playouts: int) -> list[str]:
    """The lowest level that would have played the same, if the level is not the usual one."""
    usual = type(algorithm)().level
    if algorithm.level <= usual:
        return []
    sizes = algorithm.per_level("N", algorithm.N)
    for level in range(1, algorithm.level):
        whole = math.prod(sizes[:level]) * algorithm.P
        if 0 in sizes[:level]:
            return []
        if whole >= playouts:
            return [
                f"level={algorithm.level} is as level={level} here: that alone takes {whole:,} "
                f"playouts, and there were {playouts:,}"
            ]
    return []


def _nmcs_note(searches: list[NMCSSearch]) -> list[str]:
    for search in searches:
        top = int(search.control[0].top)
        this = search.levels[top]
        if search.head[0].runs > 0 or this.prefix > 0 or this.cursor > 0 or top == 1:
            return []
    return [f"level={top} is too high: there was no time for its second move"]


def _bias_note(algorithm: Algorithm, name: str) -> list[str]:
    if getattr(algorithm, "strength", 1.0) != 1.0:
        return [f"strength={algorithm.options()['strength']:g} is of the bias, and {name} has none"]
    if algorithm.name == "gnrpa":
        alike = algorithm.options()["tau"] == 1.0 and algorithm.options()["bias"]
        return [f"gnrpa is as nrpa here: {name} has no bias()"] if alike else []
    if algorithm.options().get("bias"):
        return [f"bias=true does nothing: {name} has no bias()"]
    return []
