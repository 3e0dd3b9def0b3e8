"""What a report says of each column of a comparison besides its figures.

The best score that any run found, how many playouts a second it made, the time to a target, and
scores that are infinite.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from playout.contract import score_word
from playout.study.cell_figures import reaches
from playout.study.find_runs import name_of
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.solve import Solve
from playout.study.plan import PlannedTable

Runs = dict[str, FinishedRuns]


def best_and_speed(planned: PlannedTable, runs: Runs) -> tuple[str, ...]:
    """The best score of each column that is one search of a problem, and its speed."""
    best, speeds, infinite, called = [], [], [], "score"
    for column, search, known in _columns(planned, runs):
        if not isinstance(search, Solve) or not _is_alone(planned, column):
            return ()
        called = score_word(search.sense)
        scores = known.curves.at(planned.budget)[known.went(planned.budget)]
        found = scores.min() if search.sense == "min" else scores.max()
        best.append(f"{column} {found:.10g}")
        if lost := int(np.isinf(scores).sum()):
            infinite.append(f"{column} {lost} of {len(scores)}")
        if known.seconds.sum() > 0:
            speeds.append(f"{column} {known.playouts.sum() / known.seconds.sum():,.0f}")
    said = {
        f"best {called} of all runs": best,
        "playouts a second": speeds,
        f"runs that end with an infinite {called}, which no mean can weigh": infinite,
    }
    return tuple(f"{what}: {'; '.join(parts)}" for what, parts in said.items() if parts)


def time_to_target(planned: PlannedTable, runs: Runs) -> str:
    """The median time to the target of each column, as far as the runs tell."""
    unit = "playouts" if planned.unit == "playouts" else "s"
    parts = []
    for column, _, known in _columns(planned, runs):
        whole = known.went(planned.budget)
        # at its target a run ends, so its last point is where it got there
        last = known.curves.starts + known.curves.lengths - 1
        there = reaches(known.curves.scores[last], planned.table)[whole]
        times = np.sort(np.where(there, known.curves.x[last][whole], math.inf))
        middle = times[(len(times) - 1) // 2]
        over = not math.isfinite(middle)
        text = f"over {planned.budget:,.6g}" if over else f"{middle:,.4g}"
        parts.append(f"{column} {text} {unit} ({int(there.sum())} of {len(there)} runs)")
    return f"median to the target: {'; '.join(parts)}" if parts else ""


def _is_alone(planned: PlannedTable, column: str) -> bool:
    """Whether all figures of a column are of one search: over several, no best says much."""
    places = [place.cell for place in planned.cells if place.cell.column == column]
    return len({search.key() for cell in places for search in cell.searches}) == 1


def _columns(planned: PlannedTable, runs: Runs) -> Iterator[tuple[str, object, FinishedRuns]]:
    """Each column with its first search and that one's runs, if any went the whole way."""
    for column in planned.table.columns():
        places = [place.cell for place in planned.cells if place.cell.column == column]
        searches = [search for cell in places for search in cell.searches]
        if not searches:  # figures of a paper alone
            continue
        known = runs.get(name_of(searches[0], planned.unit, planned.budget))
        if known is not None and known.went(planned.budget).any():
            yield column, searches[0], known
