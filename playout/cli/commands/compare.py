"""`playout compare`: several algorithms on one problem, with intervals and tests."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, RUNS, Parser, duration, number
from playout.cli.outputs import prints_aside
from playout.cli.problem_arguments import add_problem, load_solve
from playout.cli.study_arguments import ReportOutput, add_running, running, study_line
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.study.kinds.solve import Solve

USAGE = "playout compare PROBLEM [INSTANCE] -a ALGORITHM[:NAME=VALUE,...] ... [options]"

DESCRIPTION = """\
Run several algorithms on one instance, each with the same seeds and budget, and report the mean
scores with 95% intervals over the budget; the others are compared with the first. With the instance
random:{seed} each run has an instance of its own. The runs are kept in the results store: more
algorithms or more runs later cost only what is new.
"""

EPILOG = """\
examples:
  playout compare samegame -a nrpa -a gnrpa -a gnrpa:tau=1.4,level=4 --seconds 10 --runs 20
  playout compare my_problem.py:Knapsack -a random -a nmcs:level=2 --playouts 10000
  playout compare tsptw rc.txt -a gnrpa -a gnrpa:P=4 --out comparison.html
  playout compare samegame -a nrpa -a gnrpa --target 2500 --seconds 60 --out times.html
  playout compare samegame "random:{seed}" -p rows=10 -p columns=10 -a nrpa -a uct --runs 100
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to search")
    add_problem(what, "a name (see playout list problems), or file.py:Class")
    what("--interpreted", "run as plain Python, without compiling")
    how = parser.group("how to compare")
    text = "an algorithm with its options, such as gnrpa:tau=1.4,level=3; may be repeated"
    how("-a ALGORITHM ...", text, dest="algorithms")
    how("--seconds S", "of each run (default: 10 seconds)", duration)
    text = "of each run, in place of a time: the same figures on every machine"
    how("--playouts N", text, COUNT)
    text = (
        "compare how soon runs reach this score (or cost): the share that has, over time; a run "
        "ends there"
    )
    how("--target X", text, number)
    text = "of each algorithm, with the seeds 1, 2, 3, ... (default: 20)"
    how("--runs N", text, RUNS, default=20)
    add_running(parser, how)


def run(options: argparse.Namespace) -> int:
    """Run what is missing and print the report."""
    from playout.stop import Playouts, Seconds
    from playout.study.compare import comparison_plan
    from playout.study.run_plan import run_plan

    output = ReportOutput(options)
    if options.seconds is not None and options.playouts is not None:
        raise OptionError(
            "give --seconds or --playouts, not both: runs are compared by one of them"
        )
    if not options.algorithms:
        raise OptionError("name the algorithms to compare, as in -a nrpa -a gnrpa:tau=1.4")
    stop = Playouts(options.playouts) if options.playouts else Seconds(options.seconds or 10.0)
    with prints_aside(), study_line(options) as line:
        searches: dict[str, Solve] = {}
        for text in options.algorithms:
            if text in searches:
                raise OptionError(f"-a {text} is given twice")
            searches[text] = load_solve(options, text, options.instance)
        plan = comparison_plan(searches, stop, options.runs, options.target)
        report = run_plan(plan, **running(options, line, output))
    output.write([report])
    return 0
