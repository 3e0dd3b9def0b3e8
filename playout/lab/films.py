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
from playout.compiled.compile_errors import fault_line
from playout.errors import DataError, PlayoutError
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
    problem = problem_of(task.problem, task.instance, option_pairs(task.problem_options))
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
        for number, move in enumerate(moves, 1):
            try:
                record = game.parse_move(states[0], move) if isinstance(move, str) else move
                steps.append(step(record))
                game.play_move(states[0], record)
            except PlayoutError:
                raise
            except Exception as error:  # a move of another problem
                raise DataError(f"move {number} cannot be played: {fault_line(error)}") from None
        steps.append(step())
    note = f"the picture failed: {faults[0]}" if faults else ""
    return Film(type(game).__name__, counted(len(steps) - 1, "move"), tuple(steps)), note


def option_pairs(options: Any) -> tuple[tuple[str, Any], ...]:
    """Options of a problem that were read, as `problem_of` takes them; DataError if they are none.

    Values are texts and numbers, or lists of them.
    """
    if not isinstance(options, dict):
        raise DataError("the options of the problem are damaged")
    pairs = tuple((k, tuple(v) if isinstance(v, list) else v) for k, v in options.items())
    for _, value in pairs:
        parts = value if isinstance(value, tuple) else (value,)
        if not all(part is None or isinstance(part, str | int | float) for part in parts):
            raise DataError("the options of the problem are damaged")
        # module:Name of an environment: what was read from a file imports nothing
        if any(isinstance(part, str) and ":" in part for part in parts):
            raise DataError("an option of the problem names what would be imported")
    return pairs


@lru_cache(MOST_PROBLEMS)
def problem_of(problem: str, instance: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """The instance of a problem, of which a few are kept."""
    from playout.problems import PROBLEMS
    from playout.problems.instances import find_instance

    try:
        return find_instance(PROBLEMS.find(problem), instance or None, **dict(options))[0]
    except (OSError, TypeError) as error:  # what was read may be no name, and no options of it
        raise DataError(f"{problem} has no such instance: {str(error)[:200]}") from None
