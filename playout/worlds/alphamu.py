"""alpha-mu as data and a step (T. Cazenave and V. Ventos, The alpha-mu Search Algorithm for the
Game of Bridge, Algorithm 2).

Max plays the same moves in all worlds that he cannot tell apart, Min sees all cards. M counts Max's
moves: after the last of them every world that is still possible is a question of its own, to a
solver that sees all cards. Iterative deepening raises M; each round keeps for the next what it has
found, in a table of positions and the worlds that are possible there.

What the paper leaves open:

- the key of the table tells who played each card, and which worlds are possible;
- line 10 returns the empty set for a front that is dominated; here it is the front, to the same
  effect;
- a world that was lost in an earlier round stays lost (`lost`): it is not asked about again. A node
  is left when its front can change no more: Min's when it is lost in all worlds, Max's when it
  wins all that are not lost;
- a Min node is left as soon as what is left of its front is dominated by Max's (`late_cut`);
- a front that was found in the same round, behind the same cards in another order, is taken.

The positions of a game, with the moves that are legal in each world, are those of a `Positions`.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper, kernel, record
from playout.compiled.records import mix
from playout.worlds.fronts import (
    NO_ROOM,
    all_worlds,
    any_covers,
    copy_front,
    copy_vector,
    covers,
    front_covers,
    is_empty,
    join,
    meet,
    most_wins,
    unite,
    wins,
    words_for,
)
from playout.worlds.positions import APART, MAX, MIN, Positions

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


@kernel
def step(search, positions, tools, leaves):
    """Search until so many leaves were answered in all, or it is DONE, WAITING or short of ROOM."""
    head = search.head[0]
    while head.leaves < leaves:
        if head.phase == ENTER:
            status = enter(search, positions, tools)
        elif head.phase == ASK:
            if head.outside:
                return WAITING
            status = answer_leaf(search, positions, tools)
            if status == RUNNING:
                take_answer(search)
        elif head.phase == ANSWERED:
            status = take_answer(search)
        else:
            status = take(search, positions, tools)
        if status != RUNNING:
            return status
    return RUNNING


@helper
def enter(search, positions, tools):
    """Look at a new position: it is settled, a leaf, known well enough, or its moves are tried."""
    head = search.head[0]
    d = head.depth
    frame, possible, alive = search.frames[d], search.possible[d], search.alive[d]
    settled = positions.settled(tools, d, possible, search.found[0])
    if settled == APART:
        return ENDS_APART
    if settled and d > 0:
        leave(search, d, 1)
        return RUNNING
    if frame.left == 0:
        if is_empty(alive):
            copy_vector(alive, search.found[0])
            leave(search, d, 1)
            return RUNNING
        if head.table:
            if not has_room(search):
                return ROOM
            frame.key = positions.key(tools, d)
        head.phase = ASK
        return RUNNING
    known = -1
    if head.table:
        if not has_room(search):
            return ROOM
        frame.key = positions.key(tools, d)
        known = look_up(search, d)
    frame.kind = positions.kind(tools, d)
    # a front says nothing of worlds that were known to be lost where it was found
    if known >= 0 and d > 0 and covers(search.alive_of[known], alive):
        entry = search.entries[known]
        if entry.left >= frame.left:
            return leave_by_table(search, d, known)
        if head.lost:
            narrow(search, d, known)
        dominated = head.early_cut and frame.kind != MAX and has_bound(search, d)
        if dominated and is_dominated(search, d, search.pool[entry.place :], entry.count):
            head.cuts += 1
            return leave_by_table(search, d, known)
    n = positions.moves(tools, d, possible, search.legal[d], search.names[d])
    if n <= 0 or n > search.legal.shape[1]:
        return TOO_MANY_MOVES
    frame.moves = n
    for i in range(n):
        search.order[d, i] = i
    if known >= 0:
        best_first(search, d, n, search.entries[known].best)
    if d == 0 and head.finished == 0:
        for i in range(n):
            search.root_names[i] = search.names[0, i]
    frame.tried = 0
    frame.count = 0
    frame.begun = 0
    frame.best = NO_MOVE
    frame.top = -1
    head.nodes += 1
    descend(search, positions, tools, d)
    return RUNNING


@helper
def has_bound(search, d):
    """Whether the node before is Max's and has a front already that this one must get past."""
    before = search.frames[d - 1]
    return before.kind == MAX and before.begun and not (d == 1 and search.head[0].whole)


