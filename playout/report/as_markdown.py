"""A report as Markdown with GitHub's tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from playout.report import wording
from playout.report.report import Report, ReportTable
from playout.report.report_charts import named_pictures
from playout.text.numbers import plain


def markdown(report: Report, pictures: Mapping[str, str] | None = None) -> str:
    """The report in Markdown; `pictures` has the files of the pictures by their names.

    The names are those of `chart.charts(report)`.
    """
    parts = [f"# {escaped(report.title or report.name)}"]
    parts += [escaped(words) for words in (report.paper, report.settings) if words]
    for table in report.tables:
        parts += _table(table)
        for name, picture in named_pictures(report, table):
            if pictures and name in pictures:
                words = escaped(picture.title) or "curves"
                parts.append(f"![{words}]({quote(pictures[name])})")
    for title, lines in wording.sections(report):
        parts.append(f"## {title}")
        parts.append("\n".join(f"- {escaped(line)}" for line in lines))
    return "\n\n".join(parts) + "\n"


def escaped(words: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    words = re.sub(r"([\\`*\[\]<>|~$])", r"\\\1", plain(words)).replace("&", "&amp;")
    words = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", words)  # inside a word it means nothing
    words = re.sub(r"^([-+#=])", r"\\\1", words)
    return re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", words)


def _table(table: ReportTable) -> list[str]:
    columns = wording.shown_columns(table)
    heads = [escaped(table.row_title) or " "]
    for column in columns:
        heads += _heads(column)
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)]]
    for number, row in enumerate(table.rows):
        line = [escaped(row)]
        for column in columns:
            line += _cells(column, column.cells[number])
        lines.append(line)
    parts = [f"## {escaped(wording.heading(table))}", " ".join(map(escaped, wording.facts(table)))]
    parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    marks = wording.legend(table)
    if marks:
        meanings = [
            f"**{wording.MARKS[verdict]}** {escaped(words)}" for verdict, words in marks.items()
        ]
        parts.append("; ".join([*meanings, "no mark: not tested."]))
    return parts


def _heads(column: wording.ShownColumn) -> list[str]:
    name = escaped(column.name)
    heads = [f"{name}, ours" if column.has_theirs else name]
    if column.has_runs:
        heads.append("runs")
    if column.has_theirs:
        heads.append("theirs")
    return heads


def _cells(column: wording.ShownColumn, cell: wording.Shown) -> list[str]:
    ours = f"{cell.ours} {cell.spread}".strip()
    cells = [f"{ours} **{cell.mark}**" if cell.mark else ours]
    if column.has_runs:
        cells.append(cell.runs)
    if column.has_theirs:
        cells.append(f"{cell.theirs} {cell.theirs_spread}".strip())
    return cells
