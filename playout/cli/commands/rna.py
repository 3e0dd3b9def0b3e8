"""`playout rna`: design RNA sequences that fold into a structure."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict, assignment, duration, number, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import Line, live_line
from playout.errors import DataError, OptionError

if TYPE_CHECKING:
    from playout.algorithms.algorithm import Algorithm
    from playout.problems.inverse_folding.inverse_folding import InverseFolding
    from playout.tasks import RnaDesigns

SECONDS = 60.0

DESCRIPTION = """\
Design RNA: find sequences whose minimum free energy structure is the target, by ViennaRNA (extra
rna). TARGET is a structure in dot-bracket notation, a file of them (one a line, or the table of
Eterna100), FILE#12 for the twelfth of a file, or eterna100/12 in the data folder $PLAYOUT_DATA.
Every design is folded again, by ViennaRNA's own Python call, before it is shown.
"""

EPILOG = """\
examples:
  playout rna "((((...((((....))))...((((....))))...))))"
      a sequence that folds into this, its energy and its probability in the ensemble
  playout rna targets.txt --count 10 --save designs.fasta
      ten different sequences for each structure of a file
  playout rna "(((((....)))))" --bases GGNNNNNNNNNNNN --gc 40:60 --forbid AAAA,GGG
      some bases given, 40 to 60% G and C, no AAAA and no GGG
  playout rna eterna100/12 --version v1 --model turner1999 --dangles 1 --json
      puzzle 12 of the first Eterna100, in the energy model it was made for