@helper
def is_dominated(search, d, front, count):
    """Whether all of a front is covered by that of Max, whose move has led here."""
    return front_covers(search.fronts[d - 1], search.frames[d - 1].count, front, count)


@helper
def best_first(search, d, n, name):
    """Try the move first that was best before; the others keep their order."""
    for i in range(n):
        if search.names[d, i] == name:
            for j in range(i, 0, -1):
                search.order[d, j] = search.order[d, j - 1]
            search.order[d, 0] = i
            return


@helper
def narrow(search, d, known):
    """Worlds that no vector of an earlier front wins are lost."""
    entry, spare = search.entries[known], search.spare
    for k in range(len(spare)):
        spare[k] = np.uint64(0)
        for i in range(entry.place, entry.place + entry.count):
            spare[k] |= search.pool[i, k]
        search.alive[d, k] &= spare[k]


@helper
def descend(search, positions, tools, d):
    """Go on to the position behind the next move."""
    head, frame = search.head[0], search.frames[d]
    i = search.order[d, frame.tried]
    frame.tried += 1
    positions.play(tools, d, i, search.legal[d, i])
    for k in range(search.possible.shape[1]):
        search.possible[d + 1, k] = search.legal[d, i, k]
        search.alive[d + 1, k] = search.alive[d, k] & search.legal[d, i, k]
    search.frames[d + 1].left = frame.left - 1 if frame.kind == MAX else frame.left
    head.depth = d + 1
    head.phase = ENTER


@helper
def answer_leaf(search, positions, tools):
    """Ask a solver about each world of a leaf; RUNNING, or what is wrong."""
    d = search.head[0].depth
    for k in range(len(search.answer)):
        search.answer[k] = np.uint64(0)
        for b in range(64):
            if search.alive[d, k] >> np.uint64(b) & np.uint64(1):
                won = positions.leaf(tools, d, 64 * k + b)
                if won < 0:
                    return won
                if won:
                    search.answer[k] |= np.uint64(1) << np.uint64(b)
    return RUNNING


@helper
def take_answer(search):
    """The answer of a leaf is there: its front has one vector."""
    head = search.head[0]
    d = head.depth
    head.leaves += 1
    head.questions += wins(search.alive[d])
    copy_vector(search.answer, search.found[0])
    head.count = 1
    search.frames[d].best = NO_MOVE
    if head.table:
        keep(search, d, 0)
    leave(search, d, 1)
    return RUNNING


@helper
def leave(search, d, count):
    """Go back to the position before with the front in `found`."""
    head = search.head[0]
    head.count = count
    head.depth = d - 1
    head.phase = TAKE


@helper
def leave_by_table(search, d, known):
    """Go back with the front of an entry."""
    entry = search.entries[known]
    if copy_front(search.pool[entry.place :], entry.count, search.found) == NO_ROOM:
        return ROOM
    leave(search, d, entry.count)
    return RUNNING


