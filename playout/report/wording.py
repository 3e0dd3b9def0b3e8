"""What the renderers have in common: cells as text, and the sentences about a table.

The figures of a report are already divided by the table's `unit`, as the paper prints them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from playout.report.report import BETTER, EQUAL, WORSE, Report, ReportCell, ReportTable
from playout.text.numbers import (
    MISSING,
    counted,
    decimals_of,
    estimate,
    number,
    plain,
    printed,
    unit_text,
)

MARKS = {BETTER: "+", EQUAL: "=", WORSE: "-"}
MEASURES = {
    "mean": "Mean score",
    "best": "Best score",
    "success": "Share of runs that reach the target",
    "solved": "Instances solved in a run",
    "proof": "What a proof takes, or shows",
    "count": "Mean number",
    "rank": "Place among all of the table",
}
UNSOLVED = "unsolved"  # a proof that was not complete in its time
SHORT_MEASURES = {
    "mean": "mean",
    "best": "best",
    "success": "share",
    "solved": "solved",
    "proof": "proof",
    "count": "mean",
    "rank": "place",
}


@dataclass(frozen=True)
class Shown:
    """A cell as text; `hint` says it all in a sentence."""

    ours: str = ""
    spread: str = ""
    runs: str = ""
    theirs: str = ""
    theirs_spread: str = ""
    verdict: str = ""
    hint: str = ""

    @property
    def mark(self) -> str:
        return MARKS.get(self.verdict, "")


@dataclass(frozen=True)
class ShownColumn:
    """A column with a cell for each line, and which of its parts have anything in them."""

    name: str
    title: str  # over our figures, under the name
    cells: tuple[Shown, ...]
    has_theirs: bool
    has_marks: bool
    has_runs: bool  # where the number of runs differs from cell to cell

    @property
    def spread_width(self) -> int:
        return max((len(cell.spread) for cell in self.cells), default=0)

    @property
    def theirs_spread_width(self) -> int:
        return max((len(cell.theirs_spread) for cell in self.cells), default=0)


def shown_columns(table: ReportTable) -> list[ShownColumn]:
    """The cells of a table by column."""
    places = {(cell.row, cell.column): cell for cell in table.cells}
    same_runs = common_runs(table) is not None
    paper, meanings = has_theirs(table), legend(table)
    columns = []
    for name in table.columns:
        found = [places.get((row, name)) for row in table.rows]
        cells = [cell for cell in found if cell is not None]
        decimals = decimals_of(
            figure
            for cell in cells
            for figure in (cell.theirs, cell.theirs_half)
            if figure is not None
        )
        columns.append(
            ShownColumn(
                name=plain(name),
                title="ours" if paper else SHORT_MEASURES.get(table.measure, "score"),
                cells=tuple(_shown(cell, table, decimals, meanings) for cell in found),
                has_theirs=any(cell.theirs is not None for cell in cells),
                has_marks=any(cell.verdict for cell in cells),
                has_runs=not same_runs and any(cell.ours is not None for cell in cells),
            )
        )
    return columns


def has_theirs(table: ReportTable) -> bool:
    """Whether there is anything of a paper's in a table."""
    return any(cell.theirs is not None for cell in table.cells)


def common_runs(table: ReportTable) -> int | None:
    """The number of runs if all our figures have the same, 0 if there are none, else None."""
    counts = {cell.ours.runs for cell in table.cells if cell.ours is not None}
    if not counts:
        return 0
    return counts.pop() if len(counts) == 1 else None


def heading(table: ReportTable) -> str:
    """The table's name and title on a line."""
    name, title = plain(table.name), plain(table.title)
    if re.fullmatch(r"\d+[a-z]?", name):
        name = f"Table {name}"
    if not name or not title or name == title:
        return name or title
    return f"{name}: {title}"


