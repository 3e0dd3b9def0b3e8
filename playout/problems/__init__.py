"""The problems that come with the package, and the way to those that do not.

Importing this package is cheap: a problem's module, and Numba with it, is imported when its
class is first asked for. A new problem is one file and one line in `PROBLEMS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from playout.errors import ProblemError, nearest


class Entry(NamedTuple):
    """Where a problem's class is, as `module:Class`, and a line about it."""

    place: str
    description: str


PROBLEMS: dict[str, Entry] = {
    "samegame": Entry(
        "playout.problems.samegame:SameGame", "remove groups of equal tiles, large ones pay"
    ),
    "tsptw": Entry(
        "playout.problems.tsptw:TSPTW", "the shortest tour that meets every time window"
    ),
    "maximum": Entry(
        "playout.problems.maximum:Maximum", "the largest value of an expression of +, * and 1"
    ),
    "coloring": Entry(
        "playout.problems.coloring.graph_coloring:GraphColoring",
        "colour a graph's vertices, neighbours apart",
    ),
    "inversefolding": Entry(
        "playout.problems.inverse_folding.inverse_folding:InverseFolding",
        "an RNA sequence that folds into a target",
    ),
}

_CLASSES = {entry.place.partition(":")[2]: name for name, entry in PROBLEMS.items()}


def problem_class(name: str) -> Any:
    """The class of a built-in problem."""
    entry = PROBLEMS.get(name)
    if entry is None:
        raise ProblemError(f"there is no problem {name!r}; {nearest(name, PROBLEMS)}")
    module, _, cls = entry.place.partition(":")
    return getattr(import_module(module), cls)


def load_problem(text: str) -> Any:
    """The class that a command line names: a built-in name, or `path/to/file.py:Class`."""
    if text in PROBLEMS:
        return problem_class(text)
    if ":" not in text and not text.endswith(".py"):
        raise ProblemError(
            f"there is no problem {text!r}; {nearest(text, PROBLEMS)} "
            "(your own is path/to/file.py:Class)"
        )
    from playout.text.user_files import load_class  # not needed for the built-in problems

    return load_class(text)


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return problem_class(_CLASSES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_CLASSES])


__all__ = ["PROBLEMS", "Entry", "load_problem", "problem_class", *_CLASSES]
