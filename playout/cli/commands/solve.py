"""`playout solve`: search a problem, and print a result that was checked by replay."""

from __future__ import annotations

import argparse
import dataclasses
from contextlib import nullcontext
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, SEED, WORKERS, Parser, as_dict, duration, keywords, number
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import search_line
from playout.cli.outputs import check_outputs, prints_aside, refuse_show_with_json, write_outputs
from playout.cli.problem_arguments import add_problem, load
from playout.errors import OptionError
from playout.text.json_text import json_text

if TYPE_CHECKING:
    from playout import Problem, Result
    from playout.cli.event_file import EventFile
    from playout.stop import Stop

USAGE = "playout solve PROBLEM [INSTANCE] [-a ALGORITHM] [-o NAME=VALUE]... [options]"

DESCRIPTION = """\
Search a problem for the sequence of moves with the highest score. The algorithm and the settings
that suit the problem are found while it is searched (auto), unless one is named. The search goes
on until the first of the stop criteria holds (10 seconds if none is given); Ctrl-C ends it with
the best result so far. The moves found are then replayed by the problem's own rules in plain
Python, and the result says whether the replay agrees. The same seed and --playouts give the same
result, bit for bit.
"""

EPILOG = """\
examples:
  playout solve samegame --seconds 20 --show
      a SameGame board for 20 seconds, by what suits it, and the solution as boards and moves
  playout solve samegame boards.txt#3 -a gnrpa:level=4 --seconds 10m --workers 2
      the third board of a file by an algorithm with an option, -o level=4, on two cores
  playout solve maximum -p n=41 -a nmcs -o level=3 --target 2187 --seconds 60
      until a score of 2187 or for a minute, whichever comes first
  playout solve my_problem.py:Knapsack random:7 --playouts 20000 --seed 1 --json
      a problem of your own, the same result every time, for another program to read
  playout solve tsptw rc_204.1.txt --seconds 2h --checkpoint rc.ckpt
      a long run; after a crash the same command goes on where it was
  playout solve samegame --seconds 60 --events - | another_program
      what happens as it happens: progress, improvements with their moves, the result

exit code: 0 when the replay agrees, 1 when it does not, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to search")
    add_problem(what, "a built-in problem (see playout list), or file.py:Class for one of your own")
    what("--open", "search a problem with luck in it as if the luck were known")
    what("--interpreted", "run everything as plain Python: slow, for what cannot be compiled")
    how = parser.group("how to search")
    text = "see playout list algorithms (default: auto; gnrpa with an -o of its own, or --runs)"
    how("-a ALGORITHM", text, dest="algorithm")
    how.algorithm(name=None)
    how(
        "--polish",
        "improve each playout by the problem's polish(), such as a local search (-o polish=true)",
    )
    how("--start-from FILE", "begin with a solution: a saved result, or a text with a move a line")
    how("--best K", "keep the best K solutions that end differently (default: 1)", COUNT, default=1)
    text = "seed of the random numbers (default: drawn, and shown; or that of the checkpoint)"
    how("--seed N", text, SEED)
    how("--workers N", "threads (default: 1)", WORKERS, default=1)
    how(
        "--parallel {root,leaf,processes}",
        "workers each run a search of their own (root, the default) or share out the playouts of "
        "one (leaf); processes share out evaluate()",
        default="root",
    )
    how.cluster()
    stop = parser.group("when to stop (the first that holds)")
    text = "after this time: 90, 1.5, 10m, 2h; compilation is not counted"
    stop("--seconds S", text, duration)
    stop("--playouts N", "after exactly N playouts", COUNT)
    stop("--target X", "at a score of at least X, or a cost of at most X", number)
    text = "at a score of X, which none can be better than; the result tells the gap"
    stop("--bound X", text, number)
    stop("--stagnation N", "after N playouts in a row without a better score", COUNT)
    stop("--runs N", "when the algorithm has come to its natural end N times", COUNT)
    files = parser.group("files")
    text = "go on from this file if it exists; write it at an interval and at the end"
    files("--checkpoint FILE", text)
    files("--checkpoint-every S", "the interval (default: 10 seconds)", duration, default=10.0)
    files("--save FILE", "save the result, for playout.Result.load")
    files("--plot FILE", "draw the best score over time: .png, .pdf, .svg")
    text = "tell what happens as JSON lines, for another program; - for the standard output"
    files("--events FILE", text)
    files("--svg FILE", "draw the solution: a strip of moments, from the start to the end")
    files("--html FILE", "write it as a film: a page with a picture for every move, and a slider")
    output = parser.group("what to print")
    output("--show", "also replay the solution as text")
    output("--moves", "print the whole list of moves, however long")
    output.json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Search, print and write what was asked for."""
    refuse_show_with_json(options)
    if options.moves and (options.json or options.events == "-"):
        raise OptionError("--json and --events - have every move already: leave --moves out")
    if options.events == "-" and (options.json or options.show):
        raise OptionError("--events - prints nothing but events: leave --json and --show out")
    aside = prints_aside(options.json or options.events == "-")
    events = _events(options)  # which takes the standard output before it is put aside
    with aside, events or nullcontext():
        problem, result = _solve(options, events)
    try:
        with aside:
            write_outputs(options, problem, result)
        if options.show and result.verified:
            from playout.run.replay_text import replay_text

            print(replay_text(problem, result))
    finally:  # a full disk or a fault in render() must not cost the result of a long search
        if options.json:
            print(json_text(result.to_json()))
        elif options.events != "-":
            print(result.text(None) if options.moves else result)
    if result.stopped_by == "interrupt":
        return INTERRUPTED
    return 0 if result.verified else 1