def facts(table: ReportTable) -> list[str]:
    """Sentences on what the figures of a table are."""
    figure = MEASURES.get(table.measure, plain(table.measure))
    if table.costs:
        figure = figure.replace("score", "cost")
    if table.measure != "count":
        figure += f", {'lower' if table.lower else 'higher'} is better"
    if abs(table.unit) != 1:  # -1 only turns a sign round
        percent = table.unit == 0.01
        figure += "; in percent" if percent else f"; figures are divided by {unit_text(table.unit)}"
    lines = [figure + "."]
    runs = common_runs(table)
    if table.budget:
        lines.append(_sentence(table.budget))
    if runs:
        each = "each of our figures" if has_theirs(table) else "each figure"
        lines.append(f"{counted(runs, 'run')} behind {each}.")
    elif runs == 0:
        lines.append("Nothing was run yet.")
    if table.note:
        lines.append(_sentence(table.note))
    lines.extend(map(_sentence, table.remarks))
    tally = _tally(table)
    return [*lines, tally] if tally else lines


def legend(table: ReportTable) -> dict[str, str]:
    """The marks that occur in a table, with their meaning; verdict to sentence."""
    other = plain(table.compared_with) or "theirs"
    meanings = {
        BETTER: f"significantly better than {other}",
        EQUAL: f"not told apart from {other}",
        WORSE: f"significantly worse than {other}",
    }
    found = {cell.verdict for cell in table.cells}
    return meanings if found & set(meanings) else {}


def p_text(p: float | None) -> str:
    """A probability: p = 0.012, p < 0.001."""
    if p is None or not math.isfinite(p):
        return ""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.2f}" if p >= 0.1 else f"p = {p:.2g}"


def sections(report: Report) -> list[tuple[str, tuple[str, ...]]]:
    """What follows the tables: a title and its lines, the empty ones left out."""
    parts = [
        ("Not run", report.not_run),
        ("Kept apart: runs of other versions", report.kept_apart),
        ("Machines", report.machines),
        ("Versions", report.versions),
        ("Test", (report.test,) if report.test else ()),
        ("Warnings", report.warnings),
    ]
    return [(title, tuple(map(plain, lines))) for title, lines in parts if lines]


def _shown(
    cell: ReportCell | None, table: ReportTable, decimals: int, meanings: dict[str, str]
) -> Shown:
    if cell is None:
        return Shown()
    ours, spread, runs = MISSING, "", ""
    if cell.ours is not None:
        value, low, high = cell.ours.value, cell.ours.low, cell.ours.high
        ours, spread = estimate(value, low, high, share=table.measure == "success")
        if table.measure == "proof" and math.isnan(value):
            ours = UNSOLVED
        runs = str(cell.ours.runs)
    theirs, theirs_spread = MISSING, ""
    if cell.theirs is not None:
        theirs, theirs_spread = printed(cell.theirs, cell.theirs_half, decimals)
    hint = _hint(cell, table, f"{ours} {spread}".strip(), f"{theirs} {theirs_spread}".strip())
    if meaning := meanings.get(cell.verdict):
        chance = p_text(cell.p)
        hint += f"; {meaning}, {chance} corrected" if chance else f"; {meaning}"
    return Shown(ours, spread, runs, theirs, theirs_spread, cell.verdict, hint)


def _hint(cell: ReportCell, table: ReportTable, ours: str, theirs: str) -> str:
    parts = [plain(f"{cell.column}, {table.row_title} {cell.row}")]
    if cell.ours is None:
        parts.append("not run")
    else:
        runs = cell.ours.runs
        interval = ", 95% interval" if cell.ours.low is not None else ""
        whose = "ours " if cell.theirs is not None else ""
        parts.append(f"{whose}{ours} ({counted(runs, 'run')}{interval})")
    if cell.theirs is not None:
        parts.append(f"the paper's {theirs}")
    return "; ".join(parts)


def _sentence(words: str) -> str:
    words = plain(words)
    return words[:1].upper() + words[1:].rstrip(".") + "."


def _tally(table: ReportTable) -> str:
    """How many cells are better, equal, worse."""
    counts = dict.fromkeys(MARKS, 0)
    for cell in table.cells:
        if cell.verdict in counts:
            counts[cell.verdict] += 1
    if not any(counts.values()):
        return ""
    parts = ", ".join(f"{number(count)} {verdict}" for verdict, count in counts.items())
    return f"Against {plain(table.compared_with) or 'theirs'}: {parts}."
