"""The pictures of a report: how the figures of a table rose while the runs went on."""

from __future__ import annotations

import math

import numpy as np

from playout.pictures.chart import Curve, Picture
from playout.report.curves import AXES
from playout.statistics import half_width, wilson
from playout.study.cell_figures import Sample, reaches, summary
from playout.study.find_runs import name_of
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Kind
from playout.study.plan import PlannedTable

POINTS = 60  # of a curve


def pictures_of(planned: PlannedTable, runs: dict[str, FinishedRuns]) -> list[Picture]:
    """A picture for each problem, with a curve for each column."""
    groups: dict[str, dict[str, Kind]] = {}
    for place in planned.cells:
        if place.mark is not None and len(place.cell.searches) == 1:
            search = place.cell.searches[0]
            if not search.has_curve():
                continue
            groups.setdefault(search.where(), {}).setdefault(place.cell.column, search)
    pictures = []
    for where, columns in groups.items():
        axis = planned.counts() if planned.unit == "playouts" else planned.unit
        curves = [
            _points(name, search, planned, runs)
            if search.cell(planned.unit, planned.budget) != search.key()  # a run for each budget
            else _curve(
                name, runs[name_of(search, planned.unit, planned.budget)], planned, axis not in AXES
            )
            for name, search in columns.items()
            if name_of(search, planned.unit, planned.budget) in runs
        ]
        if curves:
            pictures.append(Picture(where, axis, tuple(curves)))
    return pictures


def _points(name: str, search: Kind, planned: PlannedTable, runs: dict[str, FinishedRuns]) -> Curve:
    """The means at the marks, each of runs of its own."""
    points, counts = [], []
    for mark in sorted({place.mark for place in planned.cells if place.mark is not None}):
        found = runs.get(name_of(search, planned.unit, mark))
        if found is not None:
            shown = search.shown(found, mark, planned.table.is_share())
            ours = summary(Sample((shown,), search.games()), planned.table)
            low, high = (ours.value if end is None else end for end in (ours.low, ours.high))
            points.append((mark, ours.value, low, high))
            counts.append(ours.runs)
    return Curve(name, tuple(points), min(counts, default=0))


def _curve(name: str, runs: FinishedRuns, planned: PlannedTable, evenly: bool) -> Curve:
    """The mean over the runs that went the whole way, from the first playout on."""
    whole = runs.budgets >= planned.budget * (1 - 1e-9)
    if not whole.any():
        return Curve(name, (), 0)
    firsts = runs.curves.x[runs.curves.starts[whole]]
    start = min(max(float(firsts.max()), 1e-6), planned.budget)
    spaced = np.linspace if evenly else np.geomspace
    places = spaced(start, planned.budget, POINTS if start < planned.budget else 1)
    if planned.table.times:
        return _reached_curve(name, runs, planned, places)
    values = runs.curves.at_each(places)[:, whole] / planned.table.unit
    count = values.shape[1]
    with np.errstate(invalid="ignore", over="ignore"):  # scores may be infinite
        middle, half = values.mean(axis=1), np.zeros(len(places))
        if count > 1:
            half = half_width(1.0, count - 1) * values.std(axis=1, ddof=1) / math.sqrt(count)
        else:
            half = np.nan_to_num(runs.halves(places) / planned.table.unit)
        points = np.column_stack([places, middle, middle - half, middle + half]).tolist()
    return Curve(name, tuple(map(tuple, points)), count)


def _reached_curve(
    name: str, runs: FinishedRuns, planned: PlannedTable, places: np.ndarray
) -> Curve:
    """The share of the runs that have reached the target by each place, with Wilson's interval.

    All runs went the whole way or to the target, so what is not there by a place is not there yet.
    """
    whole = runs.went(planned.budget)
    points = []
    for place in places:
        there = reaches(runs.curves.reached(place)[whole], planned.table)
        low, high = wilson(int(there.sum()), len(there))
        points.append((float(place), float(there.mean()), low, high))
    return Curve(name, tuple(points), int(whole.sum()))