def _events(options: argparse.Namespace) -> EventFile | None:
    if options.events is None:
        return None
    from playout.cli.event_file import EventFile

    return EventFile(options.events)


def _solve(options: argparse.Namespace, events: EventFile | None) -> tuple[Problem, Result]:
    import playout
    from playout.algorithms import load_algorithm
    from playout.run.known_solution import solution_in

    given = as_dict(options.options)
    if options.polish:
        given = {"polish": "true", **given}
    own = given.keys() - {"polish"} or options.runs
    name = options.algorithm or ("gnrpa" if own else "auto")
    algorithm = load_algorithm(name, given)
    stop = _stop(options)
    problem, instance = load(options)
    check_outputs(options, problem)
    first = "starting ..." if options.interpreted else "compiling ..."
    with search_line(stop, first, not (options.json or options.quiet)) as line:
        settings = keywords(options, "seed", "workers", "parallel", "cluster", "open")
        settings |= keywords(options, "checkpoint", "checkpoint_every", "bound", "best")
        if options.start_from is not None:
            settings["start"] = solution_in(problem, options.start_from)
        settings |= {"compiled": not options.interpreted, "instance": instance}
        if events is None:
            result = playout.solve(problem, algorithm, stop, progress=line.update, **settings)
        else:
            from playout.run.events import telling

            search = playout.Search(problem, algorithm, stop, **settings)
            with telling(search, stop, events.tell):
                result = search.run(line.update)
    result = dataclasses.replace(result, problem=options.problem)
    if events is not None:
        events.tell({"event": "finished", **result.to_json()})
    return problem, result


def _stop(options: argparse.Namespace) -> Stop:
    """The stop criteria that were given, combined."""
    from playout.stop import AnyOf, Playouts, Runs, Seconds, Stagnation, Target

    given = [
        kind(value)
        for kind, value in (
            (Seconds, options.seconds),
            (Playouts, options.playouts),
            (Target, options.target),
            (Stagnation, options.stagnation),
            (Runs, options.runs),
        )
        if value is not None
    ]
    return AnyOf(tuple(given)) if given else Seconds(10)
