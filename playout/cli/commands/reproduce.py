"""`playout reproduce`: run a paper's tables, ours beside theirs."""

from __future__ import annotations

import argparse
from typing import Any

from playout.cli.arguments import COUNT, RUNS, Parser, duration, keywords, number
from playout.cli.outputs import prints_aside
from playout.cli.study_arguments import ReportOutput, add_running, running, study_line

USAGE = "playout reproduce EXPERIMENT [options]"

DESCRIPTION = """\
Run the tables of a paper, or of an experiment of your own, and report our figures beside the
printed ones. Every finished run is kept in the results store: a command that was interrupted or
killed goes on where it was, another one on the same store shares the work, and more --runs or
longer times run only what is missing.
"""

EPILOG = """\
examples:
  playout reproduce snrpa --scale 0.002               everything, a minute or two: a first look
  playout reproduce snrpa --only 4 --seconds 10.24    one table, its lines up to 10.24 s
  playout reproduce snrpa --only 4/NRPA --runs 20     one column, fewer runs
  playout reproduce gnrpa --playouts 100000           the same on every machine
  playout reproduce gnrpa --out report.html           a page with the anytime curves
  playout reproduce my_experiment.py                  your own; see docs/experiment.md
  playout list experiments                            what there is
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    arguments = parser.group()
    arguments("EXPERIMENT", "a name (playout list experiments), or file.py")
    arguments(
        "--model FILE ...",
        "a trained policy for an experiment with policies, such as policymcts; may be repeated, "
        "one for each size (default: those of the package)",
    )
    add_settings(parser)
    how = parser.group("how to run it")
    add_running(parser, how)


def add_settings(parser: Parser) -> None:
    """Declare how much of an experiment is meant."""
    what = parser.group("how much of it")
    text = "times (or playouts) and runs shortened to this part, such as 0.01"
    what("--scale X", text, number)
    what("--runs N", "runs of each search", RUNS)
    text = "the longest run: a table's lines beyond this time are left out"
    what("--seconds S", text, duration)
    what(
        "--by {seconds,playouts}",
        "budgets in seconds, as in the papers (the default), or in playouts, which give the same "
        "figures on every machine",
    )
    what("--playouts N", "by playouts, with N for the longest time of a table", COUNT)
    text = "only this table, line or column, or TABLE/LINE, TABLE/COLUMN; may be repeated"
    what("--only ROW ...", text)


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given, as keyword arguments."""
    by = options.by or ("playouts" if options.playouts is not None else None)
    given = keywords(options, "scale", "runs", "seconds", "playouts")
    given |= {"by": by, "only": tuple(options.only) or None}
    return {name: value for name, value in given.items() if value is not None}


def run(options: argparse.Namespace) -> int:
    """Run what is missing and print the report."""
    from playout.experiments.reproduce import reproduce

    output = ReportOutput(options)
    with prints_aside(), study_line(options) as line:
        how = running(options, line, output) | settings_of(options)
        report = reproduce(options.experiment, models=options.model, **how)
    output.write([report])
    return 0
