"""Playouts improved by the problem before they are scored: the `polish` option of every algorithm.

A search ends each playout with `finish`. Here that hands the playout to the problem's `polish`,
which rewrites its moves, and plays what comes back again from the root by the rules. So what is
scored, kept and learned is the polished sequence. Classes with and without it are different
classes to the compiler: a search that does not polish compiles nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from playout.algorithms.search import BAD_POLISH, FINE, Search
from playout.compiled import kernel, wrapping
from playout.contract import Problem
from playout.errors import OptionError

S = TypeVar("S", bound=Search)


class Polishing(Search):
    """Mixed into a search: every playout is polished."""

    needs = ("polish",)

    def finish(self, problem, slot, first):
        row, rng = self.row(slot), self.rng[slot : slot + 1]
        state, sequence = self.states[slot], self.sequences[row]
        length = problem.polish(state, sequence, first, self.lengths[row], rng)
        if length < first or length > self.sequences.shape[1]:
            return BAD_POLISH
        self.lengths[row] = length
        self.states[slot] = self.root[0]
        return self.retrace(problem, slot)


class PolishingBetween(Search):
    """The same where the problem is plain Python beyond its rules, as one with `evaluate` is.

    Its `polish` is called when a batch has been played, before it is scored.
    """

    needs = ("polish",)
    own_fields = ("firsts",)

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        self.firsts = np.zeros(len(self.states), np.int64)

    def finish(self, problem, slot, first):
        self.firsts[slot] = first
        return FINE


@kernel
def retrace(search, problem, slot):
    """Play what was polished from the root, by the rules."""
    search.states[slot] = search.root[0]
    return search.retrace(problem, slot)


def polish_slot(search: Any, problem: Problem, slot: int, compiled: bool) -> int:
    """Polish a playout in plain Python, then play it by the rules; FINE, or an error."""
    row, first, rng = search.row(slot), int(search.firsts[slot]), search.rng[slot : slot + 1]
    state, sequence = search.states[slot], search.sequences[row]
    with wrapping():
        length = problem.polish(state, sequence, first, int(search.lengths[row]), rng)
    if not first <= length <= search.sequences.shape[1]:
        return BAD_POLISH
    search.lengths[row] = length
    return int((retrace if compiled else retrace.py_func)(search, problem, slot))


def with_mixins(cls: type[S], problem: Problem, *mixins: type) -> Callable[..., S]:
    """A search class with others mixed in; OptionError if the problem lacks what they need."""
    if problem.evaluate is not None:
        mixins = tuple(PolishingBetween if mixin is Polishing else mixin for mixin in mixins)
    for mixin in mixins:
        for method in getattr(mixin, "needs", ()):
            if getattr(problem, method, None) is None:
                raise OptionError(
                    f"{type(problem).__name__} has no {method}() method: leave "
                    f"{'polish' if method == 'polish' else 'adapt=all'} out"
                )
    base: Any = cls
    return _mixed(base, mixins) if mixins else cls


@cache
def _mixed(cls: Any, mixins: tuple[type, ...]) -> type:
    name = "".join(mixin.__name__ for mixin in mixins) + cls.__name__
    own = [field for mixin in mixins for field in getattr(mixin, "own_fields", ())]
    named = {"__module__": cls.__module__, "__doc__": cls.__doc__, "fields": (*cls.fields, *own)}
    return type(name, (*mixins, cls), named)
