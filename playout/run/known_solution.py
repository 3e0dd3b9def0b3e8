"""A solution that somebody has already: read from a file, checked by the rules, begun with.

`--start-from FILE`, `solve(start=...)` and `playout check --solution FILE` take a result that was
saved, what `--json` printed, or a text with a move a line, as `result.moves` has them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.contract import Problem
from playout.errors import DataError, ProblemError
from playout.run.result import Result, moves_from_lists
from playout.text.input_files import read_text

SHOWN = 5  # legal moves that an error names


def read_solution(path: str | Path) -> list[Any]:
    """The moves in a file: records if it is a saved result, else texts."""
    text = read_text(path)
    if text.lstrip().startswith(("{", "[")):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise DataError(f"{path} is neither JSON nor a move a line") from None
        if isinstance(data, dict):
            data = data.get("records") or data.get("moves")
        if not isinstance(data, list):
            raise DataError(f"{path} has no list of moves: a result has 'records' or 'moves'")
        return data
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def whole_solution(problem: Problem, given: Any) -> tuple[np.ndarray, float]:
    """The moves that were given, as records, and their score; ProblemError where they are wrong."""
    moves = given_moves(problem, given)
    end = problem.replay(moves)
    with wrapping():
        left = problem.moves(end[0], problem.new_moves())
    if left:
        raise ProblemError(
            f"the game is not over after its {len(moves)} moves: {left} more are possible there"
        )
    return moves, problem.final_score(end)


def given_moves(problem: Problem, given: Any) -> np.ndarray:
    """Moves given as a result, an array of records, or a list of records or texts."""
    if isinstance(given, Result):
        given = given.records
    if isinstance(given, np.ndarray):
        return np.asarray(given, problem.move_type)
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise DataError(f"{given!r} is no solution: give a result, or a list of its moves")
    if given and all(isinstance(move, str) for move in given):
        return _from_texts(problem, given)
    numbers = np.dtype(problem.move_type).names is None
    lists = [[move] if numbers and not isinstance(move, list | tuple) else move for move in given]
    return moves_from_lists(problem, lists)


def _from_texts(problem: Problem, texts: Sequence[str]) -> np.ndarray:
    """Moves by what they are called where they are played."""
    state, legal = problem.root(), problem.new_moves()
    found = np.zeros(len(texts), problem.move_type)
    with wrapping():
        for number, text in enumerate(texts):
            n = problem.moves(state[0], legal)
            names = [problem.move_text(state[0], legal[m]) for m in range(n)]
            if names.count(text) != 1:
                raise ProblemError(_wrong(number + 1, text, names))
            found[number] = legal[names.index(text)]
            problem.play(state[0], found[number])
    return found


def _wrong(number: int, text: str, names: list[str]) -> str:
    if text in names:
        return f"move {number}, {text!r}, stands for {names.count(text)} moves there"
    if not names:
        return f"move {number}, {text!r}, comes after the end of the game"
    more = ", ..." if len(names) > SHOWN else ""
    return f"move {number}, {text!r}, is not legal there: {', '.join(names[:SHOWN])}{more} are"
