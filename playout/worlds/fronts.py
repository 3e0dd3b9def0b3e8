"""Pareto fronts of vectors over worlds (T. Cazenave and V. Ventos, The alpha-mu Search Algorithm
for the Game of Bridge, section 3).

A vector tells in which worlds a game is won: a bit a world, 64 worlds a word. One vector dominates
another if it wins wherever the other does. A front is an array of vectors, a row each, of which
none dominates another or equals it, and how many rows count. Functions that write a front return
how many vectors it then has, or `NO_ROOM`, when what they were to write is not to be used.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import count_bits

NO_ROOM = -1


@helper
def covers(one, other):
    """Whether a vector equals another or dominates it."""
    outside = np.uint64(0)
    for i in range(len(one)):
        outside |= other[i] & ~one[i]
    return outside == np.uint64(0)


@helper
def wins(vector):
    """In how many worlds a vector wins."""
    total = 0
    for i in range(len(vector)):
        total += count_bits(vector[i])
    return total


@helper
def is_empty(vector):
    """Whether a vector wins nowhere."""
    union = np.uint64(0)
    for i in range(len(vector)):
        union |= vector[i]
    return union == np.uint64(0)


@helper
def copy_vector(source, target):
    for i in range(len(target)):
        target[i] = source[i]


@helper
def copy_front(source, count, target):
    """Write a front over another; `NO_ROOM` if that is too short."""
    if count > len(target):
        return NO_ROOM
    for i in range(count):
        copy_vector(source[i], target[i])
    return count


@helper
def insert(front, count, vector):
    """Put a vector into a front, unless one there covers it; what it dominates is dropped."""
    for i in range(count):
        if covers(front[i], vector):
            return count
    kept = 0
    for i in range(count):
        if not covers(vector, front[i]):
            if kept != i:
                copy_vector(front[i], front[kept])
            kept += 1
    if kept == len(front):
        return NO_ROOM
    copy_vector(vector, front[kept])
    return kept + 1


@helper
def unite(front, count, others, n):
    """The front of the vectors of both, in place of the first: Max may choose any of them."""
    for i in range(n):
        count = insert(front, count, others[i])
        if count < 0:
            return NO_ROOM
    return count


@helper
def combine(one, count, other, n, spare, out, both):
    """The front of all u & v, u of the first and v of the second, or of all u | v if not `both`.

    The first where Min chooses world by world, the second where a partner who sees everything does.
    """
    found = 0
    for i in range(count):
        for j in range(n):
            for k in range(len(spare)):
                u, v = one[i, k], other[j, k]
                spare[k] = u & v if both else u | v
            found = insert(out, found, spare)
            if found < 0:
                return NO_ROOM
    return found


@helper
def front_covers(one, count, other, n):
    """Whether every vector of the second front is covered by one of the first."""
    j = 0
    while j < n and any_covers(one, count, other[j]):
        j += 1
    return j == n


@helper
def any_covers(front, count, vector):
    """Whether one of a front's vectors covers this one."""
    i = 0
    while i < count and not covers(front[i], vector):
        i += 1
    return i < count


@helper
def most_wins(front, count):
    """The most worlds that a vector of a front wins: the best mean, times the worlds."""
    best = 0
    for i in range(count):
        best = max(best, wins(front[i]))
    return best


def words_for(worlds: int) -> int:
    """How many words a vector over so many worlds has."""
    return -(-worlds // 64)


def all_worlds(worlds: int) -> np.ndarray:
    """The vector that wins in every world.

    >>> [f"{word:x}" for word in all_worlds(68)]
    ['ffffffffffffffff', 'f']
    """
    found = np.full(words_for(worlds), ~np.uint64(0))
    if worlds % 64:
        found[-1] = (1 << worlds % 64) - 1
    return found
