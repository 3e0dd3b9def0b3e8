"""`playout check`: does a problem keep the contract? Random games find out."""

from __future__ import annotations

import argparse
from typing import Any

from playout.cli.arguments import whole
from playout.cli.instance import add_problem, load
from playout.cli.progress import waiting

DESCRIPTION = """\
Play random games of a problem and explain what is wrong with it, if anything: more moves than
max_moves, a state that moves() changes, a score that differs between plain Python and compiled
code, a code or key that is not stable, and so on. Worth doing before the first search of a
problem of your own, and after every change of it.
"""

EPILOG = """\
examples:
  playout check my_problem.py:Knapsack                the default instance
  playout check my_problem.py:Knapsack random:7       another instance
  playout check my_problem.py:Knapsack --games 1000   look longer
  playout check my_problem.py:Knapsack --interpreted  only what is plain Python
  playout check samegame -p rows=6 -p columns=6       a built-in problem

exit code: 0 when nothing is wrong, 1 when something is, 2 when the problem cannot be loaded
"""


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "check",
        help="see whether a problem of your own is well written",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout check PROBLEM [INSTANCE] [options]",
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("what to check")
    add_problem(what, "file.py:Class, or a built-in problem")
    how = parser.add_argument_group("how to check")
    how.add_argument(
        "--games",
        metavar="N",
        default=100,
        help="random games (default: 100)",
        type=whole(1, "number of games: give a whole number from 1"),
    )
    how.add_argument(
        "--seed",
        metavar="N",
        default=0,
        help="seed of the games (default: 0)",
        type=whole(0, "seed: give a whole number from 0"),
    )
    how.add_argument(
        "--interpreted",
        action="store_true",
        help="leave compiled code out: for a problem that cannot be compiled",
    )


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    from playout import check_problem

    problem, _ = load(options)
    with waiting(f"playing {options.games} random games ..."):
        report = check_problem(
            problem, games=options.games, seed=options.seed, compiled=not options.interpreted
        )
    print(report)
    return 0 if report.passed else 1
