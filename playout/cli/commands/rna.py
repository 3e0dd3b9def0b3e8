"""`playout rna`: design RNA sequences that fold into a structure."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, SEED, WORKERS, Parser, as_dict, duration, number, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import LiveLine, search_line
from playout.cli.outputs import output_file
from playout.errors import DataError

if TYPE_CHECKING:
    from playout.algorithms.algorithm import Algorithm
    from playout.problems.inverse_folding.inverse_folding import InverseFolding
    from playout.tasks import RnaDesigns

SECONDS = 60.0

USAGE = "playout rna TARGET [--count N] [--bases IUPAC] [--gc LOW:HIGH] [options]"

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


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to design")
    what("TARGET", "a structure, a file, or FILE#3")
    what("--count N", "different sequences for each target (default: 1)", COUNT, default=1)
    text = "a letter for each position: the bases allowed there, N for any"
    what("--bases IUPAC", text, default="")
    text = "bounds of the share of G and C, in percent"
    what("--gc LOW:HIGH", text, _bounds, default=(0.0, 100.0))
    text = "motifs that may not occur, such as GGGG,UUUU; IUPAC letters are sets of bases"
    what("--forbid MOTIFS", text, default="")
    text = "of the puzzles in a table of Eterna100 (default: v2)"
    what("--version {v1,v2}", text, default="v2")
    energy = parser.group("the energy model")
    text = "energy parameters (default: ViennaRNA's, Turner 2004)"
    energy("--model {default,turner1999}", text, default="default")
    dangles = whole(0, "choice", "one of 0, 1, 2, 3")
    energy("--dangles D", "treatment of dangling ends, 0 to 3 (default: 2)", dangles, default=2)
    energy("--temperature T", "degrees Celsius (default: 37)", number, default=37.0)
    how = parser.group("how to search")
    text = "time for each design: 90, 10m (default: 60); it ends when one is found"
    how("--seconds S", text, duration, default=SECONDS)
    how("--workers N", "threads (default: one a core)", WORKERS)
    text = "workers search on their own (root, the default) or share one search (leaf)"
    how("--parallel {root,leaf}", text, default="root")
    how(
        "--seed N",
        "seed of the random numbers (default: drawn); with one worker a seed always finds the "
        "same designs",
        SEED,
    )
    text = "all pairs before the unpaired positions (default), or moves along the string"
    how("--order {pairs,string}", text, default="pairs")
    how.algorithm(example="")
    output = parser.group("output")
    output("--save FILE", "write the designs as FASTA")
    output("--json", "print a JSON object for each target, a line each")
    output("--quiet", "no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Design, print, and write what was asked for."""
    algorithm = _algorithm(options)
    targets = _targets(options)
    path = _output(options)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    entries: list[tuple[str, str]] = []
    missing = 0
    unwritten: DataError | None = None
    for place, (problem, name) in enumerate(targets):
        if place and not options.json:
            print()
        found = _design(options, problem, name, algorithm, seed)
        missing += not found.complete
        entries += found.fasta_entries()
        if options.json:
            print(json.dumps(found.to_json()))
        elif not found.complete:
            print(found.shortfall())
        if path is not None and found.designs:
            try:
                _write(path, entries)
                unwritten = None
            except DataError as error:  # the other targets are designed, and printed, all the same
                unwritten = error
        if found.stopped_by == "interrupt":
            break
    if unwritten is not None:
        raise unwritten
    if found.stopped_by == "interrupt":
        return INTERRUPTED
    if path is not None and not entries:
        print(f"playout: nothing was written to {path}: there is no design", file=sys.stderr)
    return 1 if missing else 0


def _algorithm(options: argparse.Namespace) -> Algorithm:
    from playout.algorithms import ALGORITHMS, load_algorithm
    from playout.problems.inverse_folding.search_options import GNRPA_OPTIONS
    from playout.text.grammar import parse_named

    given = as_dict(options.options)
    named = parse_named(options.algorithm, ALGORITHMS)
    if named.name == "gnrpa":
        usual = {name: str(value) for name, value in GNRPA_OPTIONS.items()}
        given = {**{name: usual[name] for name in usual.keys() - named.options}, **given}
    return load_algorithm(options.algorithm, given)


def _targets(options: argparse.Namespace) -> list[tuple[InverseFolding, str]]:
    from playout.tasks.rna_design import rna_targets

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
    from playout.tasks.rna_design import title_of

    stop = Seconds(options.seconds)
    problem.name = name
    shown = 0
    with contextlib.ExitStack() as stack:

        def new_line() -> LiveLine:
            wanted = not (options.json or options.quiet)
            return stack.enter_context(search_line(Target(1.0) | stop, "compiling ...", wanted))

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
    texts = (options.target, options.target.rpartition("#")[0])
    file = next((Path(text) for text in texts if os.path.exists(text)), None)
    return output_file("save", options.save, {} if file is None else {"the targets": file})


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