exit code: 0 when all designs asked for were found, 1 when not, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "rna",
        help="design RNA sequences that fold into a structure",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout rna TARGET [--count N] [--bases IUPAC] [--gc LOW:HIGH] [options]",
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("what to design")
    what.add_argument("target", metavar="TARGET", help="a structure, a file, or FILE#3")
    what.add_argument(
        "--count", metavar="N", default=1, help="different sequences for each target (default: 1)",
        type=whole(1, "count: give a whole number from 1"),
    )  # fmt: skip
    what.add_argument(
        "--bases", metavar="IUPAC", default="",
        help="a letter for each position: the bases allowed there, N for any",
    )  # fmt: skip
    what.add_argument(
        "--gc", metavar="LOW:HIGH", type=_bounds, default=(0.0, 100.0),
        help="bounds of the share of G and C, in percent",
    )  # fmt: skip
    what.add_argument(
        "--forbid", metavar="MOTIFS", default="",
        help="motifs that may not occur, such as GGGG,UUUU; IUPAC letters are sets of bases",
    )  # fmt: skip
    what.add_argument(
        "--version", choices=("v1", "v2"), default="v2",
        help="of the puzzles in a table of Eterna100 (default: v2)",
    )  # fmt: skip
    energy = parser.add_argument_group("the energy model")
    energy.add_argument(
        "--model", choices=("default", "turner1999"), default="default",
        help="energy parameters (default: ViennaRNA's, Turner 2004)",
    )  # fmt: skip
    energy.add_argument(
        "--dangles", metavar="D", type=whole(0, "choice: one of 0, 1, 2, 3"), default=2,
        help="treatment of dangling ends, 0 to 3 (default: 2)",
    )  # fmt: skip
    energy.add_argument(
        "--temperature", metavar="T", type=number, default=37.0,
        help="degrees Celsius (default: 37)",
    )  # fmt: skip
    how = parser.add_argument_group("how to search")
    how.add_argument(
        "--seconds", metavar="S", type=duration, default=SECONDS,
        help="time for each design: 90, 10m (default: 60); it ends when one is found",
    )  # fmt: skip
    how.add_argument(
        "--workers", metavar="N", help="threads (default: one a core)",
        type=whole(1, "number of workers: give a whole number from 1"),
    )  # fmt: skip
    how.add_argument(
        "--parallel", choices=("root", "leaf"), default="root",
        help="workers search on their own (root, the default) or share one search (leaf)",
    )  # fmt: skip
    how.add_argument(
        "--seed", metavar="N", type=whole(0, "seed: give a whole number from 0"),
        help="seed of the random numbers (default: drawn); with one worker a seed always finds "
        "the same designs",
    )  # fmt: skip
    how.add_argument(
        "--order", choices=("pairs", "string"), default="pairs",
        help="all pairs before the unpaired positions (default), or moves along the string",
    )  # fmt: skip
    how.add_argument("-a", dest="algorithm", metavar="ALGORITHM", default="gnrpa",
                     help="see playout list algorithms (default: gnrpa)")  # fmt: skip
    how.add_argument(
        "-o", dest="options", metavar="NAME=VALUE", type=assignment, action="append", default=[],
        help="an option of the algorithm; may be repeated",
    )  # fmt: skip
    output = parser.add_argument_group("output")
    output.add_argument("--save", metavar="FILE", help="write the designs as FASTA")
    output.add_argument(
        "--json", action="store_true", help="print a JSON object for each target, a line each"
    )
    output.add_argument("--quiet", action="store_true", help="no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Design, print, and write what was asked for."""
    algorithm = _algorithm(options)
    targets = _targets(options)
    path = _output(options)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    entries: list[tuple[str, str]] = []
    missing = 0
    for place, (problem, name) in enumerate(targets):
        if place and not options.json:
            print()
        found = _design(options, problem, name, algorithm, seed)
        missing += not found.complete
        entries += found.fasta_entries()
        if path is not None and found.designs:
            _write(path, entries)
        if options.json:
            print(json.dumps(found.to_json()))
        elif not found.complete:
            print(found.shortfall())
        if found.stopped_by == "interrupt":
            return INTERRUPTED
    if path is not None and not entries:
        print(f"playout: nothing was written to {path}: there is no design", file=sys.stderr)
    return 1 if missing else 0


def _algorithm(options: argparse.Namespace) -> Algorithm:
    from playout.algorithms import ALGORITHMS
    from playout.problems.inverse_folding.search_options import SEARCH

    given = as_dict(options.options)
    if options.algorithm == "gnrpa":
        given = {**{name: str(value) for name, value in SEARCH.items()}, **given}
    return ALGORITHMS.find(options.algorithm).from_text(given)


def _targets(options: argparse.Namespace) -> list[tuple[InverseFolding, str]]:
    from playout.tasks.design_rna import rna_targets

    names = ("model", "dangles", "temperature", "order", "bases", "forbid", "version")
    settings = {name: getattr(options, name) for name in names}
    low, high = options.gc
    return rna_targets(options.target, gc_min=low, gc_max=high, **settings)


def _design(
    options: argparse.Namespace, problem: InverseFolding, name: str, algorithm: Algorithm, seed: int
) -> RnaDesigns:
    """The designs of one target, each printed as it is found."""
    from playout.stop import Seconds, Target
    from playout.tasks import RnaDesign, design_rna
    from playout.tasks.design_rna import title_of

    stop = Seconds(options.seconds)
    problem.name = name
    shown = 0
    with contextlib.ExitStack() as stack:

        def new_line() -> Line:
            wanted = not (options.json or options.quiet)
            return stack.enter_context(live_line(wanted, Target(1.0) | stop, "compiling ..."))

        line = new_line()

        def show(design: RnaDesign) -> None:
            nonlocal line, shown
            shown += 1
            stack.close()  # nothing is printed through a live line
            if not options.json:
                print(title_of(problem, name) if shown == 1 else "")
                print(design.text(shown, options.count))
            if shown < options.count:
                line = new_line()

        return design_rna(
            problem,
            algorithm,
            stop,
            count=options.count,
            seed=seed,
            workers=options.workers,
            found=show,
            progress=lambda progress: line.update(progress),
            parallel=options.parallel,
        )


def _output(options: argparse.Namespace) -> Path | None:
    """The file to write, refused before the search if it cannot or should not be written."""
    from playout.text.output_files import check_writable

    if options.save is None:
        return None
    if not options.save:
        raise OptionError("--save: give the name of a file")
    path = Path(options.save)
    check_writable(path)
    if path.exists() and not path.is_file():
        raise DataError(f"cannot write {path}: it is not a regular file")
    for text in (options.target, options.target.rpartition("#")[0]):
        if path.exists() and os.path.exists(text) and path.samefile(text):
            raise OptionError(f"--save {path} would overwrite the targets")
    return path


def _write(path: Path, entries: list[tuple[str, str]]) -> None:
    from playout.problems.inverse_folding.target_files import fasta
    from playout.text.output_files import write_atomically

    write_atomically(path, fasta(entries).encode())


def _bounds(text: str) -> tuple[float, float]:
    """LOW:HIGH."""
    low, colon, high = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is not LOW:HIGH, such as 40:60")
    return number(low or "0"), number(high or "100")
