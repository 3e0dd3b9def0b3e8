"""Which move alpha-beta takes next, by the scores of its order; and how it knows moves again."""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import hash_record, helper, in_place


@helper
def pick(search, order, d, first):
    """Put the best of the moves from this index on there; selection sort, since few are tried."""
    head, frame = search.head[0], search.frames[d]
    moves, scores = search.moves[d], search.scores[d]
    # another worker leaves the best of what is left to others, and takes one of the next
    skipped = min(head.worker, frame.count - first - 1) if first > 0 else 0
    for index in range(first, first + skipped + 1):
        best, lowest = index, scores[index]
        if order.wants_scores():
            for i in range(index + 1, frame.count):
                if scores[i] < lowest:
                    best, lowest = i, scores[i]
        to = index if index < first + skipped else first
        if best != to:
            scores[best], scores[to] = scores[to], scores[best]
            exchange(moves, best, to)


@helper
def best_first(search, game, d, n, best):
    """Put the move with this mark, if it is there, before all others."""
    scores = search.scores[d]
    for i in range(n):
        if move_mark(search, game, d, i) == best:
            scores[i] = scores[0]
            scores[0] = -math.inf
            exchange(search.moves[d], 0, i)
            break


@helper
def exchange(moves, i, j):
    """Let two moves change places; the last index is room for one of them."""
    spare = moves[len(moves) - 1 :]
    spare[0] = moves[i]
    moves[i] = moves[j]
    moves[j] = spare[0]


@helper
def move_mark(search, game, d, i):
    """16 bits of a hash of a move, as the symmetry shows it that makes the position's words."""
    form = search.frames[d].form
    if form == 0:
        return np.int64(hash_record(search.moves[d, i]) >> np.uint64(48))
    spare = search.moves[d, search.moves.shape[1] - 1 :]
    game.transform_move(search.moves[d, i], form, in_place(spare, 0))
    return np.int64(hash_record(spare[0]) >> np.uint64(48))
