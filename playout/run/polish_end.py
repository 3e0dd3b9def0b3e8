"""A polish that takes long is told that the run is to end.

A step ends between two playouts. Where a playout is polished by compiled code, that may be
minutes away on a large instance. Such a problem has an array `ended` among its fields, which its
`polish` looks at; a thread sets it when the end of the run is over for a second and the step still
goes on. So a polish of the usual length is never cut off, and a checkpoint is exact.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from playout.contract import Problem
from playout.text.repeating import repeating

LOOK_SECONDS = 0.1
PATIENCE = 1.0  # seconds from the end of the run on in which a step may end by itself


def with_own_end(problem: Problem) -> Problem:
    """The problem, with an array `ended` that no other run sets, if it has one at all."""
    if problem.ended is None:
        return problem
    problem = copy.copy(problem)
    problem.ended = np.zeros(1, np.int64)
    return problem


@contextmanager
def telling_end(problem: Problem, is_ending: Callable[[], bool]) -> Iterator[None]:
    """In a block, set the problem's `ended` soon after the run is to end."""
    ended, when = problem.ended, math.inf
    if ended is None:
        yield
        return

    def look() -> None:
        nonlocal when
        if when == math.inf and is_ending():
            when = time.monotonic() + PATIENCE
        if time.monotonic() >= when:
            ended[0] = 1

    try:
        with repeating(look, LOOK_SECONDS, "polish-end"):
            yield
    finally:
        ended[0] = 0
