"""Small reports, written by hand, for the tests of the renderers."""

from __future__ import annotations

import math

from playout.pictures.chart import Curve, Picture
from playout.report.report import Report, ReportCell, ReportTable, Summary

HOSTILE = "<script>alert('x')</script> | a&b \"q\" \x1b[31m\x00\n*_`$1$"


def cell(row, column, ours=None, theirs=None, half=None, verdict="", p=None):
    """`ours` is (value, low, high, runs)."""
    return ReportCell(row, column, Summary(*ours) if ours else None, theirs, half, verdict, p)


def table(cells, name="3", title="rc204.1", **settings):
    rows = tuple(dict.fromkeys(c.row for c in cells))
    columns = tuple(dict.fromkeys(c.column for c in cells))
    defaults = dict(
        row_title="seconds",
        unit=1.0,
        lower=False,
        measure="mean",
        budget="runs of 1 s, 20 of each search",
        compared_with="the paper",
    )
    return ReportTable(
        name, title, rows=rows, columns=columns, cells=tuple(cells), **{**defaults, **settings}
    )


def report(*tables, **settings):
    defaults = dict(
        name="demo",
        title="A demonstration",
        paper="A. Author: A Paper. 2020.",
        settings="the full experiment",
        test="Welch's t-test.",
        machines=("a machine",),
        versions=("playout 1",),
        not_run=("Table 3, P = 9",),
        kept_apart=("3 runs of version 0",),
        warnings=("a warning",),
    )
    return Report(tables=tables, **{**defaults, **settings})


def paper_table(**settings):
    """Two times, two columns; one cell of ours and one of theirs missing."""
    return table(
        [
            cell("0.01", "P = 1", (2591.3, 2538.1, 2644.5, 20), 2435.12, 49.26, "better", 0.0004),
            cell("0.01", "P = 2", (-878.884, -879.134, -878.634, 20), -878.9, None, "equal", 0.61),
            cell("163.84", "P = 1", None, 3121.0, None),
            cell("163.84", "P = 2", (3000.0, 2990.0, 3010.0, 20), None, None),
        ],
        **settings,
    )


def comparison():
    """Shares of success: lopsided intervals, and no paper."""
    return table(
        [
            cell("knapsack", "nrpa", (0.65, 0.522, 0.758, 60)),
            cell("knapsack", "nmcs", (0.1, 0.0466, 0.2007, 50), verdict="worse", p=0.01),
        ],
        name="comparison",
        title="on my_problem.py",
        row_title="instance",
        measure="success",
        compared_with="nrpa",
    )


def wide_table():
    """A line for each of 15 times, 8 columns, numbers of all sizes, and curves."""
    times = [0.01 * 2**i for i in range(15)]
    columns = [f"P = {p}" for p in (1, 2, 3, 4, 5, 6, 8, 10)]
    cells, points = [], {column: [] for column in columns}
    for time in times:
        for place, column in enumerate(columns):
            value = -29_037_026 * math.exp(-math.log(time / 0.009) * (1.5 + 0.07 * place)) - 878.88
            low, high = value * 1.1, value * 0.9
            runs = 200 if time < 50 else 120
            cells.append(cell(f"{time:g}", column, (value, low, high, runs), round(value), None))
            points[column].append((time, value, low, high))
    curves = tuple(Curve(column, tuple(points[column]), 120) for column in columns)
    return table(cells, pictures=(Picture("rc204.1", "seconds", curves),))


def hostile_report():
    """Every text of a report is an attack."""
    bad = HOSTILE
    curve = Curve(bad, ((0.1, 1.0, 0.5, 1.5), (1.0, 2.0, 1.5, 2.5)), 3)
    some = table(
        [cell(bad, bad, (1.0, 0.5, 1.5, 3), 2.0, 0.1, "worse", 0.01)],
        name=bad,
        title=bad,
        row_title=bad,
        budget=bad,
        compared_with=bad,
        note=bad,
        pictures=(Picture(bad, "seconds", (curve,)), Picture(bad, bad, ())),
    )
    return report(
        some,
        name=bad,
        title=bad,
        paper=bad,
        settings=bad,
        test=bad,
        machines=(bad, bad),
        versions=(bad,),
        not_run=(bad, bad),
        kept_apart=(bad,),
        warnings=(bad,),
    )
