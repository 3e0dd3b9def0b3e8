"""Columns of a table ranked in each of its lines: mean ranks, and whether they differ by chance.

Friedman's test asks whether all columns are alike, Wilcoxon's signed-rank test whether two are.
Both are of ranks, and of lines: how many runs are behind a line does not enter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playout.report.wording import p_text
from playout.study.find_runs import name_of
from playout.study.finished_runs import FinishedRuns
from playout.study.plan import PlannedTable
from playout.text.numbers import counted

Line = Mapping[str, tuple[float, ...]]  # of each column what it is ranked by, the higher the better


def ranks_of(values: Sequence[Any]) -> list[float]:
    """Ranks from 1, the highest first; equal ones share the mean of theirs.

    >>> ranks_of([3, 7, 3, 9])
    [3.5, 2.0, 3.5, 1.0]
    """
    ordered = sorted(values, reverse=True)
    return [
        sum(place for place, other in enumerate(ordered, 1) if other == value)
        / ordered.count(value)
        for value in values
    ]


def ranked_lines(planned: PlannedTable, runs: Mapping[str, FinishedRuns]) -> list[Line]:
    """The lines of a table in which every column that was searched has runs."""
    lines: dict[str, dict[str, tuple[float, ...]]] = {}
    columns = [place.cell.column for place in planned.cells if place.cell.searches]
    for place in planned.cells:
        if place.mark is None or len(place.cell.searches) != 1:
            continue
        search: Any = place.cell.searches[0]
        found = runs.get(name_of(search, planned.unit, place.mark))
        if found is not None and found.went(place.mark).any():
            line = lines.setdefault(place.cell.row, {})
            line[place.cell.column] = search.ranked_by(found, place.mark)
    return [line for line in lines.values() if len(line) == len(set(columns)) > 1]


def remarks(name: str, tables: Mapping[str, Sequence[Line]]) -> tuple[str, ...]:
    """What is told of a table's ranks, and with the first of some of those of all like it.

    Tables are alike whose names differ in the number at their end.
    """
    if not tables[name]:
        return ()
    own = remark(tables[name], counted(len(tables[name]), "line"))
    alike = [one for one in tables if tables[one] and _stem(one) == _stem(name)]
    if len(alike) == 1 or alike[0] != name:
        return (own,)
    every = [line for one in alike for line in tables[one]]
    return own, remark(every, f"{counted(len(every), 'line')} of {len(alike)} tables like this")


def _stem(name: str) -> str:
    return name.rstrip("0123456789, ")


def remark(lines: Sequence[Line], what: str) -> str:
    """The mean ranks of some lines and the tests, as a sentence; empty if there is no line."""
    if not lines:
        return ""
    columns = list(lines[0])
    ranks = np.array([ranks_of([line[column] for column in columns]) for line in lines])
    means = ", ".join(f"{c} {m:.2f}" for c, m in zip(columns, ranks.mean(axis=0)))
    text = f"mean ranks over {what}: {means}"
    return "; ".join([text, *rank_tests(columns, ranks)])


def rank_tests(columns: Sequence[str], ranks: np.ndarray) -> list[str]:
    """Friedman's test, and Wilcoxon's of the first column and each of the others."""
    from scipy.stats import friedmanchisquare, wilcoxon

    found = []
    if len(columns) > 2 and len(ranks) > 1 and (ranks != ranks[:, :1]).any():
        result = friedmanchisquare(*ranks.T)
        found.append(f"Friedman's chi2 = {result.statistic:.1f}, {p_text(float(result.pvalue))}")
    for k in range(1, len(columns)):
        if (ranks[:, 0] != ranks[:, k]).any():
            chance = float(wilcoxon(ranks[:, 0], ranks[:, k]).pvalue)
            found.append(f"Wilcoxon {columns[0]} and {columns[k]}: {p_text(chance)}")
    return found
