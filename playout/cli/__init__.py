"""The command line: `playout solve`, `playout list`, `playout check`, `playout reproduce`, ...

The commands are in `commands/`, one file each. What a user can mend is one line on stderr and exit
code 2; see `failures` for the rest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from playout._version import __version__
from playout.cli.arguments import Parser
from playout.cli.commands import COMMANDS
from playout.cli.failures import finish_compiling, open_standard_files, reported
from playout.cli.plain_terminal import plain_terminal

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is returned."""
    open_standard_files()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever the terminal can show
    with reported() as outcome, plain_terminal():
        words = sys.argv[1:] if arguments is None else arguments
        options = parse(words or ["--help"])
        outcome.problem = getattr(options, "problem", None) or getattr(options, "game", None)
        outcome.code = options.run(options)
        if sys.stdout is not None:  # it is None where stdout is closed
            sys.stdout.flush()
    if arguments is None:  # a process of its own, which ends now
        finish_compiling(outcome.exit_code())
    return outcome.exit_code()


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of the command that is named, and its `run`; only its file is imported."""
    top = Parser(
        prog="playout",
        description="Monte Carlo search: write a problem in plain Python, search it at native "
        "speed with the algorithms of the nested family and UCT.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"playout {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    name = next((word for word in words if not word.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        if not {"-h", "--help", "--version"} & set(words):
            raise COMMANDS.unknown(name)
    # help and mistakes need all of them
    for known in [name] if name in COMMANDS and words[0] == name else COMMANDS:
        parser = commands.add_parser(known, help=COMMANDS.description(known))
        if known == name:
            command = COMMANDS[name]
            parser.usage, parser.epilog = command.USAGE, command.EPILOG
            parser.description = command.DESCRIPTION
            parser.set_defaults(run=command.run)
            command.add(parser)
    options, unknown = top.parse_known_args(words)
    if unknown and name is not None:
        commands.choices[name].refuse(unknown[0])
    return options


__all__ = ["main"]
