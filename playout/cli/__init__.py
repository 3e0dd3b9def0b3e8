"""The command line: `playout solve`, `playout list`, `playout check`, `playout reproduce`, ...

One file a command, each with `add` (its arguments and help) and `run`. Nothing heavy is imported
before a command needs it, so that `playout --help` is quick. What a user can mend is one line on
stderr and exit code 2; see `failures` for the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from playout._version import __version__
from playout.cli.arguments import Parser
from playout.cli.commands import (
    analyse,
    check,
    color,
    compare,
    export,
    gtp,
    listing,
    match,
    play,
    prove,
    report,
    reproduce,
    rna,
    solve,
    train,
    tune,
    zonnscan,
)
from playout.cli.failures import open_standard_files, reported

EPILOG = """\
examples:
  playout solve samegame --seconds 20 --show      search a board, show the solution
  playout solve my_problem.py:Knapsack            search a problem of your own
  playout list                                    what there is to search, and with what
  playout compare samegame -a nrpa -a gnrpa       which algorithm is better, with intervals
  playout match connectfour uct grave --games 50  which player is better, with intervals
  playout play connectfour                        play against a search
  playout prove domineering:5x5                   who wins under perfect play, and how
  playout reproduce snrpa --scale 0.002           a paper's tables, ours beside theirs
"""

COMMANDS = {
    "solve": solve, "list": listing, "check": check, "compare": compare, "tune": tune,
    "match": match, "reproduce": reproduce, "report": report, "export": export, "analyse": analyse,
    "play": play, "prove": prove, "gtp": gtp, "rna": rna, "color": color, "train": train,
    "zonnscan": zonnscan,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is returned."""
    open_standard_files()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever the terminal can show
    with reported() as outcome:
        words = sys.argv[1:] if arguments is None else arguments
        options = parser().parse(words or ["--help"])
        outcome.problem = getattr(options, "problem", None) or getattr(options, "game", None)
        outcome.code = options.run(options)
        if sys.stdout is not None:  # it is None where stdout is closed
            sys.stdout.flush()
    return outcome.code


def parser() -> Parser:
    """The arguments of every command."""
    top = Parser(
        prog="playout",
        description="Monte Carlo search: write a problem in plain Python, search it at native "
        "speed with the algorithms of the nested family and UCT.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"playout {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS.values():
        command.add(commands)
    return top


__all__ = ["main"]
