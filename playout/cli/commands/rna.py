"""`playout rna`: design RNA sequences that fold into a structure."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict, assignment, duration, number, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import live_line
from playout.errors import DataError, OptionError

if TYPE_CHECKING:
    from playout import Result
    from playout.algorithms.algorithm import Algorithm
    from playout.problems.inverse_folding.inverse_folding import InverseFolding
    from playout.stop import Stop

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
        found: list[dict[str, Any]] = []
        results: list[Result] = []
        for result in _designs(options, problem, name, algorithm, seed):
            results.append(result)
            design = _design(problem, result)
            if design["solved"] or not found:
                found.append(design)
                if not options.json:
                    _print(problem, name, design, len(found), options.count)
        result = results[-1]
        solved = [design for design in found if design["solved"]]
        missing += len(solved) < options.count
        entries += _entries(name, solved)
        if path is not None and solved:
            _write(path, entries)
        if options.json:
            print(json.dumps({**results[0].to_json(), **found[0], "designs": solved}))
        elif len(solved) < options.count:
            print(_shortfall(len(solved), options, problem, result))
        if result.stopped_by == "interrupt":
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
    """The problems that TARGET names, each with its name; a mistake in any is found at once."""
    from playout.problems.instances import find_instance
    from playout.problems.inverse_folding.folding import vienna
    from playout.problems.inverse_folding.inverse_folding import InverseFolding

    settings = dict(
        model=options.model, dangles=options.dangles, temperature=options.temperature,
        order=options.order, bases=options.bases, gc_min=options.gc[0], gc_max=options.gc[1],
        forbid=options.forbid,
    )  # fmt: skip
    text = options.target
    path = Path(text)
    if os.path.isfile(text) and "#" not in path.name:  # a long structure is no name of a file
        problems = InverseFolding.read(path, version=options.version, **settings)
        if not problems:
            raise DataError(f"{path}: there is no structure in the file")
        names = [problem.name or f"{path}#{k}" for k, problem in enumerate(problems, 1)]
        found = list(zip(problems, names, strict=True))
    elif text[:1] in ("(", ")", ".", "") and "/" not in text:
        found = [(InverseFolding(text.strip(), **settings), "target")]
    else:
        problem, name = find_instance(InverseFolding, text, version=options.version, **settings)
        found = [(problem, name)]
    vienna()  # say that it is missing before anything is compiled
    return found


def _designs(
    options: argparse.Namespace, problem: InverseFolding, name: str, algorithm: Algorithm, seed: int
) -> Iterator[Result]:
    """A result for each design, then one that failed if there are too few."""
    import playout
    from playout.provenance import cores

    for attempt in range(options.count):
        stop: Stop = playout.Target(1.0) | playout.Seconds(options.seconds)
        with live_line(not (options.json or options.quiet), stop, "compiling ...") as line:
            result = playout.solve(
                problem, algorithm, stop, seed=(seed + attempt) % 2**63,
                workers=options.workers or cores(), parallel=options.parallel,
                progress=line.update, instance=name,
            )  # fmt: skip
        yield dataclasses.replace(result, problem="inversefolding")
        if result.score < 1.0 or result.stopped_by == "interrupt":
            return
        problem.excluded.add(problem.sequence(result.final_state(problem)[0]))
        if len(problem.excluded) >= problem.designs():
            return


def _design(problem: InverseFolding, result: Result) -> dict[str, Any]:
    """What there is to say of a sequence, folded again for it."""
    sequence = problem.sequence(result.final_state(problem)[0])
    fold = problem.fold(sequence)
    solved = fold.distance == 0 and result.score == 1.0 and result.verified
    return {
        "target": problem.target,
        "sequence": sequence,
        "structure": fold.structure,
        "solved": solved,
        "energy": fold.energy / 100,
        "target_energy": fold.target_energy / 100,
        "probability": problem.ensemble(sequence).probability,
        "distance": fold.distance,
        "gc": round(100 * sum(base in "GC" for base in sequence) / problem.length, 2),
    }


def _print(
    problem: InverseFolding, name: str, design: dict[str, Any], number: int, count: int
) -> None:
    from playout.problems.inverse_folding.target_files import differences, draw_text

    if number == 1:
        nt, pairs = problem.length, problem.pairs
        print(f"{name}: {nt} nt, {pairs} pair{'s' if pairs != 1 else ''}")
    else:
        print()
    label = f"design {number}" if design["solved"] and count > 1 else "sequence"
    rows = [("target", problem.target), (label, design["sequence"]), ("fold", design["structure"])]
    marks = differences(problem.target, design["structure"])
    print(draw_text([*rows, ("", marks)] if marks.strip() else rows))
    print(
        f"energy {design['energy']:.2f} kcal/mol, probability {design['probability']:.3g} "
        f"in the ensemble, G+C {design['gc']:.0f}%"
    )


def _shortfall(
    solved: int, options: argparse.Namespace, problem: InverseFolding, result: Result
) -> str:
    """Why there are fewer designs than were asked for."""
    if solved and solved >= problem.designs():
        return f"there are no more: the target and the given bases allow {solved} in all"
    if result.stopped_by == "interrupt":
        return f"interrupted after {solved} of {options.count}"
    none = "no design found" if not solved else f"{solved} of {options.count} found, then none"
    return f"{none} in {result.seconds:.0f} s; what comes nearest has a score of " + (
        f"{result.score:.3f} (a design has 1)"
    )


def _entries(name: str, designs: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (
            f"{name.replace(' ', '_')}_{number} energy={design['energy']:.2f} "
            f"probability={design['probability']:.4g} structure={design['structure']}",
            design["sequence"],
        )
        for number, design in enumerate(designs, 1)
    ]


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
