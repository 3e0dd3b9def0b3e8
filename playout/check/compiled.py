"""The part of `check_problem` that plays the same games compiled and compares.

One kernel plays a whole game from the same random numbers and writes down what the plain
game wrote down. It runs only after plain Python has found nothing wrong, and it checks each number
of moves before it uses it, so that a problem which breaks its promise harms nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.check.plain import MOST_CODES, WORD
from playout.check.trace import Findings, Trace
from playout.check.values import close, difference
from playout.compiled import friendly, in_place, kernel
from playout.contract import Problem
from playout.errors import PlayoutError

MOST_TRANSFORMED = 3  # games whose states are compared under each symmetry
SLACK = 64  # room for moves beyond max_moves, so that a broken promise is found out in time


@kernel
def _play(problem, choices, states, legal, counts, moves, codes, biases, features, keys, turns):
    """Play one game; the number of moves, or -1 if it offers too many or is too long."""
    most = len(legal) - SLACK
    length = 0
    problem.reset(states[0])
    while True:
        state = states[length]
        n = problem.moves(state, legal)
        counts[length] = n
        keys[length] = np.uint64(problem.key(state))
        if n == 0:
            return length
        if n < 0 or n > most or length == len(choices):
            return -1
        turns[length] = problem.turn(state)
        for i in range(min(n, moves.shape[1])):
            moves[length, i] = legal[i]
        for i in range(min(n, codes.shape[1])):
            codes[length, i] = np.uint64(problem.code(state, legal[i]))
            biases[length, i] = problem.bias(state, legal[i])
            features[length, i] = np.uint64(problem.features(state, legal[i]))
        k = int(choices[length] * n)
        states[length + 1] = state
        length += 1
        problem.play(states[length], legal[k])


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
    most = max(trace.counts)
    length = len(trace.chosen)
    room = length + 1  # a compiled game that goes on longer ends with -1
    wide = min(most, MOST_CODES)
    states = problem.new_states(room + 1)
    legal = np.zeros(problem.max_moves + SLACK, problem.move_type)
    counts = np.zeros(room + 1, np.int64)
    moves = np.zeros((room + 1, most), problem.move_type)
    codes = np.zeros((room + 1, wide), np.uint64)
    biases = np.zeros((room + 1, wide))
    features = np.zeros((room + 1, wide), np.uint64)
    keys = np.zeros(room + 1, np.uint64)
    turns = np.zeros(room + 1, np.int64)
    choices = trace.choices[:room]
    with friendly():
        played = _play(problem, choices, states, legal, counts, moves, codes, biases, features,
                       keys, turns)  # fmt: skip
    for i in range(length + 1):
        where = f"game {trace.number}, move {i + 1}"
        if said := difference(trace.states[i], states[i : i + 1], "state", rounding=True):
            before = f"after move {i}" if i else "after reset()"
            return f"game {trace.number}, {before}: {said}, plain and compiled"
        n = trace.counts[i]
        if counts[i] != n:
            return f"{where}: moves() returned {n} in plain Python and {counts[i]} compiled"
        for j in range(n):
            plain, found = trace.moves[i][j : j + 1], moves[i, j : j + 1]
            if said := difference(plain, found, f"moves[{j}]", rounding=True):
                return f"{where}: {said}, plain and compiled"
        if keys[i] != trace.keys[i]:
            return f"{where}: key() is {trace.keys[i]} in plain Python and {keys[i]} compiled"
        if n == 0:
            break
        if turns[i] != trace.turns[i]:
            return f"{where}: turn() is {trace.turns[i]} in plain Python and {turns[i]} compiled"
        for j, (code, bias) in enumerate(zip(trace.codes[i], trace.biases[i], strict=True)):
            if int(codes[i, j]) != code % WORD:
                return f"{where}: code() is {code} in plain Python and {codes[i, j]} compiled"
            if not close(biases[i, j], bias):
                return f"{where}: bias() is {bias} in plain Python and {biases[i, j]} compiled"
            feature = trace.features[i][j]
            if int(features[i, j]) != feature:
                both = f"{feature} in plain Python and {features[i, j]} compiled"
                return f"{where}: features() is {both}"
    if played != length:
        return f"game {trace.number}: the game has {length} moves in plain Python, more compiled"
    return _compare_symmetries(problem, trace) or _compare_rewards(problem, trace)


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
            with np.errstate(all="ignore"):
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
            return (
                f"game {trace.number}, at the end: {name}() is {plain} in plain Python and "
                f"{compiled} compiled"
            )
    return ""
