"""Workers with a share of the playouts each: how large it is, and the curve of all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from playout.run.hands import Worker
from playout.stop import Playouts, Stop


def quotas(stop: Stop, workers: int) -> list[int | None]:
    """Each worker's share of a budget of playouts: fixed, so that the result is too."""
    budget = min(
        (part.playouts for part in stop.parts() if isinstance(part, Playouts)), default=None
    )
    if budget is None:
        return [None] * workers
    return [budget // workers + (number < budget % workers) for number in range(workers)]


def curve_of_shares(
    workers: Sequence[Worker], times: Sequence[Sequence[float]], known: float | None, sign: float
) -> list[list[float]]:
    """The anytime curve of all workers, as if they had played at the same pace.

    So the curve by playouts does not depend on which of them was ahead. `times` are those of each
    worker's improvements, `known` is the score before the run, `sign` is -1 where it is a cost.
    """
    done = [int(worker.search.head[0].playouts) for worker in workers]
    found = [
        (int(point.playouts), number, float(point.score), at)
        for number, worker in enumerate(workers)
        for point, at in zip(worker.search.curve, times[number])
    ]
    curve: list[list[float]] = [] if known is None else [[0.0, 0, known]]
    seconds, best = 0.0, -math.inf if known is None else sign * known
    for playouts, _, score, at in sorted(found):
        if not curve or score > best:
            seconds, best = max(seconds, at), score
            total = sum(min(playouts, most) for most in done)
            curve.append([seconds, total, sign * score + 0.0])  # no cost is minus 0
    return curve
