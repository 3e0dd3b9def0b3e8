"""`playout export`: the raw runs of the results store, for other programs."""

from __future__ import annotations

import argparse
import sys

from playout.cli.arguments import Parser
from playout.cli.outputs import output_file
from playout.cli.study_arguments import add_store
from playout.errors import OptionError

USAGE = "playout export [EXPERIMENT] [options]"

DESCRIPTION = """\
Write the runs in the results store, one line each: experiment, cell, seed, budget, versions,
machine, options, score, curve, moves, and whether the replay agreed.
"""

EPILOG = """\
examples:
  playout export > runs.csv                     all runs, as CSV
  playout export snrpa --out snrpa.parquet      one experiment, as Parquet (extra: parquet)
  playout export snrpa --format jsonl           a JSON object a line
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    arguments = parser.group()
    arguments("[EXPERIMENT]", "its name in the store; without one, all")
    arguments("--format {csv,jsonl,parquet}", "csv (the default), jsonl or parquet")
    arguments("--out FILE", "the file to write; without one, standard output")
    add_store(arguments)


def run(options: argparse.Namespace) -> int:
    """Write the runs."""
    from playout.experiments import EXPERIMENTS
    from playout.study.export import export_runs, format_of
    from playout.study.run_plan import named
    from playout.study.store.results_store import open_store
    from playout.text.numbers import counted

    out = output_file("out", options.out)
    form = format_of(out, options.format)
    if out is None and form == "parquet":
        raise OptionError("Parquet is not for a terminal: give --out FILE")
    with open_store(options.store, read_only=True) as store:
        name = options.experiment and named(store, options.experiment, EXPERIMENTS)
        count = export_runs(store, name, out or sys.stdout, form)
    if out is not None:
        print(f"wrote {counted(count, 'run')} to {out}", file=sys.stderr)
    return 0
