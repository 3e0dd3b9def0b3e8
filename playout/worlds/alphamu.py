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

from playout.compiled import helper, kernel
from playout.worlds.alphamu_arrays import (
    ANSWERED,
    ASK,
    DONE,
    ENDS_APART,
    ENTER,
    NO_MOVE,
    ROOM,
    RUNNING,
    TAKE,
    TOO_MANY_MOVES,
    WAITING,
    AlphaMu,
)
from playout.worlds.alphamu_table import has_room, keep, look_up
from playout.worlds.fronts import (
    NO_ROOM,
    any_covers,
    combine,
    copy_front,
    copy_vector,
    covers,
    front_covers,
    is_empty,
    most_wins,
    unite,
    wins,
)
from playout.worlds.positions import APART, MAX, MIN, Positions


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
    else:
        least = frame.kind == MIN
        if least:
            spare_illegal(search, d, i)
        found, room = search.found, search.spare_front
        count = combine(front, frame.count, found, head.count, search.spare, room, least)
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


def new_search(positions: Positions, most: int, **options: bool) -> AlphaMu:
    """A search of so many moves of Max, with room for the positions of a game."""
    return AlphaMu(positions.worlds, positions.depth, positions.most_moves, most, **options)
