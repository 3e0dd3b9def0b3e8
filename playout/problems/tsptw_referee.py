"""An independent referee for tours with time windows: plain Python, and nothing of the search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from playout.errors import ProblemError

TOLERANCE = 1e-9  # sums of decimal fractions may miss a closing time by rounding alone


class Visit(NamedTuple):
    """One stop of a tour."""

    node: int
    arrival: float
    begin: float
    late: bool


def schedule(
    distance: Sequence[Sequence[float]],
    windows: Sequence[tuple[float, float]],
    nodes: Sequence[int],
) -> tuple[list[Visit], float]:
    """The stops of a path that starts at nodes[0] when its window opens, and its travel cost."""
    time, travel = windows[nodes[0]][0], 0.0
    visits = [Visit(nodes[0], time, time, False)]
    for here, there in pairwise(nodes):
        earliest, latest = windows[there]
        travel += distance[here][there]
        arrival = time + distance[here][there]
        time = max(arrival, earliest)
        visits.append(Visit(there, arrival, time, arrival > latest + TOLERANCE))
    return visits, travel


def checked_tour(distance: Any, windows: Any, tour: Sequence[int]) -> tuple[list[Visit], float]:
    """The stops of a whole tour, the depot at both ends, and its travel cost.

    Raises `ProblemError` if a node is not visited, is visited twice or does not exist.
    """
    n = len(distance)
    for number, node in enumerate(tour[1:-1], 1):
        if not 0 < node < n:
            raise ProblemError(f"move {number}: there is no node {node} to visit")
        if node in tour[1:number]:
            raise ProblemError(f"move {number}: node {node} has been visited before")
    if len(tour) != n + 1:
        missing = sorted(set(range(1, n)) - set(tour))
        raise ProblemError(f"the tour is not complete: node {missing[0]} was not visited")
    return schedule(distance.tolist(), windows.tolist(), tour if n > 1 else [0])
