"""`playout report`: what the results store knows of an experiment."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import Parser
from playout.cli.commands.reproduce import add_settings, settings_of
from playout.cli.study_arguments import (
    add_output,
    add_store,
    check_output,
    shows_pictures,
    write_report,
)
from playout.errors import OptionError, nearest

if TYPE_CHECKING:
    from playout.study.plan import Settings

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
    from playout.study.make_report import make_report
    from playout.study.plan import make_plan
    from playout.study.store.results_store import open_store

    check_output(options)
    with open_store(options.store, read_only=True) as store:
        reports = []
        for name in (
            [known_experiment(store, options.experiment)]
            if options.experiment
            else (store.experiments())
        ):
            found = store.experiment(name)
            assert found is not None
            experiment, last, codes = found
            plan = make_plan(experiment, _settings(options, last))
            reports.append(make_report(store, plan, None, shows_pictures(options), codes))
        if not reports:
            raise OptionError(f"{store.path} has no experiment yet; see playout reproduce --help")
    write_report(options, reports)
    return 0


def _settings(options: argparse.Namespace, last: Settings) -> Settings:
    """The budgets that were asked for, or those of the last run.

    The last run may have been of a part of the experiment, and the store has more.
    """
    budgets = (options.scale, options.seconds, options.by, options.playouts)
    if any(budget is not None for budget in budgets):
        asked: Settings = settings_of(options)
        return asked
    runs = last.runs if options.runs is None else options.runs
    return replace(last, only=tuple(options.only), runs=runs)


def known_experiment(store: Any, name: str) -> str:
    """The name of an experiment in the store; OptionError if there is none of this name."""
    names = store.experiments()
    if name in names:
        return name
    from playout.experiments import experiment_names

    if name in experiment_names():
        raise OptionError(
            f"no run of {name} is in {store.path} yet: playout reproduce {name} makes them"
        )
    hint = nearest(name, names) if names else "it has none yet; see playout reproduce --help"
    raise OptionError(f"{store.path} has no experiment {name!r}; {hint}")
