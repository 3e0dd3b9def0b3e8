"""The compiled part of self-play: what the threads of a team do with its games, round after round.

A round begins and ends by numbers in memory that the threads watch, a cache line apart;
`self_play.py` directs them. In a round each slot of a team plays its game until it needs a
prediction or has had its turn; a game that is over is written down, and the next that is to be
played gets its slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.algorithms.search import BAD_SCORE, FINE, WAIT
from playout.compiled import Compiled, helper, kernel
from playout.compiled.atomics import fetch_add, load, nap, pause, store
from playout.compiled.random import stream_of
from playout.contract import Problem
from playout.learn.policy_iteration.policy_search import IDLE

# where the numbers that threads share are: those of all teams, and those of each
TICKET, FINISHED, PLAYOUTS = 0, 8, 16
ROUND, NEXT, DONE, STATUS = 0, 8, 16, 24
OVER = -1  # the last round
SHARE = 8  # games that a thread takes at once
SPINS = 200  # looks at the next round before a nap


@dataclass(eq=False)
class Games(Compiled):
    """Games: `moves` are the network's outputs, `lengths` of them; -1 for a game that is not over.

    Of a game that was suspended, `prefixes` moves were committed and `known` are there in all.
    """

    fields = ("numbers", "lengths", "moves", "scores", "prefixes", "known")

    numbers: np.ndarray
    lengths: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    prefixes: np.ndarray
    known: np.ndarray

    @classmethod
    def empty(cls, problem: Problem, numbers: np.ndarray) -> Games:
        """Room for the games of these numbers."""
        n = len(numbers)
        lengths, prefixes, known = (np.full(n, value, np.int32) for value in (-1, 0, 0))
        moves = np.zeros((n, problem.max_length), np.uint16)
        numbers = np.ascontiguousarray(numbers, np.int64)
        return cls(numbers, lengths, moves, np.zeros(n), prefixes, known)


class GamesToPlay(Compiled):
    """Which of some games are to be played, and what the threads of all teams count.

    - `entries`: where these games are in `Games`; `counters`: how many have begun and are over,
      and the playouts;
    - `seed`: of all of them, an array of one; `blank`: a state of zeros, an array of one;
    - `turn`: playouts that a game plays at most before the others' turn.
    """

    fields = ("entries", "counters", "seed", "blank", "turn")

    def __init__(self, problem: Problem, turn: int) -> None:
        self.entries = np.zeros(0, np.int64)
        self.counters = np.zeros(32, np.int64)
        self.seed = np.zeros(1, np.uint64)
        self.blank = problem.new_states(1)
        self.turn = turn


class Team(Compiled):
    """Games that are played and evaluated together, each in a slot of the search.

    - `entries`: where the game of each slot is in `Games`, -1 for none;
    - `control`: the numbers by which rounds begin and end.

    `batch` is what the device computes for them.
    """

    fields = ("entries", "control")

    def __init__(self, search: Any, threads: int, slots: int) -> None:
        self.search, self.threads = search, threads
        self.entries = np.full(slots, -1, np.int64)
        self.control = np.zeros(32, np.int64)
        self.batch: Any = None

    def is_done(self) -> bool:
        """Whether the threads have ended their round."""
        return bool(self.control[DONE] == self.threads)


@kernel
def begin_round(control):
    """Let a team's threads play a round."""
    store(control, NEXT, 0)
    store(control, DONE, 0)
    fetch_add(control, ROUND, 1)


@kernel
def end_rounds(control):
    """Let a team's threads go when they have ended their round."""
    store(control, ROUND, OVER)


@kernel
def attend(search, problem, games, to_play, team):
    """Play round after round of a team, with its other threads, until they are over."""
    seen = 0
    control, slots = team.control, len(team.entries)
    while True:
        spins = 0
        now = load(control, ROUND)
        while now == seen:
            spins += 1
            if spins < SPINS:
                pause()
            else:
                nap()
            now = load(control, ROUND)
        if now == OVER:
            return
        seen = now
        while True:
            first = fetch_add(control, NEXT, SHARE)
            if first >= slots:
                break
            for slot in range(first, min(first + SHARE, slots)):
                status = play_on(search, problem, games, to_play, team, slot)
                if status < FINE:
                    store(control, STATUS, status)
        fetch_add(control, DONE, 1)


