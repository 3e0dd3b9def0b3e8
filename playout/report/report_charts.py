"""The charts of a report: which there are, what they are called, what they show."""

from __future__ import annotations

from playout.pictures.chart import Picture, svg
from playout.report.report import Report, ReportTable
from playout.text.numbers import unit_text


def charts(report: Report) -> dict[str, str]:
    """Every picture of a report as SVG, by a name that is fit for a file."""
    return {
        name: svg(picture, y_title=score_title(table))
        for table in report.tables
        for name, picture in named_pictures(report, table)
    }


def named_pictures(report: Report, table: ReportTable) -> list[tuple[str, Picture]]:
    """The pictures of a table with their names in the report: table-3, table-2-1, table-2-2."""
    stem = f"table-{_slug(table.name) or '0'}"
    if sum(_slug(table.name) == _slug(other.name) for other in report.tables) > 1:
        stem += f"-at-{report.tables.index(table) + 1}"
    if len(table.pictures) == 1:
        return [(stem, table.pictures[0])]
    return [(f"{stem}-{i}", picture) for i, picture in enumerate(table.pictures, 1)]


def score_title(table: ReportTable) -> str:
    """What the vertical axis of a table's pictures shows."""
    if table.times:
        return "share of runs that reached it"
    mean = "mean cost" if table.costs else "mean score"
    return mean if table.unit == 1 else f"{mean} / {unit_text(table.unit)}"


def _slug(name: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())
    return "-".join(filter(None, kept.split("-")))
