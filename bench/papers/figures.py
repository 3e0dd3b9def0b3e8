"""Our figures with their intervals, and how far runs go apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bench.papers.results import Cell, Table
from playout.statistics import half_width, share_error, wilson

MANY = 1_000_000  # what stands for a number that is not known and large


@dataclass(frozen=True)
class Figure:
    """A figure as the paper would print it; `error` is None where nothing tells how runs spread."""

    value: float
    low: float | None
    high: float | None
    runs: int
    error: float | None = None
    variance: float | None = None  # of a run, or a game
    games: bool = False  # whether `runs` are games
    over: bool = False  # whether the value is a bound, which the figure is over


def figure(table: Table, cell: Cell) -> Figure | None:
    """Our figure of a cell; None if there is none."""
    ours = cell.ours
    if ours is None:
        return None
    if ours.points is not None and ours.games:
        low, high = (end * table.per for end in wilson(ours.points, ours.games))
        error = share_error(ours.points, ours.games) * table.per
        value = ours.points / ours.games * table.per
        return Figure(value, low, high, ours.games, error, error**2 * (ours.games + 4), True)
    if ours.mean is None:
        assert ours.value is not None
        return Figure(ours.value, None, None, ours.runs, over=ours.over)
    if ours.sd is not None and ours.runs > 1:
        error = ours.sd / math.sqrt(ours.runs)
    elif ours.half is not None and ours.runs == 1:  # a run's own interval, over many games of it
        error = ours.half / 1.96
        return Figure(ours.mean, ours.mean - ours.half, ours.mean + ours.half, MANY, error)
    elif ours.half is not None:
        error = ours.half / half_width(1.0, ours.runs - 1)
    else:
        return Figure(ours.mean, None, None, ours.runs)
    half = half_width(error, ours.runs - 1)
    return Figure(
        ours.mean, ours.mean - half, ours.mean + half, ours.runs, error, error**2 * ours.runs
    )
