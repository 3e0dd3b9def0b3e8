"""The part of `check_problem` that compares, plain and compiled, what a player does not know."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.check.trace import Findings, Trace
from playout.check.values import close, difference
from playout.check.veiled import owns
from playout.compiled import friendly, kernel, wrapping
from playout.errors import PlayoutError

GAMES = 3  # whose positions are compared
MOST_OUTCOMES = 12  # that are compared with each other


@kernel
def _redraw(problem, world, player, rng):
    problem.redraw(world[0], player, rng)


@kernel
def _views(problem, state, moves, player, names):
    """The view of a player, then the names of some moves as he sees them."""
    names[0] = np.uint64(problem.view_key(state[0], player))
    for i in range(len(moves)):
        names[1 + i] = np.uint64(problem.seen(state[0], moves[i], player))


@kernel
def _outcome(problem, state, player, outs):
    problem.outcome(state[0], player, outs[0])


@kernel
def _order(problem, outs, low, high, better, worth):
    for i in range(len(outs)):
        worth[i] = problem.worth(outs[i], low, high)
        for j in range(len(outs)):
            better[i, j] = problem.better(outs[i], outs[j])


def compare_veil(problem: Any, traces: list[Trace], findings: Findings) -> None:
    """Draw worlds, name views and compare outcomes in both forms; a difference is a finding."""
    outcomes = problem.chance or owns(problem, "outcome", "better", "worth")
    try:
        said = ""
        for trace in traces[:GAMES] if problem.hidden or problem.chance else []:
            said = said or _compare_worlds(problem, trace)
        if outcomes and not said:
            said = _compare_outcomes(problem, traces[:GAMES])
    except PlayoutError as error:
        findings.add("compiled code fails", str(error))
        return
    if said:
        findings.add("compiled code differs from plain Python", said)


def _compare_worlds(problem: Any, trace: Trace) -> str:
    for i, states in enumerate(trace.states):
        where = f"game {trace.number}, move {i + 1}"
        player = trace.turns[i] if i < len(trace.turns) else 0
        worlds = []
        for call in (_redraw.py_func, _redraw):
            world, rng = states.copy(), np.array([1 + i + 1000 * trace.number], np.uint64)
            with wrapping(), friendly():
                call(problem, world, player, rng)
            worlds.append(world)
        if said := difference(worlds[0], worlds[1], "state", rounding=True):
            return f"{where}: after redraw(), {said}, plain and compiled"
        if not problem.hidden:
            continue
        moves = trace.moves[i]
        names = np.zeros((2, 1 + len(moves)), np.uint64)
        with wrapping(), friendly():
            _views.py_func(problem, states.copy(), moves, player, names[0])
            _views(problem, states.copy(), moves, player, names[1])
        for j in np.flatnonzero(names[0] != names[1]):
            method = "seen" if j else "view"
            return (
                f"{where}: {method}() is {names[0, j]} in plain Python and {names[1, j]} compiled; "
                "where fields are narrower than 64 bits, plain Python has no room for what is made "
                "of them: playout.contract.stir puts numbers together"
            )
    return ""


def _compare_outcomes(problem: Any, traces: list[Trace]) -> str:
    known: dict[bytes, np.ndarray] = {}
    for trace in traces:
        for i, states in enumerate(trace.states):
            for player in range(problem.players):
                outs = [np.zeros(1, problem.outcome_type) for _ in range(2)]
                for call, out in zip((_outcome.py_func, _outcome), outs):
                    with wrapping(), friendly():
                        call(problem, states.copy(), player, out)
                if said := difference(outs[0], outs[1], "out", rounding=True):
                    where = f"game {trace.number}, move {i + 1}"
                    return f"{where}: after outcome(), {said}, plain and compiled"
                if len(known) < MOST_OUTCOMES:
                    known.setdefault(outs[0].tobytes(), outs[0])
    outs = list(known.values())
    if not outs:
        return ""
    all_outs = np.concatenate(outs)
    low, high = float(all_outs["score"].min()), float(all_outs["score"].max())
    better = np.zeros((2, len(outs), len(outs)), np.int64)
    worth = np.zeros((2, len(outs)))
    with wrapping(), friendly():
        _order.py_func(problem, all_outs, low, high, better[0], worth[0])
        _order(problem, all_outs, low, high, better[1], worth[1])
    if not np.array_equal(better[0], better[1]):
        return "better() answers otherwise compiled than in plain Python"
    if not all(close(a, b) for a, b in zip(*worth)):
        return "worth() is another number compiled than in plain Python"
    return ""
