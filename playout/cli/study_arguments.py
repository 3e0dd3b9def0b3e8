"""What the commands about experiments share: the store, the live line, the report's output."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import WORKERS, Arguments, Parser
from playout.cli.live_line import LiveLine
from playout.cli.outputs import output_file
from playout.errors import DataError, OptionError

if TYPE_CHECKING:
    from playout.report.report import Report
    from playout.study.standing import Standing


def add_store(group: Arguments) -> None:
    """Declare --store."""
    group(
        "--store FILE",
        "the results store, an SQLite file (default: $PLAYOUT_STORE, or one in the user's data "
        "folder)",
    )


def add_output(parser: Parser) -> None:
    """Declare --format and --out."""
    output = parser.group("the report")
    output("--format {text,markdown,html,json}", "text (the default), markdown, html or json")
    text = "write it to a file; its ending (.txt, .md, .html, .json) says the format"
    output("--out FILE", text)


def add_running(parser: Parser, how: Arguments, each: str = "a process") -> None:
    """Declare how runs are done: --workers, --quiet and --store; then --format and --out."""
    how(
        "--workers N",
        f"runs at once, each in {each} of its own (default: as many as there are cores for)",
        WORKERS,
    )
    how.cluster()
    how("--quiet", "no progress on stderr")
    add_store(how)
    add_output(parser)


class ReportOutput:
    """Where a report goes and in which form, by --format and --out; checked before any work."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._out = output_file("out", options.out)
        self.form = options.format or ("text" if self._out is None else self._form(self._out))

    def _form(self, path: Path) -> str:
        """The form that the file's ending says."""
        from playout.report.write_report import ENDINGS

        ending = path.suffix.lower()
        if ending not in ENDINGS:
            endings = ", ".join(ENDINGS)
            raise OptionError(f"--out {path}: give --format, or a name that ends in {endings}")
        return ENDINGS[ending]

    @property
    def has_pictures(self) -> bool:
        """Whether the form has the curves in it."""
        return self.form != "text"

    def write(self, reports: list[Report]) -> None:
        """Print the reports, or write them to the file."""
        from playout.report.write_report import render_reports, save_reports

        width = shutil.get_terminal_size((100, 24)).columns
        if self._out is not None:
            try:
                save_reports(reports, self._out, self.form)
            except DataError:  # a full disk must not cost what hours of runs have shown
                sys.stdout.write(render_reports(reports, "text", width))
                raise
            print(f"wrote {self._out}", file=sys.stderr)
            return
        sys.stdout.write(render_reports(reports, self.form, width, sys.stdout.isatty()))

    def tell(self, words: str) -> None:
        """Say something to the person, beside a report that may be for a program."""
        beside = self._out is None and self.form != "text"
        print(words, file=sys.stderr if beside else sys.stdout)


def study_line(options: argparse.Namespace) -> LiveLine:
    """The live line of runs that are done."""
    from playout.study.standing import Standing

    return LiveLine(Standing.shown, wanted=not options.quiet, safe=_safe)


def running(options: argparse.Namespace, line: LiveLine, output: ReportOutput) -> dict[str, Any]:
    """How `run_plan` is to do it, as keyword arguments."""
    return {
        "store": options.store,
        "workers": options.workers,
        "cluster": options.cluster,
        "progress": line.update,
        "say": None if options.quiet else lambda words: print(words, file=sys.stderr),
        "pictures": output.has_pictures,
    }


def _safe(standing: Standing | None) -> str:
    """What Ctrl-C leaves."""
    done = f"{standing.done} of {standing.total}" if standing else "all finished"
    return f"{done} runs are in the store, and the same command goes on from there"
