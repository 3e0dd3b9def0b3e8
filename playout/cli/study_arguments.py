"""What the commands about experiments share: the store, the live line, the report's output."""

from __future__ import annotations

import argparse
import shutil
import sys
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import WORKERS, Arguments, Parser
from playout.cli.live_line import LiveLine, Shown, Words, time_words
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.report.report import Report
    from playout.study.conduct import Outcome
    from playout.study.plan import Plan
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


def add_workers(group: Arguments, each: str = "a process") -> None:
    """Declare --workers and --quiet."""
    group(
        "--workers N",
        f"runs at once, each in {each} of its own (default: as many as there are cores for)",
        WORKERS,
    )
    group("--quiet", "no progress on stderr")


def check_output(options: argparse.Namespace) -> None:
    """Refuse, before any work, an output that cannot be written."""
    if options.out is not None:
        from playout.text.output_files import check_writable

        if not options.out:
            raise OptionError("--out: give the name of a file")
        check_writable(Path(options.out))
        report_format(options)


def report_format(options: argparse.Namespace) -> str:
    """The format that was asked for, by name or by the file's ending."""
    if options.format is not None:
        return str(options.format)
    if options.out is None:
        return "text"
    endings = {".txt": "text", ".md": "markdown", ".html": "html", ".json": "json"}
    ending = Path(options.out).suffix.lower()
    if ending not in endings:
        raise OptionError(
            f"--out {options.out}: give --format, or a name that ends in {', '.join(endings)}"
        )
    return endings[ending]


def shows_pictures(options: argparse.Namespace) -> bool:
    """Whether the format that was asked for has the curves in it."""
    return report_format(options) != "text"


def write_report(options: argparse.Namespace, reports: list[Report]) -> None:
    """Print the reports, or write them to a file."""
    kind = report_format(options)
    body = _rendered(kind, reports, Path(options.out) if options.out else None)
    if options.out is None:
        sys.stdout.write(body)
        return
    from playout.text.output_files import write_atomically

    write_atomically(Path(options.out), body.encode())
    print(f"wrote {options.out}", file=sys.stderr)


def _rendered(kind: str, reports: list[Report], out: Path | None) -> str:
    if kind == "json":
        from playout.study.export import json_text

        data: Any = [report.to_json() for report in reports]
        return json_text(data[0] if len(data) == 1 else data, indent=1) + "\n"
    if kind == "html":
        from playout.report.as_html import html

        if len(reports) > 1:
            names = ", ".join(report.name for report in reports)
            raise OptionError(f"an HTML report is of one experiment: name one of {names}")
        return html(reports[0])
    if kind == "markdown":
        from playout.report.as_markdown import markdown

        return "\n".join(
            markdown(report, _pictures(report, out) if out is not None else None)
            for report in reports
        )
    from playout.report.as_text import text

    width = shutil.get_terminal_size((100, 24)).columns if out is None else None
    colour = out is None and sys.stdout.isatty()
    return "\n\n".join(text(report, width, colour) for report in reports)


def _pictures(report: Report, out: Path) -> dict[str, str]:
    """Write the pictures beside a Markdown file; their file names by picture."""
    from playout.report.chart import charts
    from playout.text.output_files import write_atomically

    names = {}
    for name, picture in charts(report).items():
        names[name] = f"{out.stem}-{_plain(name)}.svg"
        write_atomically(out.with_name(names[name]), picture.encode())
    return names


def _plain(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text)


def prints_aside() -> AbstractContextManager[Any]:
    """What a problem prints for its author's sake must not get into a report."""
    return redirect_stdout(sys.stderr)


def run_plan(options: argparse.Namespace, plan: Plan) -> tuple[Outcome, Report]:
    """Do what is missing of a plan, with a live line; the report of what there is."""
    from playout.provenance import cores
    from playout.study.conduct import conduct
    from playout.study.make_report import make_report
    from playout.study.store.results_store import open_store

    workers = options.workers or max(1, cores() // _threads(plan))
    if not options.quiet:
        print(_announcement(plan, workers), file=sys.stderr)
    with LiveLine(_shown, wanted=not options.quiet, safe=_safe) as line:
        outcome = conduct(
            plan, store=options.store, workers=workers, progress=line.update,
            say=None if options.quiet else _left_out,
        )  # fmt: skip
    with open_store(outcome.store, read_only=True) as store:
        pictures = shows_pictures(options)
        return outcome, make_report(store, plan, outcome.left_out, pictures, outcome.codes)


def _threads(plan: Plan) -> int:
    """How many threads a run of the plan has at most."""
    return max(getattr(task.search, "workers", 1) for task in plan.tasks())


def _left_out(reason: str) -> None:
    print(f"left out: {reason}", file=sys.stderr)


def _announcement(plan: Plan, workers: int) -> str:
    """How much there is to do at most."""
    from playout.text.numbers import counted

    tasks = plan.tasks()
    text = f"{plan.experiment.name}: {counted(len(tasks), 'run')}"
    seconds = sum(task.budget for task in tasks if task.unit == "seconds")
    if seconds:
        text += f", at most {_about(seconds / workers)} on {counted(workers, 'worker')}"
        if seconds / workers > 2 * 3600 and plan.settings.scale == 1:
            text += " (--scale 0.01, --seconds, --runs and --only make it shorter)"
    return text


def _about(seconds: float) -> str:
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{max(2, round(seconds))} seconds"


def _shown(standing: Standing) -> Shown:
    """What the live line says: runs done, time left, the last score and the best of its cell."""
    words: Words = [(f"{standing.done:,}", "bold green"), f"/{standing.total:,} runs  "]
    words += time_words(standing.seconds, standing.seconds_left)
    if standing.last_score is not None:
        words += [f"  {standing.last}: {standing.last_score:.10g}"]
        words += [(f" (best {standing.best:.10g})", "dim")]
    return Shown(words, standing.done / max(1, standing.total))


def _safe(standing: Standing | None) -> str:
    """What Ctrl-C leaves."""
    done = f"{standing.done} of {standing.total}" if standing else "all finished"
    return f"{done} runs are in the store, and the same command goes on from there"
