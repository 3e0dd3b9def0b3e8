"""What is said of a run under way: words, and how far it is.

The live line of a terminal and that of a notebook show the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playout.text.numbers import clock

if TYPE_CHECKING:
    from playout.stop import Progress, Stop

Words = list[str | tuple[str, str]]


@dataclass(frozen=True)
class Shown:
    """What the line shows: words behind a bar, or behind a wheel if nobody knows how far it is."""

    words: Words
    share: float | None = None


def search_shown(stop: Stop, progress: Progress, score: bool = True) -> Shown:
    """Of a search: best score (with `score`), playouts, speed and time left."""
    share, left = how_far(stop, progress)
    words: Words = []
    if score:
        best = f"{progress.best:.10g}" if progress.playouts else "-"
        words += ["best ", (best, "bold green"), "  "]
        if progress.bound is not None and progress.playouts:
            words += [f"bound {progress.bound:.10g}  "]
    words += [f"{progress.playouts:,} playouts  {progress.rate:,.0f}/s  "]
    if progress.doing:
        words += [(f"{progress.doing}  ", "dim")]
    return Shown(words + time_words(progress.seconds, left), share)


def time_words(seconds: float, left: float | None) -> Words:
    """The time so far, and that which is left if it is known."""
    if left is None or not math.isfinite(left):
        return [clock(seconds)]
    return [clock(seconds), (f", {clock(left)} left", "dim")]


def how_far(stop: Stop, progress: Progress) -> tuple[float | None, float]:
    """What part of the run is done (None if nobody knows), and about how many seconds are left."""
    playouts_left = stop.playouts_left(progress)
    left = stop.seconds_left(progress)
    if math.isfinite(playouts_left) and progress.rate > 0:
        left = min(left, playouts_left / progress.rate)
    if not math.isfinite(left):
        return None, math.inf
    left = max(left, 0.0)
    total = progress.seconds + left
    return (progress.seconds / total if total > 0 else 1.0), left
