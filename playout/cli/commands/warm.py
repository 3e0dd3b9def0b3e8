"""`playout warm`: compile what the plain commands need, before it is needed."""

from __future__ import annotations

import argparse
import time
from typing import Any

from playout.cli.arguments import Parser
from playout.cli.live_line import waiting
from playout.errors import PlayoutError

USAGE = "playout warm [NAME ...] [options]"

DESCRIPTION = """\
Compile what the plain commands `solve`, `play`, `analyse` and `prove` need of the built-in problems
and games in their usual sizes, or of those that are named, and keep it in the cache. Their first
run then begins at once. What is compiled already costs a moment.
"""

EPILOG = """\
examples:
  playout warm                          everything, in the background: playout warm &
  playout warm hex:11 samegame          these
  playout warm my_game.py:Nim           a game of your own
"""

NEED_A_FILE = ("gdl", "arcade", "openspiel", "vgdl")
RACED = ("random", "gnrpa", "lahc", "nmcs", "auto")  # what the race of `solve` begins with


def add(parser: Parser) -> None:
    """Declare the arguments."""
    arguments = parser.group("what to compile")
    text = "problems and games (default: all that are built in and need no file)"
    arguments("NAME ...", text, dest="names")


def run(options: argparse.Namespace) -> int:
    """Compile one thing after another; a line for each."""
    from playout.games import GAMES
    from playout.problems import PROBLEMS

    built_in = [name for name in (*PROBLEMS, *GAMES) if name not in NEED_A_FILE]
    names = options.names or built_in
    failed = 0
    for number, name in enumerate(names, 1):
        start = time.perf_counter()
        with waiting(f"{number}/{len(names)} {name} ..."):
            try:
                _warm(name)
                told = f"{time.perf_counter() - start:.1f} s"
            except PlayoutError as error:
                if options.names:
                    raise
                failed += 1
                told = f"left out: {error}"
        print(f"{name:24} {told}", flush=True)
    return 0 if failed < len(names) else 1


def _warm(name: str) -> None:
    """Run a moment of each command that the name can be given to."""
    problem = _found(name)
    from playout import Problem
    from playout.solvers.prover import Prover
    from playout.stop import Playouts

    if isinstance(problem, Problem):
        from playout import solve

        for algorithm in RACED:
            solve(problem, algorithm, Playouts(2), seed=1)
        return
    from playout import search

    search(problem.searched(), stop=Playouts(2), seed=1)
    if problem.players == 2 and not problem.no_solution():
        Prover(problem, "auto").compile()


def _found(name: str) -> Any:
    """The problem or game that a text names."""
    from playout.games import GAMES, load_game
    from playout.problems.instances import open_problem
    from playout.text.user_files import is_user_file

    if name.partition(":")[0] in GAMES:
        return load_game(name)
    try:
        return open_problem(name)[0]
    except PlayoutError:
        if not is_user_file(name):
            raise
        return load_game(name)
