"""Playouts improved by the problem before they are scored: the `polish` option of every algorithm.

A search ends each playout with `finish`. Here that hands the playout to the problem's `polish`,
which rewrites its moves, and plays what comes back again from the root by the rules. So what is
scored, kept and learned is the polished sequence. Classes with and without it are different
classes to the compiler: a search that does not polish compiles nothing of it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from playout.errors import OptionError
from playout.problem import Problem
from playout.searches.base import BAD_POLISH, Search


class Polishing(Search):
    """Mixed into a search: every playout is polished."""

    needs = ("polish",)

    def finish(self, problem, slot, first):
        row = self.row(slot)
        length = problem.polish(
            self.states[slot], self.sequences[row], first, self.lengths[row],
            self.rng[slot : slot + 1],
        )  # fmt: skip
        if length < first or length > self.sequences.shape[1]:
            return BAD_POLISH
        self.lengths[row] = length
        self.states[slot] = self.root[0]
        return self.retrace(problem, slot)


def with_parts(cls: Any, problem: Problem, *parts: type) -> Any:
    """A search class with parts mixed in; OptionError if the problem lacks what they need."""
    for part in parts:
        for method in getattr(part, "needs", ()):
            if getattr(problem, method, None) is None:
                raise OptionError(
                    f"{type(problem).__name__} has no {method}() method: leave "
                    f"{'polish' if method == 'polish' else 'adapt=all'} out"
                )
    return _mixed(cls, parts) if parts else cls


@cache
def _mixed(cls: type, parts: tuple[type, ...]) -> type:
    name = "".join(part.__name__ for part in parts) + cls.__name__
    return type(name, (*parts, cls), {"__module__": cls.__module__, "__doc__": cls.__doc__})
