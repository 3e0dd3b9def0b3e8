"""Leaf parallelism: the playouts of one batch shared out among threads.

All playouts of a batch use the same policies and have random streams of their own, so who plays
which does not matter: the result is that of one thread, bit for bit. The threads stay in compiled
code for a whole step and meet at counters that are read and changed atomically.

T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, section 3.10.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from playout.algorithms.search import (
    BAD_SCORE,
    FINE,
    LEARN,
    PLAN,
    PLAY,
    ROOM,
    Search,
    begin_batch,
    note_playout,
    play_slot,
)
from playout.compiled import helper, kernel
from playout.compiled.atomics import fetch_add, load, pause, store
from playout.contract import Problem

# Places in the control array, a cache line apart. NEXT and LIMIT hold a batch number times ROUND
# plus a slot, so that a thread that comes late from one batch cannot take a slot of the next.
NEXT, LIMIT, FINISHED, OVER, STATUS, FIRST = 0, 8, 16, 24, 32, 40
ROUND = 2**32
CRASHED = -100


class LeafTeam:
    """Steps of one search by several threads."""

    def __init__(self, problem: Problem, threads: int) -> None:
        self._problem = problem
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="leaf")

    def __call__(self, search: Search, playouts: int) -> int:
        control = np.zeros(48, np.int64)
        helpers = [self._pool.submit(self._help, search, control) for _ in range(self._threads - 1)]
        try:
            status = int(lead_step(search, self._problem, control, playouts))
        finally:
            control[OVER] = 1
            for future in helpers:
                future.result()
        return status

    def _help(self, search: Search, control: np.ndarray) -> None:
        try:
            help_step(search, self._problem, control)
        except BaseException:
            control[STATUS] = CRASHED  # the leader must not wait for this thread
            raise


@helper
def _share(search, problem, control):
    """Play slots of the current batch until none is left."""
    while True:
        ticket = fetch_add(control, NEXT, 1)
        limit = load(control, LIMIT)
        if ticket >= limit or ticket // ROUND != limit // ROUND:
            return
        slot = ticket % ROUND
        status = play_slot(search, problem, slot, control[FIRST] + slot)
        if status == FINE:
            search.scores[slot] = problem.score(search.states[slot])
            if search.scores[slot] != search.scores[slot]:
                status = BAD_SCORE
        if status != FINE:
            store(control, STATUS, status)
        fetch_add(control, FINISHED, 1)


@kernel
def help_step(search, problem, control):
    """A helping thread: play slots of every batch until the step is over."""
    while load(control, OVER) == 0:
        ticket, limit = load(control, NEXT), load(control, LIMIT)
        if ticket < limit and ticket // ROUND == limit // ROUND:
            _share(search, problem, control)
        else:
            pause()


@kernel
def lead_step(search, problem, control, playouts):
    """The leading thread: as `step`, with the playouts of each batch shared out."""
    head = search.head[0]
    left = playouts
    number = 0
    while True:
        if head.phase == PLAN:
            begin_batch(search, problem)
        if head.phase == PLAY:
            if left == 0 or head.best_score >= head.target:
                return FINE
            number += 1
            first, last = head.played, min(head.batch, head.played + left)
            control[FIRST] = head.playouts - first
            store(control, FINISHED, 0)
            # the limit first: a thread that takes a slot of this batch must see that it may
            store(control, LIMIT, number * ROUND + last)
            store(control, NEXT, number * ROUND + first)
            _share(search, problem, control)
            while load(control, FINISHED) < last - first and load(control, STATUS) == FINE:
                pause()
            if load(control, STATUS) != FINE:
                return load(control, STATUS)
            while head.played < last:
                if head.best_score >= head.target:
                    return FINE  # what was played beyond the target counts for nothing
                head.begun += 1
                note_playout(search, head.played)
                left -= 1
            if head.played < head.batch:
                continue
            head.phase = LEARN
        if not search.learn(problem):
            return ROOM
        head.phase = PLAN
