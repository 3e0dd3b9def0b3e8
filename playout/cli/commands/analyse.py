"""`playout analyse`: what a tree search finds out about one position, and the top of its tree."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, Parser
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import (
    GAME_HELP,
    add_position,
    add_search,
    ctrl_c,
    load_session,
    play_moves,
    until,
)
from playout.cli.live_line import search_line
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.gametree.tree_picture import Branch
    from playout.gametree.tree_session import SearchResult, TreeSession

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
  playout analyse hex:5 --format svg --out tree.svg
      a picture; --format dot is for Graphviz: | dot -Tpdf -o tree.pdf
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to search")
    what("GAME", GAME_HELP)
    add_position(what)
    add_search(parser.group("how to search"), "5")
    output = parser.group("what to print")
    output("--depth D", "moves deep (default: 3)", COUNT, default=3)
    output("--width W", "moves at each node (default: 3)", COUNT, default=3)
    text = "text (the default), json, dot for Graphviz, svg"
    output("--format {text,json,dot,svg}", text, default="text")
    output("--out FILE", "write to a file")
    output("--quiet", "no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Search, and print or write what was found."""
    from playout.games import load_game
    from playout.gametree.tree_picture import tree_top
    from playout.text.output_files import check_writable, write_atomically

    game = load_game(options.game)
    states = game.root() if options.position is None else game.read_position(options.position)
    play_moves(game, states, options.moves, "--moves")
    if options.out is not None:
        if not options.out:
            raise OptionError("--out: give the name of a file")
        check_writable(Path(options.out))
    session, stop = load_session(options, game, 5.0)
    session.set_position(states)
    first = "compiling ..." if session.compiled else "starting ..."
    with ctrl_c() as interrupted, search_line(stop, first, not options.quiet, score=False) as line:
        result = session.run(until(stop, interrupted), line.update)
    top = tree_top(session, result, options.depth, options.width)
    text = _text(options, session, states, result, top)
    if options.out is not None:
        write_atomically(Path(options.out), text.encode())
    else:
        sys.stdout.write(text)
    return INTERRUPTED if interrupted else 0


def _text(
    options: argparse.Namespace, session: TreeSession, states: Any, result: SearchResult,
    top: tuple[Branch, ...],
) -> str:  # fmt: skip
    """The answer in the format that was asked for."""
    from playout.gametree.tree_picture import top_dot, top_svg, top_text

    game = session.game
    if options.format == "json":
        data = result.to_json() | {"game": options.game, "players": int(game.players)}
        return json.dumps(data | {"tree": [branch.to_json() for branch in top]}) + "\n"
    title = f"{options.game}, {result.algorithm}: {result.move}, {result.simulations:,} simulations"
    if options.format == "dot":
        return top_dot(top, title)
    if options.format == "svg":
        picture = game.svg(states[0]) or game.render(states[0])
        return top_svg(top, title, picture, int(game.players))
    more = sum(row.visits > 0 for row in result.moves) - len(top)
    board = game.render(states[0]).rstrip("\n")
    return "\n".join([board, "", *summary(result), "", top_text(top, more), ""])


def summary(result: SearchResult) -> list[str]:
    """What was found, in three lines."""
    known = "proven" if result.proven else "value"
    full = ", the tree is full" if result.full else ""
    return [
        f"best       {result.move}, {known} {result.value:.3f} for player {result.player + 1}",
        f"variation  {' '.join(result.variation)}",
        f"search     {result.algorithm}, {result.simulations:,} simulations in "
        f"{result.seconds:.2f} s, {result.nodes:,} nodes{full}, seed {result.seed}",
    ]
