"""The pictures of a sequence of moves: played and drawn in the server, never in the search.

One thread draws, so that a class of the user's own that takes long holds up films and nothing
else. A few films are kept, up to a size: those of large boards are a megabyte each.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.lab.faults import fault_line
from playout.lab.task import Task
from playout.pictures.film import Film, Step
from playout.text.numbers import counted

MOST_FILMS = 24
MOST_KEPT = 8_000_000  # characters of the films that are kept, together
MOST_PROBLEMS = 16


class Films:
    """Films by who they belong to, drawn when first asked for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "films")
        self._kept: OrderedDict[Any, tuple[Film, str]] = OrderedDict()
        self._sizes: dict[Any, int] = {}

    async def of(self, key: Any, make: Callable[[], tuple[Film, str]]) -> tuple[Film, str]:
        """A film and a note on what could not be drawn."""
        if key not in self._kept:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._thread, make)
            self._kept[key], self._sizes[key] = found, _size(found[0])
            self._forget()
            return found
        self._kept.move_to_end(key)
        return self._kept[key]

    def _forget(self) -> None:
        """Let go of the films that nobody has asked for lately; the newest stays."""
        while len(self._kept) > 1 and (
            len(self._kept) > MOST_FILMS or sum(self._sizes.values()) > MOST_KEPT
        ):
            key, _ = self._kept.popitem(last=False)
            del self._sizes[key]

    async def run(self, call: Callable[..., Any], *given: Any) -> Any:
        """Have the thread do something else that takes long or runs classes of the user's own."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(call, *given))

    def close(self) -> None:
        """Let go of the thread, whatever it does."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _size(film: Film) -> int:
    return sum(len(step.picture) + len(step.text) for step in film.steps)


def solution(task: Task, records: list[Any]) -> tuple[Film, str]:
    """The film of a search's best moves."""
    problem = problem_of(task.problem, task.instance, tuple(task.problem_options.items()))
    return filmed(problem, problem.as_moves(records))


def filmed(game: Any, moves: Any, start: np.ndarray | None = None) -> tuple[Film, str]:
    """The film of moves, texts or records, from a start; and a note on what could not be drawn.

    A class of the user's own may fail to draw: its text is there all the same.
    """
    states, steps, faults = game.root() if start is None else start.copy(), [], []

    def step(move: Any = None) -> Step:
        state = states[0]
        name = "" if move is None else game.move_text(state, move)
        try:
            points = () if move is None else game.where(state, move)
            return Step(game.svg(state), game.render(state), name, points)
        except Exception as error:
            faults.append(fault_line(error))
        try:
            return Step("", game.render(state), name)
        except Exception:
            return Step("", "", name)

    with wrapping():
        for move in moves:
            record = game.parse_move(states[0], move) if isinstance(move, str) else move
            steps.append(step(record))
            game.play_move(states[0], record)
        steps.append(step())
    note = f"the picture failed: {faults[0]}" if faults else ""
    return Film(type(game).__name__, counted(len(steps) - 1, "move"), tuple(steps)), note


@lru_cache(MOST_PROBLEMS)
def problem_of(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """The instance of a problem, of which a few are kept."""
    from playout.problems import PROBLEMS
    from playout.problems.instances import find_instance

    return find_instance(PROBLEMS.find(problem), instance or None, **dict(options))[0]
