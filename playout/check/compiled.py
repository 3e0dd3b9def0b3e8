"""The part of `check_problem` that plays the same games compiled and compares.

One kernel plays a whole game from the same random numbers and writes down what the plain
game wrote down. It runs only after plain Python has found nothing wrong, and it checks each number
of moves before it uses it, so that a problem which breaks its promise harms nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.check.narrow import why_played_so, why_scored_so, why_so_many
from playout.check.plain import MOST_CODES
from playout.check.plain_calls import WORD
from playout.check.trace import Findings, Trace
from playout.check.values import close, difference
from playout.compiled import Compiled, friendly, in_place, kernel
from playout.contract import Problem, most_moves, room_for_moves
from playout.errors import PlayoutError

MOST_TRANSFORMED = 3  # games whose states are compared under each symmetry


class CompiledTrace(Compiled):
    """What a compiled game writes down, in an entry of each array for each position."""

    fields = (
        "legal",
        "states",
        "counts",
        "moves",
        "codes",
        "biases",
        "features",
        "keys",
        "turns",
        "dealt",
    )

    def __init__(self, problem: Any, length: int, most: int) -> None:
        wide = min(most, MOST_CODES)
        self.legal = problem.new_moves(room_for_moves(problem.max_moves))
        self.states = problem.new_states(length)
        self.counts = np.zeros(length, np.int64)
        self.moves = np.zeros((length, most), problem.move_type)
        self.codes = np.zeros((length, wide), np.uint64)
        self.biases = np.zeros((length, wide))
        self.features = np.zeros((length, wide), np.uint64)
        self.keys = np.zeros(length, np.uint64)
        self.turns = np.zeros(length, np.int64)
        self.dealt = False  # whether the first state is there already


@kernel
def _play(problem, choices, trace):
    """Play one game; the number of moves, or -1 if it offers too many or is too long."""
    legal = trace.legal
    most = most_moves(legal)
    length = 0
    if not trace.dealt:
        problem.reset(trace.states[0])
    while True:
        state = trace.states[length]
        n = problem.moves(state, legal)
        trace.counts[length] = n
        trace.keys[length] = np.uint64(problem.key(state))
        if n == 0:
            return length
        if n < 0 or n > most or length == len(choices):
            return -1
        trace.turns[length] = problem.turn(state)
        for i in range(min(n, trace.moves.shape[1])):
            trace.moves[length, i] = legal[i]
        for i in range(min(n, trace.codes.shape[1])):
            trace.codes[length, i] = np.uint64(problem.code(state, legal[i]))
            trace.biases[length, i] = problem.bias(state, legal[i])
            trace.features[length, i] = np.uint64(problem.features(state, legal[i]))
        k = int(choices[length] * n)
        trace.states[length + 1] = state
        length += 1
        problem.play(trace.states[length], legal[k])


@kernel
def _reward(problem, state, rewards):
    for player in range(len(rewards)):
        rewards[player] = problem.reward(state[0], player)


@kernel
def _transform(problem, state, move, symmetries, states, moves):
    for symmetry in range(symmetries):
        problem.transform(state[0], symmetry, states[symmetry])
        problem.transform_move(move[0], symmetry, in_place(moves, symmetry))


def compare_compiled(problem: Any, traces: list[Trace], findings: Findings) -> None:
    """Play the games of `traces` compiled; the first difference is a finding."""
    for trace in traces:
        try:
            said = _compare(problem, trace)
        except PlayoutError as error:
            findings.add("compiled code fails", str(error))
            return
        if said:
            findings.add("compiled code differs from plain Python", said)
            return


def _compare(problem: Any, trace: Trace) -> str:
    length = len(trace.chosen)
    room = length + 1  # a compiled game that goes on longer ends with -1
    found = CompiledTrace(problem, room + 1, max(trace.counts))
    if trace.dealt:
        found.dealt, found.states[:1] = True, trace.states[0]
    with friendly():
        played = _play(problem, trace.choices[:room], found)
    for i in range(length + 1):
        if said := _compare_position(problem, trace, found, i):
            return said
    if played != length:
        return f"game {trace.number}: the game has {length} moves in plain Python, more compiled"
    return _compare_symmetries(problem, trace) or _compare_rewards(problem, trace)


def _compare_position(problem: Any, trace: Trace, found: CompiledTrace, i: int) -> str:
    state, theirs = trace.states[i], found.states[i : i + 1]
    if said := difference(state, theirs, "state", rounding=True):
        before = f"after move {i}" if i else "after reset()"
        why = why_played_so(problem, trace.states[i - 1], trace.chosen[i - 1], theirs) if i else ""
        return f"game {trace.number}, {before}: {said}, plain and compiled{why}"
    where, n = f"game {trace.number}, move {i + 1}", trace.counts[i]
    if found.counts[i] != n:
        why = why_so_many(problem, state, found.counts[i])
        return f"{where}: moves() returned {n} in plain Python and {found.counts[i]} compiled{why}"
    for j in range(n):
        plain, compiled = trace.moves[i][j : j + 1], found.moves[i, j : j + 1]
        if said := difference(plain, compiled, f"moves[{j}]", rounding=True):
            return f"{where}: {said}, plain and compiled"
    values: list[tuple[str, Any, Any]] = []
    if not difference(state, theirs):  # a number of other last bits has another hash
        values.append(("key", trace.keys[i], found.keys[i]))
    if n:
        values.append(("turn", trace.turns[i], found.turns[i]))
        for j, code in enumerate(trace.codes[i]):
            if not difference(trace.moves[i][j : j + 1], found.moves[i, j : j + 1]):
                values.append(("code", code % WORD, found.codes[i, j]))
            values.append(("bias", trace.biases[i][j], found.biases[i, j]))
            values.append(("features", trace.features[i][j], found.features[i, j]))
    for method, one, other in values:
        if one != other and not (method == "bias" and close(one, other)):
            return f"{where}: {method}() is {one} in plain Python and {other} compiled"
    return ""


def _compare_symmetries(problem: Any, trace: Trace) -> str:
    number = int(problem.symmetries)
    if number == 1 or trace.number > MOST_TRANSFORMED:
        return ""
    states, moves = problem.new_states(number), problem.new_moves(number)
    one_state, one_move = problem.new_states(1), problem.new_moves(1)
    for i, (state, move) in enumerate(zip(trace.states, trace.chosen, strict=False)):
        with friendly():
            _transform(problem, state.copy(), move.copy(), number, states, moves)
        for symmetry in range(number):
            where = f"game {trace.number}, move {i + 1}, symmetry {symmetry}"
            problem.transform(state[0], symmetry, one_state[0])
            problem.transform_move(move[0], symmetry, in_place(one_move, 0))
            state_there, move_there = states[symmetry:][:1], moves[symmetry:][:1]
            if said := difference(one_state, state_there, "state", rounding=True):
                return f"{where}: after transform(), {said}, plain and compiled"
            if said := difference(one_move, move_there, "move", rounding=True):
                return f"{where}: after transform_move(), {said}, plain and compiled"
    return ""


def _compare_rewards(problem: Any, trace: Trace) -> str:
    if not trace.rewards:  # `evaluate` is plain Python in any case
        return ""
    rewards = np.zeros(len(trace.rewards))
    with friendly():
        _reward(problem, trace.states[-1].copy(), rewards)
    name = "score" if isinstance(problem, Problem) else "reward"
    for plain, compiled in zip(trace.rewards, rewards, strict=True):
        if not close(plain, float(compiled)):
            why = why_scored_so(problem, trace.states[-1], compiled) if name == "score" else ""
            return (
                f"game {trace.number}, at the end: {name}() is {plain} in plain Python and "
                f"{compiled} compiled{why}"
            )
    return ""
