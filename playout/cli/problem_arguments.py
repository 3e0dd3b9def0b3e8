"""PROBLEM, INSTANCE and `-p` of a command: the problem that they name, and the files behind it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from playout.cli.arguments import Arguments, as_dict

if TYPE_CHECKING:
    from playout import Problem
    from playout.study import Solve


def add_problem(group: Arguments, problem_help: str) -> None:
    """Declare PROBLEM, INSTANCE and -p."""
    group("PROBLEM", problem_help)
    group(
        "[INSTANCE]",
        "a file, FILE#3 for the third instance in it, random:SEED, or a name in a collection of "
        "the data folder $PLAYOUT_DATA; without one, the problem's default",
    )
    group.problem_options(", such as n=20")


def load(options: argparse.Namespace) -> tuple[Problem, str]:
    """The problem that a command names, and the name of its instance."""
    from playout.problems.instances import open_problem

    given = as_dict(options.problem_options)
    problem, name = open_problem(options.problem, options.instance, given)
    # with other options it is another instance
    words = [name, *(f"{option}={value}" for option, value in given.items())]
    return problem, " ".join(words).strip()


def load_solve(options: argparse.Namespace, algorithm: str, instance: str | None) -> Solve:
    """The search, as the study's commands run it, of the problem that a command names."""
    from playout.study import Solve

    given = as_dict(options.problem_options)
    compiled = not options.interpreted
    return Solve.parse(options.problem, algorithm, instance or "", given, compiled)


def problem_text(options: argparse.Namespace) -> str:
    """PROBLEM and -p in one text."""
    given = ",".join(f"{name}={value}" for name, value in as_dict(options.problem_options).items())
    return f"{options.problem}:{given}" if given else str(options.problem)


def problem_file(text: str) -> str:
    """The file of a user's own problem or game, `file.py:Class`; empty for a built-in one."""
    match = re.fullmatch(r"(.*\.py)(:.*)?", text)
    return match[1] if match else ""


def sources(options: argparse.Namespace, problem: Problem) -> dict[str, Path]:
    """The files that the problem and its instance come from."""
    from playout.text.data_folder import data_folder

    found = {}
    if file := problem_file(options.problem):
        found["the problem"] = Path(file)
    instance = options.instance or ""
    collection = instance.partition("/")[0]
    places = type(problem).collections
    for text in (instance, instance.rpartition("#")[0]):
        if text and Path(text).exists():
            found["the instance"] = Path(text)
            return found
    folder = data_folder()
    if collection and folder is not None and collection in places:
        found["the instance"] = folder / places[collection]
    return found