@helper
def take(search, positions, tools):
    """Take the front of a move in: the position is finished, or the next move is tried."""
    head = search.head[0]
    d = head.depth
    if d < 0:
        return end_round(search)
    frame, front = search.frames[d], search.fronts[d]
    if not has_room(search):
        return ROOM
    i = search.order[d, frame.tried - 1]
    if not frame.begun:
        if frame.kind == MIN:
            spare_illegal(search, d, i)
        count = copy_front(search.found, head.count, front)
    elif frame.kind == MAX:
        count = copy_front(front, frame.count, search.spare_front)
        if count >= 0:
            count = unite(search.spare_front, count, search.found, head.count)
    elif frame.kind == MIN:
        spare_illegal(search, d, i)
        count = meet(front, frame.count, search.found, head.count, search.spare, search.spare_front)
    else:
        count = join(front, frame.count, search.found, head.count, search.spare, search.spare_front)
    if count == NO_ROOM:
        return ROOM
    if frame.begun:
        copy_front(search.spare_front, count, front)
    frame.begun = 1
    frame.count = count
    head.widest = max(head.widest, count)
    won = most_wins(search.found, head.count)
    if d == 0:
        search.root_wins[head.rounds, i] = won
    if frame.best == NO_MOVE or (won < frame.top if frame.kind == MIN else won > frame.top):
        frame.top = won
        frame.best = search.names[d, i]
    if d == 0:
        search.root_best[head.rounds] = frame.best
    exact = True
    over = frame.tried == frame.moves or can_change_no_more(search, d)
    if not over and d == 0 and head.root_cut and head.rounds > 1 and not head.whole:
        over = frame.top == head.previous
    if not over and d > 0 and head.late_cut and frame.kind == MIN and has_bound(search, d):
        if is_dominated(search, d, front, count):
            head.cuts += 1
            frame.best = search.names[d, i]
            over, exact = True, False
    if not over:
        descend(search, positions, tools, d)
        return RUNNING
    copy_front(front, count, search.found)
    head.count = count
    if head.table:
        keep(search, d, frame.left if exact else NO_MOVE)
    leave(search, d, count)
    return RUNNING


@helper
def spare_illegal(search, d, i):
    """A move that cannot be made in a world does no harm there."""
    for j in range(search.head[0].count):
        for k in range(len(search.spare)):
            search.found[j, k] |= search.possible[d, k] & ~search.legal[d, i, k]


@helper
def can_change_no_more(search, d):
    """Whether no other move can change the front."""
    frame, front = search.frames[d], search.fronts[d]
    if not search.head[0].lost or (d == 0 and search.head[0].whole):
        return False
    if frame.kind == MIN:
        return frame.count == 1 and is_empty(front[0])
    return any_covers(front, frame.count, search.alive[d])


@helper
def end_round(search):
    """The root is searched for this M: go on with the next, or be DONE."""
    head = search.head[0]
    head.finished = head.rounds
    head.previous = most_wins(search.found, head.count)
    if head.rounds == head.most or head.previous == 0:
        return DONE
    head.rounds += 1
    head.depth = 0
    head.phase = ENTER
    search.frames[0].left = head.rounds
    return RUNNING


# the table


@helper
def has_room(search):
    """Whether the table takes another front."""
    head = search.head[0]
    return not head.table or (
        head.entries * 4 <= 3 * len(search.entries)
        and head.pooled + search.fronts.shape[1] <= len(search.pool)
    )


@helper
def hash_of(search, d):
    """The hash of a position and the worlds that are possible there."""
    word = search.frames[d].key
    for k in range(search.possible.shape[1]):
        word = mix(word ^ search.possible[d, k])
    return word


@helper
def slot_of(search, d):
    """The slot of a position's entry, or the free one for it."""
    mask = len(search.entries) - 1
    key = hash_of(search, d)
    slot = np.int64(key & np.uint64(mask))
    while search.entries[slot].count:
        if search.entries[slot].key == key:
            same = True
            for k in range(search.possible.shape[1]):
                same &= search.possible_of[slot, k] == search.possible[d, k]
            if same:
                return slot
        slot = (slot + 1) & mask
    return slot


@helper
def look_up(search, d):
    """The number of a position's entry; -1 if there is none."""
    slot = slot_of(search, d)
    return slot if search.entries[slot].count else -1


@helper
def keep(search, d, left):
    """Keep the front in `found` for a position; there is room for it (`has_room`)."""
    head = search.head[0]
    slot = slot_of(search, d)
    entry = search.entries[slot]
    if entry.count < head.count:
        if entry.count == 0:
            head.entries += 1
            entry.key = hash_of(search, d)
            copy_vector(search.possible[d], search.possible_of[slot])
        entry.place = head.pooled
        head.pooled += head.count
    copy_vector(search.alive[d], search.alive_of[slot])
    entry.count = head.count
    entry.left = left
    entry.best = search.frames[d].best
    for i in range(head.count):
        copy_vector(search.found[i], search.pool[entry.place + i])


def new_search(positions: Positions, most: int, **options: bool) -> AlphaMu:
    """A search of so many moves of Max, with room for the positions of a game."""
    return AlphaMu(positions.worlds, positions.depth, positions.most_moves, most, **options)
