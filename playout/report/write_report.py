"""Reports as text, Markdown, HTML or JSON: for a terminal, and as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playout.errors import OptionError
from playout.report.as_html import html
from playout.report.as_markdown import markdown
from playout.report.as_text import text
from playout.report.report import Report
from playout.report.report_charts import charts
from playout.text.json_text import json_text
from playout.text.output_files import write_atomically

ENDINGS = {".txt": "text", ".md": "markdown", ".html": "html", ".json": "json"}


def render_reports(
    reports: Sequence[Report], form: str, width: int | None = None, colour: bool = False
) -> str:
    """Reports in one of the forms text, markdown, html and json.

    Text may be `width` characters wide, and coloured for a terminal.
    """
    if form == "json":
        data: Any = [report.to_json() for report in reports]
        return json_text(data[0] if len(data) == 1 else data, indent=1) + "\n"
    if form == "html":
        if len(reports) > 1:
            names = ", ".join(report.name for report in reports)
            raise OptionError(f"an HTML report is of one experiment: name one of {names}")
        return html(reports[0])
    if form == "markdown":
        return "\n".join(map(markdown, reports))
    return "\n\n".join(text(report, width, colour) for report in reports)


def save_reports(reports: Sequence[Report], path: Path, form: str) -> None:
    """Write reports to a file; pictures of a Markdown file stand beside it."""
    if form == "markdown":
        body = "\n".join(markdown(report, _pictures(report, path)) for report in reports)
    else:
        body = render_reports(reports, form)
    write_atomically(path, body.encode())


def _pictures(report: Report, path: Path) -> dict[str, str]:
    """Write the pictures beside a Markdown file; their file names by picture."""
    names = {}
    for name, picture in charts(report).items():
        plain = "".join(c if c.isalnum() else "-" for c in name)
        names[name] = f"{path.stem}-{plain}.svg"
        write_atomically(path.with_name(names[name]), picture.encode())
    return names
