"""`playout lab`: the pages, on the user's own computer."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from playout.cli.arguments import Parser, duration, whole
from playout.errors import OptionError

USAGE = "playout lab [FILE ...] [options]"

DESCRIPTION = """\
Open a page on your own computer: start a search and watch it, replay what it found move by move,
play games against any search with its view on the board, compare algorithms, read the results
store, the papers and matches. Searches go on when the page is closed; Ctrl-C ends the lab within a
second, and every search can go on later from its checkpoint.

Nothing is fetched from elsewhere, and nothing that a page sends is ever code or a path: problems
and games of your own, rulesheets and transcripts are named here.
"""

EPILOG = """\
examples:
  playout lab                                   opens the browser
  playout lab my_problem.py:Knapsack            with a problem of your own
  playout lab connectFour.kif match.jsonl       with a game from its rulesheet, and a match to read
  playout lab --no-browser --port 8700          prints the address, for ssh -L
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to show besides")
    text = "classes (file.py:Class), rulesheets (.kif), transcripts (.jsonl), or folders of them"
    what("FILE ...", text, dest="words")
    what("--store FILE", "the results store (default: $PLAYOUT_STORE, or the user's own)")
    text = "where searches are kept (default: $PLAYOUT_LAB, or in the user's data folder)"
    what("--folder FOLDER", text)
    what("--demo", "begin with a search that is watched")
    how = parser.group("how to serve")
    port = whole(1, "port", "give a number from 1 to 65535")
    how("--port N", "the port (default: 8642, or the next that is free)", port)
    how("--host NAME", "the address to listen at (default: 127.0.0.1)", default="127.0.0.1")
    token = how.one_of()
    token("--token TEXT", "the token (default: a new one)")
    token("--no-token", "let everybody on this computer in")
    how("--no-browser", "do not open a browser")
    text = "give a search up that makes no step for so long (default: 10m)"
    how("--patience S", text, duration, default=600.0)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    try:
        from playout.lab.serving import Settings, serve
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("starlette", "uvicorn", "anyio", "h11"):
            raise OptionError("playout lab needs Starlette: pip install 'playout[lab]'") from None
        raise
    if options.port is not None and options.port > 65535:
        raise OptionError(f"--port {options.port}: give a number from 1 to 65535")
    if options.token is not None and len(options.token) < 8:
        raise OptionError("--token: give at least 8 characters")
    serve(
        Settings(
            host=options.host,
            port=options.port,
            token="" if options.no_token else options.token,
            folder=Path(options.folder) if options.folder else None,
            store=Path(options.store) if options.store else None,
            browser=not options.no_browser,
            demo=options.demo,
            patience=options.patience,
            words=tuple(options.words),
        ),
        lambda words: print(words, flush=True),
    )
    # all has ended but, maybe, a picture that a class of the user's own does not come back from
    sys.stderr.flush()
    os._exit(0)
