"""Why plain Python may come to another number than compiled code.

NumPy computes with an `i1` in its eight bits: `1 << state.exponent` is 0 for an exponent of 8.
Compiled code computes in 64. So a method is asked once more with fields of 64 bits, and if it comes
to what compiled code came to, that was it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from playout.check.overflow import widened
from playout.check.values import close, difference

WHY = (
    ": plain Python computes with a field of few bits in these bits, compiled code in 64; "
    "write int(...) around it"
)


def why_played_so(problem: Any, states: np.ndarray, move: np.ndarray, compiled: np.ndarray) -> str:
    """The reason, if play() with wide fields comes to the compiled state; else nothing."""

    def same() -> bool:
        after = _wide(states)
        problem.play(after[0], _wide(move)[0])
        return not difference(after.astype(compiled.dtype), compiled, rounding=True)

    return _told(same)


def why_so_many(problem: Any, states: np.ndarray, compiled: int) -> str:
    """The reason, if moves() with wide fields returns the compiled number; else nothing."""

    def same() -> bool:
        moves = np.zeros(problem.max_moves, widened(problem.move_type))
        return bool(problem.moves(_wide(states)[0], moves) == compiled)

    return _told(same)


def why_scored_so(problem: Any, states: np.ndarray, compiled: float) -> str:
    """The reason, if score() with wide fields is the compiled score; else nothing."""
    return _told(lambda: close(float(problem.score(_wide(states)[0])), float(compiled)))


def _wide(records: np.ndarray) -> np.ndarray:
    return records.astype(widened(records.dtype))


def _told(same: Callable[[], bool]) -> str:
    try:
        return WHY if same() else ""
    except Exception:  # of rules that hand a record on to arrays of types that they know
        return ""
