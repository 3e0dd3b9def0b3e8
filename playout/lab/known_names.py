"""What a task that lies in a folder may have run: what is registered, or was named at the start.

A folder of tasks may be a stranger's. Loading a class from a Python file runs that file, and a page
that shows a task draws what it has found. So a task names no file but those of the command line.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from playout.errors import DataError
from playout.lab.shelf import Shelf, shown
from playout.lab.task import Task

# names, numbers and sizes, as the lab writes them: no file, and no class in one
_OPTIONS = re.compile(r"[A-Za-z0-9_=.,+ -]*")


def check_names(task: Task, shelf: Shelf) -> None:
    """Refuse a task that would run a file which was not named when the lab began."""
    from playout.algorithms import ALGORITHMS
    from playout.experiments import EXPERIMENTS
    from playout.games import GAMES
    from playout.gametree import TREE_POLICIES, WORLD_SEARCHES
    from playout.problems import PROBLEMS

    searches = {*TREE_POLICIES, *WORLD_SEARCHES, "random"}
    for text in (task.algorithm, *task.algorithms):
        _check(text, ALGORITHMS)
    _check(task.problem, PROBLEMS, shelf.problems.values())
    _check(task.search, searches)
    _check(task.paper, EXPERIMENTS)
    name = task.game.partition(":")[0]
    if name not in GAMES or not GAMES.entry(name).takes_text:  # those read what they are of as data
        _check(task.game, GAMES, shelf.games.values())


def _check(text: str, registered: Container[str], own: Iterable[str] = ()) -> None:
    for known in own:
        if text == known or (text.startswith(f"{known}:") and _is_plain(text[len(known) + 1 :])):
            return
    name, _, options = text.partition(":")
    if text and not (name in registered and _is_plain(options)):
        raise DataError(f"to run {shown(text)}, name it when the lab starts")


def _is_plain(options: str) -> bool:
    return _OPTIONS.fullmatch(options) is not None and ".py" not in options