@helper
def play_on(search, problem, games, to_play, team, slot):
    """Play a game until it waits for a prediction, has had its turn, or there are no more games.

    A game that is over is written down and the next one gets its slot.
    """
    if search.lanes[slot].asked:
        search.answer(slot)
    counters = to_play.counters
    left = to_play.turn
    while left > 0:
        if team.entries[slot] < 0:
            ticket = fetch_add(counters, TICKET, 1)
            if ticket >= len(to_play.entries):
                break
            entry = to_play.entries[ticket]
            team.entries[slot] = entry
            deal(search, problem, slot, to_play, games.numbers[entry])
            resume(search, problem, slot, games, entry)
        status, played = play_game(search, problem, slot, left)
        fetch_add(counters, PLAYOUTS, played)
        left -= played
        if status < FINE:
            return status
        if status == WAIT or left == 0:
            break
        entry = team.entries[slot]
        write_down(search, problem, slot, to_play, games, entry)
        games.scores[entry] = problem.score(search.states[slot])
        team.entries[slot] = -1
        # whoever sees the length sees all that was written before
        fetch_add(counters, FINISHED, 1)
        games.lengths[entry] = search.games[slot].prefix
    return FINE


@helper
def deal(search, problem, slot, to_play, number):
    """Begin the game of a number from its random start."""
    search.luck[slot] = stream_of(to_play.seed[0], number)
    search.here[slot] = to_play.blank[0]
    problem.draw(search.here[slot], search.luck[slot : slot + 1])
    search.rng[slot] = stream_of(search.luck[slot], number)
    search.restart(slot)
    search.lanes[slot].phase = IDLE


@helper
def resume(search, problem, slot, games, entry):
    """Play the moves that a suspended game had committed, and know its best playout again."""
    prefix, known, outputs = games.prefixes[entry], games.known[entry], games.moves[entry]
    walk, legal = search.games[slot], search.moves[slot]
    search.states[slot] = search.here[slot]
    state = search.states[slot]
    for i in range(known):
        n = problem.moves(state, legal)
        m = 0
        while m < n - 1 and problem.output(state, legal[m]) != outputs[i]:
            m += 1
        search.finest[slot, i] = legal[m]
        problem.play(state, search.finest[slot, i])
        if i < prefix:
            search.committed[slot, i] = search.finest[slot, i]
            problem.play(search.here[slot], search.finest[slot, i])
            walk.prefix += 1
    if known > prefix:
        walk.best_score = problem.score(state)
        walk.best_length = known
        walk.equals = 1
    walk.over = problem.moves(search.here[slot], legal) == 0


@kernel
def suspend(search, problem, games, to_play, team):
    """Write down the games that are not over: what is committed, and the best playout."""
    for slot in range(len(team.entries)):
        entry, walk = team.entries[slot], search.games[slot]
        if entry < 0:
            continue
        count = walk.best_length if search.options[0].best else walk.prefix
        if count <= 0:
            continue
        moves = search.finest[slot] if search.options[0].best else search.committed[slot]
        state = start_of(search, problem, slot, to_play, games.numbers[entry])
        for i in range(count):
            games.moves[entry, i] = problem.output(state, moves[i])
            problem.play(state, moves[i])
        games.prefixes[entry] = walk.prefix
        games.known[entry] = count


@helper
def play_game(search, problem, slot, most):
    """Play on with a game, at most so many playouts; FINE at its end, else WAIT, and how many."""
    walk = search.games[slot]
    played = 0
    while not walk.over and played < most:
        if search.lanes[slot].phase == IDLE:
            search.descend(problem, slot, slot)
        status = search.playout(problem, slot)
        if status != FINE:
            return status, played
        score = problem.score(search.states[slot])
        if score != score:
            return BAD_SCORE, played
        search.take(slot, slot, score)
        played += 1
        if search.is_enough(slot):
            search.commit(problem, slot)
    return (FINE if walk.over else WAIT), played


@helper
def write_down(search, problem, slot, to_play, games, entry):
    """Play the game's moves again from its start: the outputs they are, and the final state."""
    state = start_of(search, problem, slot, to_play, games.numbers[entry])
    for i in range(search.games[slot].prefix):
        games.moves[entry, i] = problem.output(state, search.committed[slot, i])
        problem.play(state, search.committed[slot, i])


@helper
def start_of(search, problem, slot, to_play, number):
    """The random start of the game of a number, in the slot's state."""
    search.luck[slot] = stream_of(to_play.seed[0], number)
    search.states[slot] = to_play.blank[0]
    problem.draw(search.states[slot], search.luck[slot : slot + 1])
    return search.states[slot]
