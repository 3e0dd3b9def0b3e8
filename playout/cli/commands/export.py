"""`playout export`: the raw runs of the results store, for other programs."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import BinaryIO

from playout.cli.arguments import Parser
from playout.cli.commands.report import known_experiment
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
    from playout.study import export
    from playout.study.store.results_store import open_store
    from playout.text.numbers import counted
    from playout.text.output_files import check_writable, write_atomically

    if options.out == "":
        raise OptionError("--out: give the name of a file")
    out = Path(options.out) if options.out else None
    kind = export.format_of(out, options.format)
    if out is not None:
        check_writable(out)
    elif kind == "parquet":
        raise OptionError("Parquet is not for a terminal: give --out FILE")
    with open_store(options.store, read_only=True) as store:
        name = known_experiment(store, options.experiment) if options.experiment else None
        write = {"csv": export.write_csv, "jsonl": export.write_jsonl}
        if out is None:
            write[kind](store, name, sys.stdout)
            return 0
        counts = []

        def body(file: BinaryIO) -> None:
            if kind == "parquet":
                counts.append(export.write_parquet(store, name, file))
                return
            text = io.TextIOWrapper(file, "utf-8", newline="")
            counts.append(write[kind](store, name, text))
            text.flush()
            text.detach()  # the file is closed by whoever opened it

        write_atomically(out, body)
    print(f"wrote {counted(counts[0], 'run')} to {out}", file=sys.stderr)
    return 0
