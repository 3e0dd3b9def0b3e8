"""A solution that somebody has already: read from a file, checked by the rules, begun with.

`--start-from FILE`, `solve(start=...)` and `playout check --solution FILE` take a result that was
saved, what `--json` printed, or a text with a move a line, as `result.moves` has them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from playout.contract import Problem
from playout.contract.given_moves import check_over
from playout.errors import DataError, PlayoutError
from playout.text.input_files import read_text


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


def solution_in(problem: Problem, path: str | Path) -> np.ndarray:
    """The moves in a file; what is wrong with them is told by its name."""
    problem.check_attributes()
    given = read_solution(path)
    try:
        moves = problem.as_moves(given)
        check_over(problem, problem.replay(moves), len(moves))
    except PlayoutError as error:
        raise type(error)(f"{path}: {error}") from None
    return moves


def whole_solution(problem: Problem, given: Any) -> tuple[np.ndarray, float]:
    """The moves that were given, as records, and their score; ProblemError where they are wrong."""
    moves = problem.as_moves(given)
    end = problem.replay(moves)
    check_over(problem, end, len(moves))
    return moves, problem.final_score(end)
