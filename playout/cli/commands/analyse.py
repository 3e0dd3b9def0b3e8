"""`playout analyse`: what a tree search finds out about one position, and the top of its tree."""

from __future__ import annotations

import argparse
import json

from playout.cli.arguments import COUNT, Parser, keywords
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import (
    GAME_HELP,
    add_calls,
    add_position,
    add_search,
    load_budget,
    load_position,
)
from playout.cli.live_line import search_line
from playout.cli.outputs import output_file, write_answer

USAGE = "playout analyse GAME [POSITION] [-a SEARCH] [options]"

DESCRIPTION = """\
Search a position of a game and show what the search thinks: the position, the best move, the
play that it expects, and the top of its tree with visits and values. A value is what a move is
worth to the player who plays it, from 0 for a loss to 1 for a win in the built-in games.
"""

EPILOG = """\
examples:
  playout analyse connectfour --simulations 100000 --seed 1
  playout analyse connectfour --moves "d d d d" --seconds 5 --depth 4 --width 2
      the position after these moves
  playout analyse breakthrough:5x5 "bbbbb/bbbbb/w..../.wwww/wwwww b" -a grave
      a position in the game's own notation, as playout play prints it
  playout analyse tictactoe -a uct:solver=true --format json
      all numbers, for another program
  playout analyse jass -a pimc:worlds=40 --seed 7
      hidden cards: the deal of seed 7, for the player who leads
  playout analyse hex:5 --format svg --out tree.svg
      a picture; --format dot is for Graphviz: | dot -Tpdf -o tree.pdf
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to search")
    what("GAME", GAME_HELP)
    add_position(what)
    how = parser.group("how to search")
    add_search(how, "5")
    add_calls(how)
    output = parser.group("what to print")
    output("--depth D", "moves deep (default: 3)", COUNT, default=3)
    output("--width W", "moves at each node (default: 3)", COUNT, default=3)
    text = "text (the default), json, dot for Graphviz, svg"
    output("--format {text,json,dot,svg}", text, default="text")
    output("--out FILE", "write to a file")
    output("--quiet", "no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Search, and print or write what was found."""
    from playout.adapters.analysis import analyse
    from playout.games import load_game
    from playout.stop import Never, Seconds

    out = output_file("out", options.out)
    game = load_game(options.game)
    states = load_position(options, game)
    budget = load_budget(options, game)
    # a network may have a budget of its own
    usual = Never() if (options.search or "").startswith("zero") else Seconds(5.0)
    compiled = not (options.interpreted or getattr(game, "interpreted", False))
    first = "compiling ..." if compiled else "starting ..."
    with search_line(budget or usual, first, not options.quiet, score=False) as line:
        found = analyse(
            options.game,
            options.search,
            budget,
            state=states,
            progress=line.update,
            compiled=not options.interpreted,
            **keywords(options, "depth", "width", "seed", "workers", "open"),
        )
    if options.format == "json":
        text = json.dumps(found.to_json()) + "\n"
    else:
        text = {"text": lambda: f"{found}\n", "dot": found.dot, "svg": found.svg}[options.format]()
    write_answer(out, text, f"{found}\n")
    return INTERRUPTED if found.interrupted else 0
