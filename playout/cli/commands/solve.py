"""`playout solve`: search a problem, and print a result that was checked by replay."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import json
import math
import operator
import sys
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict, assignment, duration, number, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import live_line
from playout.cli.outputs import check_outputs, write_outputs
from playout.cli.problem_arguments import add_problem, load
from playout.cli.show_solution import replay_text
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout import Problem, Result
    from playout.stop import Stop

DESCRIPTION = """\
Search a problem for the sequence of moves with the highest score. The search goes on until the
first of the stop criteria holds (10 seconds if none is given); Ctrl-C ends it with the best
result so far. The moves found are then replayed by the problem's own rules in plain Python, and
the result says whether the replay agrees. The same seed and --playouts give the same result,
bit for bit.
"""

EPILOG = """\
examples:
  playout solve samegame --seconds 20 --show
      a SameGame board for 20 seconds, and the solution as boards and moves
  playout solve samegame boards.txt#3 -a gnrpa -o level=4 --seconds 10m --workers 2
      the third board of a file, on two cores
  playout solve maximum -p n=41 -a nmcs -o level=3 --target 2187 --seconds 60
      until a score of 2187 or for a minute, whichever comes first
  playout solve my_problem.py:Knapsack random:7 --playouts 20000 --seed 1 --json
      a problem of your own, the same result every time, for another program to read
  playout solve tsptw rc_204.1.txt --seconds 2h --checkpoint rc.ckpt
      a long run; after a crash the same command goes on where it was

exit code: 0 when the replay agrees, 1 when it does not, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "solve",
        help="search a problem for its best score",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout solve PROBLEM [INSTANCE] [-a ALGORITHM] [-o NAME=VALUE]... [options]",
    )
    parser.set_defaults(run=run)

    what = parser.add_argument_group("what to search")
    add_problem(what, "a built-in problem (see playout list), or file.py:Class for one of your own")
    what.add_argument(
        "--interpreted",
        action="store_true",
        help="run everything as plain Python: slow, for what cannot be compiled",
    )

    how = parser.add_argument_group("how to search")
    how.add_argument(
        "-a",
        dest="algorithm",
        metavar="ALGORITHM",
        default="gnrpa",
        help="see playout list algorithms (default: gnrpa)",
    )
    how.add_argument(
        "-o", dest="options", metavar="NAME=VALUE", type=assignment, action="append", default=[],
        help="an option of the algorithm, such as level=3; may be repeated",
    )  # fmt: skip
    how.add_argument(
        "--polish",
        action="store_true",
        help="improve each playout by the problem's polish(), such as a local search "
        "(-o polish=true)",
    )
    how.add_argument(
        "--seed",
        metavar="N",
        type=whole(0, "seed: give a whole number from 0"),
        help="seed of the random numbers (default: drawn, and shown)",
    )
    how.add_argument(
        "--workers",
        metavar="N",
        default=1,
        help="threads (default: 1)",
        type=whole(1, "number of workers: give a whole number from 1"),
    )
    how.add_argument(
        "--parallel",
        choices=("root", "leaf"),
        default="root",
        help="workers each run a search of their own (root, the default) or share "
        "out the playouts of one (leaf)",
    )

    stop = parser.add_argument_group("when to stop (the first that holds)")
    count = whole(1, "count: give a whole number from 1")
    stop.add_argument(
        "--seconds",
        metavar="S",
        type=duration,
        help="after this time: 90, 1.5, 10m, 2h; compilation is not counted",
    )
    stop.add_argument("--playouts", metavar="N", type=count, help="after exactly N playouts")
    stop.add_argument("--target", metavar="X", type=number, help="at a score of at least X")
    stop.add_argument(
        "--stagnation",
        metavar="N",
        type=count,
        help="after N playouts in a row without a better score",
    )
    stop.add_argument(
        "--runs",
        metavar="N",
        type=count,
        help="when the algorithm has come to its natural end N times",
    )

    files = parser.add_argument_group("files")
    files.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="go on from this file if it exists; write it at an interval and at the end",
    )
    files.add_argument(
        "--checkpoint-every",
        metavar="S",
        type=duration,
        default=10.0,
        help="the interval (default: 10 seconds)",
    )
    files.add_argument("--save", metavar="FILE", help="save the result, for playout.Result.load")
    files.add_argument(
        "--plot", metavar="FILE", help="draw the best score over time: .png, .pdf, .svg"
    )
    files.add_argument("--svg", metavar="FILE", help="draw the final state as a picture")

    output = parser.add_argument_group("what to print")
    output.add_argument("--show", action="store_true", help="also replay the solution as text")
    output.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else"
    )
    output.add_argument("--quiet", action="store_true", help="no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Search, print and write what was asked for."""
    if options.json and options.show:
        raise OptionError("--json prints nothing but its object: leave --show out")
    # what a problem prints for its author's sake must not get into the object
    aside = contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext()
    with aside:
        problem, result = _solve(options)
    try:
        with aside:
            write_outputs(options, problem, result)
        if options.show and result.verified:
            print(replay_text(problem, result))
    finally:  # a full disk or a fault in render() must not cost the result of a long search
        if options.json:
            print(json.dumps(_finite(result.to_json()), allow_nan=False))
        else:
            print(result)
    if result.stopped_by == "interrupt":
        return INTERRUPTED
    return 0 if result.verified else 1


def _solve(options: argparse.Namespace) -> tuple[Problem, Result]:
    import playout
    from playout.algorithms import ALGORITHMS

    given = as_dict(options.options)
    if options.polish:
        given = {"polish": "true", **given}
    algorithm = ALGORITHMS.find(options.algorithm).from_text(given)
    stop = _stop(options)
    problem, instance = load(options)
    check_outputs(options, problem)
    first = "starting ..." if options.interpreted else "compiling ..."
    with live_line(not (options.json or options.quiet), stop, first) as line:
        result = playout.solve(
            problem,
            algorithm,
            stop,
            seed=options.seed,
            workers=options.workers,
            parallel=options.parallel,
            compiled=not options.interpreted,
            checkpoint=options.checkpoint,
            checkpoint_every=options.checkpoint_every,
            progress=line.update,
            instance=instance,
        )
    return problem, dataclasses.replace(result, problem=options.problem)


def _stop(options: argparse.Namespace) -> Stop:
    """The stop criteria that were given, combined."""
    from playout import Playouts, Runs, Seconds, Stagnation, Target

    kinds = {
        "seconds": Seconds, "playouts": Playouts, "target": Target, "stagnation": Stagnation,
        "runs": Runs,
    }  # fmt: skip
    given: list[Stop] = [
        kind(getattr(options, name))
        for name, kind in kinds.items()
        if getattr(options, name) is not None
    ]
    return functools.reduce(operator.or_, given) if given else Seconds(10)


def _finite(value: Any) -> Any:
    """The same data with null for numbers that JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
