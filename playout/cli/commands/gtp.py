"""`playout gtp`: a program for Go, NoGo and Atarigo that others can connect to."""

from __future__ import annotations

import argparse
import sys
from io import TextIOWrapper

from playout.cli.arguments import Parser, keywords
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import add_search, load_budget

USAGE = "playout gtp GAME [-a SEARCH] [options]"

DESCRIPTION = """\
Play Go, NoGo or Atarigo by the Go Text Protocol (GTP), version 2: commands come in on stdin and
answers go out on stdout, until `quit` or the end of the input. This is what graphical boards and
programs for matches connect to, such as GoGui.
"""

EPILOG = """\
examples:
  playout gtp nogo:9x9 --seconds 2
  playout gtp go:9x9,komi=5.5 -a grave --simulations 10000
  playout gtp atarigo -a uct:solver=true --workers 2

With a clock (time_settings, time_left) a move gets its share of the time that is left; --seconds
and --simulations are then the most that it may take.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to play")
    what("GAME", "go, nogo or atarigo; with a size and options: go:9x9,komi=5.5")
    add_search(parser.group("how the search plays, for each move"), "5", networks=False)


def run(options: argparse.Namespace) -> int:
    """Answer commands until there are no more."""
    from playout import TreeSearch
    from playout.adapters.gtp import Engine

    engine = Engine(
        options.game,
        TreeSearch.parse(options.search),
        load_budget(options),
        compiled=not options.interpreted,
        **keywords(options, "seed", "workers"),
    )
    if sys.stdin is None:  # closed
        return 0
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        while not engine.quit and (line := sys.stdin.readline()):
            sys.stdout.write(engine.answer(line))
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
