"""The arrays of alpha-mu: a frame for each move on the way, fronts, and the table of positions."""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, record
from playout.worlds.fronts import all_worlds, words_for

# a new position, a leaf that waits for its answer, one that has it, a front to take in
ENTER, ASK, ANSWERED, TAKE = 0, 1, 2, 3
RUNNING, DONE, WAITING, ROOM = 0, 1, 2, 3
TOO_MANY_MOVES, ENDS_APART = -1, -10  # others below 0 are those of `playout.solvers.step_status`
NO_MOVE = -1

HEAD = record(
    rounds="i8",  # M of the round that is under way, the most, and of the last one finished
    most="i8",
    finished="i8",
    depth="i8",
    phase="i1",
    outside="i1",  # leaves are answered from outside
    table="i1",  # the options
    root_cut="i1",
    early_cut="i1",
    late_cut="i1",
    lost="i1",
    whole="i1",  # every root move is searched without a cut
    count="i8",  # vectors of the front that was just found
    previous="i8",  # worlds won by the best root move of the last round
    leaves="i8",
    questions="i8",
    nodes="i8",
    cuts="i8",
    widest="i8",
    entries="i8",  # of the table, and vectors in its pool
    pooled="i8",
)

FRAME = record(
    kind="i1",
    left="i1",  # Max's moves to go
    moves="i8",
    tried="i8",
    count="i8",  # vectors of its front
    begun="i1",  # whether it has a front yet
    best="i8",  # the best move, by name, and the worlds it wins
    top="i8",
    key="u8",
)

# left: Max's moves to go when the front was found; -1: it is only known to be no better
ENTRY = record(key="u8", place="i8", count="i4", left="i1", best="i8")


class AlphaMu(Compiled):
    """The stack from the root to where the search is, the table, and what the rounds have found.

    `root_wins[m, i]` is in how many worlds root move i wins by the round of M = m, or -1 if that
    round has not searched it; `root_names` are the moves, in the order of `Positions`, and
    `root_best[m]` the name of the best.
    """

    fields = (
        *("head", "frames", "possible", "alive", "fronts", "legal", "names", "order"),
        *("found", "spare_front", "spare", "answer", "root_wins", "root_names", "root_best"),
        *("entries", "possible_of", "alive_of", "pool"),
    )

    def __init__(self, worlds: int, depth: int, moves: int, most: int, **options: bool) -> None:
        words = words_for(worlds)
        self.worlds, self.words = worlds, words
        self.head = np.zeros(1, HEAD)
        for name in ("table", "root_cut", "early_cut", "late_cut", "lost", "whole", "outside"):
            self.head[0][name] = options.get(name, name not in ("whole", "outside"))
        self.frames = np.zeros(depth + 1, FRAME)
        self.possible = np.zeros((depth + 1, words), np.uint64)
        self.alive = np.zeros((depth + 1, words), np.uint64)
        self.fronts = np.zeros((depth + 1, 8, words), np.uint64)
        self.legal = np.zeros((depth + 1, moves, words), np.uint64)
        self.names = np.zeros((depth + 1, moves), np.int64)
        self.order = np.zeros((depth + 1, moves), np.int64)
        self.found = np.zeros((8, words), np.uint64)
        self.spare_front = np.zeros((8, words), np.uint64)
        self.spare = np.zeros(words, np.uint64)
        self.answer = np.zeros(words, np.uint64)
        self.root_wins = np.full((most + 1, moves), -1, np.int64)
        self.root_names = np.zeros(moves, np.int64)
        self.root_best = np.full(most + 1, NO_MOVE, np.int64)
        size = 1 << 10
        self.entries = np.zeros(size, ENTRY)
        self.possible_of = np.zeros((size, words), np.uint64)
        self.alive_of = np.zeros((size, words), np.uint64)
        self.pool = np.zeros((4 * size, words), np.uint64)
        self.begin(most)

    def begin(self, most: int) -> None:
        """Search another root: all that was found is forgotten."""
        head = self.head[0]
        for name in ("finished", "leaves", "questions", "nodes", "cuts", "widest"):
            head[name] = 0
        head.entries = head.pooled = 0
        head.most, head.rounds, head.previous = most, 1 if head.table else most, -1
        head.depth, head.phase = 0, ENTER
        self.entries["count"] = 0
        self.root_wins[:] = -1
        self.root_best[:] = NO_MOVE
        self.frames[0].left = head.rounds
        self.possible[0] = self.alive[0] = all_worlds(self.worlds)

    def grow(self) -> None:
        """Make room: for longer fronts, and for more entries if the table is full."""
        if self.head[0].entries * 4 > 3 * len(self.entries):
            self._grow_table()
        elif self.head[0].pooled + self.fronts.shape[1] > len(self.pool):
            self.pool = np.concatenate([self.pool, np.zeros_like(self.pool)])
        else:
            self.fronts = np.concatenate([self.fronts, np.zeros_like(self.fronts)], axis=1)
            self.found = np.concatenate([self.found, np.zeros_like(self.found)])
            self.spare_front = np.zeros_like(self.found)

    def _grow_table(self) -> None:
        old, possible, alive = self.entries, self.possible_of, self.alive_of
        self.entries = np.zeros(2 * len(old), ENTRY)
        self.possible_of = np.zeros((2 * len(old), self.words), np.uint64)
        self.alive_of = np.zeros_like(self.possible_of)
        mask = len(self.entries) - 1
        for i in np.flatnonzero(old["count"]):
            slot = int(old[i].key) & mask
            while self.entries[slot].count:
                slot = (slot + 1) & mask
            self.entries[slot] = old[i]
            self.possible_of[slot], self.alive_of[slot] = possible[i], alive[i]
