"""`playout check`: does a problem, or a game, keep the contract? Random games find out."""

from __future__ import annotations

import argparse
import os
import re
from typing import Any

from playout.cli.arguments import GAMES, SEED, Parser
from playout.cli.live_line import waiting
from playout.cli.problem_arguments import add_problem, load, problem_file
from playout.errors import OptionError, ProblemError, nearest

USAGE = "playout check PROBLEM [INSTANCE] [options], or playout check GAME [options]"

DESCRIPTION = """\
Play random games of a problem, or of a game, and explain what is wrong with it, if anything: more
moves than max_moves, a state that moves() changes, a score that differs between plain Python and
compiled code, a code or key that is not stable, a position that is not read back, and so on. Worth
doing before the first search of a problem or game of your own, and after every change of it.
"""

EPILOG = """\
examples:
  playout check my_problem.py:Knapsack                the default instance
  playout check my_problem.py:Knapsack random:7       another instance
  playout check my_problem.py:Knapsack --games 1000   look longer
  playout check my_problem.py:Knapsack --interpreted  only what is plain Python
  playout check samegame -p rows=6 -p columns=6       a built-in problem
  playout check my_game.py:Nim:heaps=4                a game of your own, with an option
  playout check breakthrough:6x6                      a built-in game
  playout check samegame boards.txt#3 --solution moves.txt   is this legal, and what does it score

exit code: 0 when nothing is wrong, 1 when something is, 2 when the problem cannot be loaded
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    add_problem(parser.group("what to check"), "file.py:Class, or a built-in problem or game")
    how = parser.group("how to check")
    text = "check this solution instead: a saved result, or a text with a move a line"
    how("--solution FILE", text)
    how("--games N", "random games (default: 100)", GAMES, default=100)
    how("--seed N", "seed of the games (default: 0)", SEED, default=0)
    how("--interpreted", "leave compiled code out: for a problem that cannot be compiled")
    how("--checked", "compiled code checks indices and fields; slower (as PLAYOUT_CHECKED=1 does)")


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    if options.checked:
        os.environ["PLAYOUT_CHECKED"] = "1"  # read before anything is compiled
    from playout import check_problem

    problem = _game(options) or load(options)[0]
    if options.solution is not None:
        return _check_solution(problem, options.solution)
    compiled = not (options.interpreted or getattr(problem, "interpreted", False))
    with waiting(f"playing {options.games} random games ..."):
        report = check_problem(problem, games=options.games, seed=options.seed, compiled=compiled)
    print(report)
    return 0 if report.passed else 1


def _check_solution(problem: Any, file: str) -> int:
    """Say whether a solution keeps the rules, and its score."""
    from playout import Problem
    from playout.contract import score_word
    from playout.run.known_solution import read_solution, whole_solution
    from playout.run.result import agree
    from playout.text.facts import facts_text
    from playout.text.numbers import counted

    if not isinstance(problem, Problem):
        raise OptionError("--solution is about a problem: a game has no solution of one player")
    problem.check_attributes()
    given = read_solution(file)
    try:
        moves, score = whole_solution(problem, given)
        again = problem.verify(moves)
    except ProblemError as error:
        print(f"{file}: {error}")
        return 1
    agrees = agree(again, score)
    verdict = "verify agrees" if agrees else f"VERIFY SAYS {again}"
    called = score_word(problem.sense)
    facts = [("solution", f"{counted(len(moves), 'move')}, legal and whole")]
    print(facts_text([*facts, (called, f"{score:.10g} ({verdict})")]))
    return 0 if agrees else 1


def _game(options: argparse.Namespace) -> Any:
    """The game that is named; None if it is a problem."""
    from playout.games import GAMES, load_game
    from playout.problems import PROBLEMS

    text = options.problem
    if file := problem_file(text):
        from playout import Game, Problem
        from playout.text.user_files import load_class

        cls = re.fullmatch(r"(.*\.py(:[A-Za-z_]\w*)?)(:.*)?", text)
        if cls is None or issubclass(load_class(cls[1], Game), Problem):
            return None
    elif text.partition(":")[0] not in GAMES:
        name = text.partition(":")[0]
        if name not in PROBLEMS:
            hint = nearest(name, [*PROBLEMS, *GAMES])
            raise ProblemError(
                f"there is no problem or game {text!r}; {hint} (your own is path/to/file.py:Class)"
            )
        return None
    if options.instance is not None or options.problem_options:
        raise OptionError(
            f"{text} is a game: it has no instances, and its options are part of its name, such as "
            + (f"{text}:OPTION=VALUE" if file else "breakthrough:6x6,misere=true")
        )
    return load_game(text)
