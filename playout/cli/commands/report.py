"""`playout report`: what the results store knows of an experiment."""

from __future__ import annotations

import argparse

from playout.cli.arguments import Parser
from playout.cli.commands.reproduce import add_settings, settings_of
from playout.cli.study_arguments import ReportOutput, add_output, add_store

USAGE = "playout report [EXPERIMENT] [options]"

DESCRIPTION = """\
Report the runs in the results store: each table with our figures beside the paper's, the number of
runs, 95% intervals, and a mark where ours is significantly better or worse; the anytime curves (in
HTML, and beside a Markdown file); and what was not run. Nothing is run. Without --scale, --seconds,
--by or --playouts the budgets are those that the experiment was last run with.
"""

EPILOG = """\
examples:
  playout report                               every experiment in the store
  playout report snrpa                         one of them
  playout report snrpa --out snrpa.html        a page that opens from disk, with curves
  playout report snrpa --format markdown       for a README or an issue
  playout report snrpa --only 4 --format json  for a program
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.group()("[EXPERIMENT]", "its name in the store; without one, all")
    add_settings(parser)
    add_store(parser.group("where"))
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Print the reports."""
    from playout.experiments import EXPERIMENTS
    from playout.study.plan import Settings
    from playout.study.run_plan import stored_reports
    from playout.study.store.results_store import open_store

    output = ReportOutput(options)
    budgets = (options.scale, options.seconds, options.by, options.playouts)
    asked = any(budget is not None for budget in budgets)
    with open_store(options.store, read_only=True) as store:
        reports = stored_reports(
            store,
            options.experiment,
            Settings(**settings_of(options)) if asked else None,
            only=options.only,
            runs=options.runs,
            pictures=output.has_pictures,
            papers=EXPERIMENTS,
        )
    output.write(reports)
    return 0
