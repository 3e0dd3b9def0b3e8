"""The report of an experiment as plain data: what the renderers and `--format json` show.

`make_report` of `playout.study` fills it from a plan and the runs in the store.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

from playout.pictures.chart import Picture

BETTER, EQUAL, WORSE, UNTESTED = "better", "equal", "worse", ""


@dataclass(frozen=True)
class Summary:
    """Our figure of a cell: its value, the 95% interval if it has one, and how many runs."""

    value: float
    low: float | None
    high: float | None
    runs: int


@dataclass(frozen=True)
class ReportCell:
    """A place in a table: our figure beside theirs.

    `verdict` says whether ours is significantly better than what it is compared with (the
    paper's figure, or the first column of a comparison), equal (not told apart) or worse;
    `p` is the corrected probability behind it, None where no test is possible.
    """

    row: str
    column: str
    ours: Summary | None
    theirs: float | None
    theirs_half: float | None
    verdict: str = UNTESTED
    p: float | None = None


@dataclass(frozen=True)
class ReportTable:
    """A table of the report; `cells` are by line, then by column, all there."""

    name: str
    title: str
    row_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[ReportCell, ...]
    unit: float
    lower: bool
    measure: str
    budget: str  # "runs of 163.84 seconds, 200 of each"
    compared_with: str  # "the paper" or the first column's name
    pictures: tuple[Picture, ...] = ()
    note: str = ""
    costs: bool = False  # whether the scores behind it are costs
    times: bool = False  # whether its pictures show the share of runs that have reached a target
    remarks: tuple[str, ...] = ()

    def cell(self, row: str, column: str) -> ReportCell | None:
        for cell in self.cells:
            if cell.row == row and cell.column == column:
                return cell
        return None


@dataclass(frozen=True)
class Report:
    """All that is known of an experiment.

    `settings` is a sentence on scale and budget, `test` one on the statistics, `machines` and
    `versions` say where the runs come from, `not_run` what is missing and why, `kept_apart`
    what the store has of other versions.

    Examples
    --------
    >>> import playout as po
    >>> table = po.compare(po.problems.Maximum(9), ["random", "nmcs"], "50 playouts", runs=2)
    >>> table.report.tables[0].columns
    ('random', 'nmcs')
    """

    name: str
    title: str
    paper: str
    settings: str
    test: str
    tables: tuple[ReportTable, ...]
    machines: tuple[str, ...]
    versions: tuple[str, ...]
    not_run: tuple[str, ...]
    kept_apart: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The report as JSON data."""
        return asdict(self)

    def save(self, path: str | Path) -> None:
        """Write it: .html, .md with its pictures beside it, .json, or else text."""
        from playout.report.write_report import save_reports

        forms = {".html": "html", ".md": "markdown", ".json": "json"}
        save_reports([self], Path(path), forms.get(Path(path).suffix.lower(), "text"))

    def __str__(self) -> str:
        from playout.report.as_text import text

        return text(self)

    def _repr_html_(self) -> str:
        from playout.report.as_html import html

        page = escape(html(self))
        return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:0"></iframe>'
