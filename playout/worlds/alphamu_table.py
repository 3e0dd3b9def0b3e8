"""The table of alpha-mu: fronts of positions and the worlds that are possible there. Compiled."""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.records import mix
from playout.worlds.fronts import copy_vector


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
