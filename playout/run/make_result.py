"""The result of a run that is over: its best sequence, replayed by the rules in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout._version import __version__
from playout.algorithms.search import Search
from playout.check.overflow import has_fraction
from playout.compiled import wrapping
from playout.compiled.compile_errors import fault_line
from playout.contract import Problem
from playout.contract.visible import Visible
from playout.errors import PlayoutError, ProblemError
from playout.run.best_solutions import best_solutions
from playout.run.checkpoint import Identity
from playout.run.driver import Driver
from playout.run.portfolio import Portfolio
from playout.run.result import Result, agree, moves_to_lists
from playout.run.solution import Solution
from playout.statistics import half_width, standard_error

FRESH = 10  # evaluations of a noisy objective's best


def make_result(run: Driver, problem: Problem, identity: Identity) -> Result:
    """The best sequence, replayed."""
    start, infinite = run.start, any(worker.infinite for worker in run.workers)
    search = None if run.playouts() == 0 else run.best_worker().search
    found = -math.inf if search is None else float(search.head[0].best_score)
    if start is not None and run.sign * start.score >= found:
        moves, found, search = start.moves, start.score, None
    else:
        assert search is not None
        moves, found = search.best_moves(), run.shown(found)
    score, verified = found, False
    texts: list[str] = []
    notes = [] if search is not None else ["nothing better than the start was found"]
    notes += _code_note(problem, moves)
    try:
        end, texts, said = _replayed(problem, moves)
        notes += said
        if problem.noisy:
            score, note = _fresh_mean(problem, end, found)
            verified, notes = True, [*notes, note]
        else:
            score = problem.final_score(end)
            faults = _faults(problem, moves, score, found)
            verified, notes = not faults, [*notes, *faults]
    except ProblemError as error:  # an illegal move: not verified
        texts = _texts(problem, moves)
        notes.append(f"replayed, {error}")
    if infinite or math.isinf(score):
        notes.append(_infinite(problem))
    if not len(moves):
        notes.append("no game has a move: moves() returns 0 at the start")
    solutions = _solutions(run, problem, identity.best) if identity.best > 1 else []
    if solutions and len(solutions) < identity.best:
        notes.append(
            f"{len(solutions)} of the {identity.best} solutions asked for: no game that was met "
            "has another end"
        )
    return Result(
        problem=identity.problem,
        instance=identity.instance,
        algorithm=identity.algorithm,
        options=identity.options,
        seed=identity.seed,
        score=score,
        moves=texts,
        playouts=run.playouts(),
        seconds=round(run.seconds(), 6),
        verified=bool(verified),
        stopped_by=run.stopped_by,
        curve=run.final_curve(),
        workers=identity.workers,
        version=__version__,
        records=moves_to_lists(moves),
        counters=run.counters(),
        **_finder(search),
        open=problem.opened,
        sense=problem.sense,
        notes=notes,
        compiling=round(run.compiling(), 6),
        bound=None if run.bound is None else run.bound.score,
        solutions=solutions,
        begun=start is not None,
    )


def _fresh_mean(problem: Problem, end: np.ndarray, found: float) -> tuple[float, str]:
    """The mean of fresh evaluations of a noisy objective: the best of many is a lucky one."""
    scores = np.array([problem.final_score(end) for _ in range(FRESH)])
    half = half_width(standard_error(scores), FRESH - 1)
    return float(scores.mean()), (
        f"the mean of {FRESH} fresh evaluations, 95% interval +-{half:.3g}; the search saw "
        f"{found:.10g}, the luckiest of all"
    )


def _infinite(problem: Problem) -> str:
    """What is said of a score that no search can weigh against others."""
    asked = "score" if problem.evaluate is None else "evaluate"
    bad = "a high cost" if problem.sense == "min" else "a low score"
    return (
        f"{asked}() returned an infinite number, which cannot be weighed against others: give a "
        f"bad result {bad}, not an infinite one"
    )


def _code_note(problem: Problem, moves: np.ndarray) -> list[str]:
    """What is said of codes that are not whole, as far as those of the first moves tell."""
    if type(problem).code.__module__.startswith("playout.") or not len(moves):
        return []  # a code of the package's own is whole: its tests see to that
    state = problem.root()[0]
    try:
        with wrapping():
            codes: list[Any] = [problem.code(state, move) for move in problem.legal_moves(state)]
    except Exception:  # compiled, it did
        return []
    parts = [code for code in codes if has_fraction(code)]
    if not parts:
        return []
    return [
        f"code() returned {parts[0]}, and a code is a whole number: what stands after the point is "
        "lost, and moves that differ by it alone are one to a search"
    ]


def _finder(search: Search | None) -> dict[str, Any]:
    """What a search that tries several things says of its best sequence."""
    if not isinstance(search, Portfolio):
        return {}
    algorithm, playouts = search.found_by()
    return {"found_by": algorithm.text(), "found_at": playouts}


def _faults(problem: Problem, moves: np.ndarray, score: float, found: float) -> list[str]:
    """Why a result is not verified; nothing if it is. What verify() raises costs no result."""
    if score != found:
        return [f"the search saw {found:.10g}; playout check looks for what differs"]
    try:
        again = problem.verify(moves)
    except Exception as error:
        return [f"verify() failed: {fault_line(error)}"]
    return [] if agree(again, found) else [f"verify() returned {again!r}"]


def _replayed(problem: Problem, moves: np.ndarray) -> tuple[np.ndarray, list[str], list[str]]:
    """The final state, the moves as texts, and what is wrong with these."""
    texts: list[str] = []
    try:
        end = problem.replay(moves, texts=texts)
        fault = next((f"it returned {text!r}" for text in texts if not isinstance(text, str)), "")
    except PlayoutError:
        raise
    except Exception as error:
        end, fault = problem.replay(moves), fault_line(error)
    if not fault:
        return end, texts, []
    plain = [Visible.move_text(problem, None, move) for move in moves]
    return end, plain, [f"move_text() failed: {fault}"]


def _texts(problem: Problem, moves: np.ndarray) -> list[str]:
    state = problem.root()
    texts = []
    for move in moves:
        texts.append(problem.move_text(state[0], move))
        problem.play(state[0], move)
    return texts


def _solutions(run: Driver, problem: Problem, best: int) -> list[Solution]:
    """The best solutions, each replayed."""
    found = []
    for _, moves in best_solutions([worker.search for worker in run.workers], best):
        end, texts, _ = _replayed(problem, moves)
        score, records = problem.final_score(end), moves_to_lists(moves)
        found.append(Solution(score=score, moves=texts, records=records))
    return found
