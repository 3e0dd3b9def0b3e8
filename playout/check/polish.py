"""The part of `check_problem` about `polish`: what it makes must be a game by the rules.

A few of the random games are polished in plain Python and compiled, from the start and with half of
the moves to be left as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.check.trace import Findings, Trace
from playout.check.values import shown
from playout.compiled import friendly, kernel, same_record
from playout.compiled.compile_errors import fault_line
from playout.errors import PlayoutError, ProblemError

GAMES = 3


@kernel
def _polish(problem, state, moves, first, length, rng):
    return problem.polish(state[0], moves, first, length, rng)


def check_polish(problem: Any, traces: list[Trace], compiled: bool, findings: Findings) -> None:
    """Polish a few games; the first thing that is wrong is a finding."""
    for trace in traces[:GAMES]:
        length = len(trace.chosen)
        for first in sorted({0, length // 2}):
            where = f"game {trace.number}, polished behind its first {first} moves"
            try:
                said = _fault(problem, trace, first, compiled)
            except PlayoutError as error:
                findings.add("compiled code fails", str(error))
                return
            except Exception as error:
                findings.add("polish() fails", f"{where}: {fault_line(error)}")
                return
            if said:
                findings.add("polish() breaks the rules", f"{where}: {said}")
                return


def _fault(problem: Any, trace: Trace, first: int, compiled: bool) -> str:
    """What is wrong with the polished game; empty if nothing is."""
    moves, length = _polished(problem, trace, first, _polish.py_func)
    if not isinstance(length, int | np.integer) or isinstance(length, bool):
        return f"it returned {shown(length)}; it should be how many moves there are now, an int"
    if not first <= length <= problem.max_length:
        return f"it returned the length {length}; from {first} to {problem.max_length} is right"
    for i in range(first):
        if not same_record(moves[i], trace.chosen[i][0]):
            return f"it changed move {i + 1}, which should stay"
    try:
        final = problem.replay(moves[:length])
    except ProblemError as error:
        return str(error)
    if not problem.is_over(final[0]):
        return "the game is not over after the moves that it left"
    if compiled:
        with friendly():
            others, other_length = _polished(problem, trace, first, _polish)
        if (length, moves[:length].tobytes()) != (other_length, others[:length].tobytes()):
            return "compiled, it gives other moves than in plain Python"
    return ""


def _polished(problem: Any, trace: Trace, first: int, call: Any) -> tuple[np.ndarray, Any]:
    moves = np.zeros(problem.max_length, problem.move_type)
    for i, move in enumerate(trace.chosen):
        moves[i] = move[0]
    rng = np.array([trace.number], np.uint64)
    return moves, call(problem, trace.states[-1].copy(), moves, first, len(trace.chosen), rng)
