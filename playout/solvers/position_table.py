"""A transposition table with the whole position in every entry, so that no collision can lie.

An entry is a few 64-bit words: one that tells what is known, those of `Game.pack` and, in a game
that remembers, the marks of what must not have been before (`path_dependence.py`). Always replace,
or two tiers: the first keeps the entry that cost more nodes, the second the newest.

A table that grows has more entries when it is half full: a large one costs time to be touched.

Several threads may use one table. Who writes an entry locks it for the moment by its first word,
whose upper bits count the writings: who reads sees by it whether the other words belong together.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from playout.compiled import Compiled, helper, kernel
from playout.compiled.atomics import compare_exchange, fetch, load, store
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError

ENTRIES = 1_048_575  # as in the paper
FEWEST = 1 << 16  # of a table that grows
GROWTH = 8  # times

UNKNOWN, TRUE, FALSE = 0, 1, 2

# What an entry says, in the lowest bits of its first word: nothing, TRUE, FALSE, or that the
# first or the second player can prove nothing within its depth; or it is just being written.
EMPTY, NOT_TRUE, NOT_FALSE, LOCKED = 0, 3, 4, 7

_SAYS = np.uint64(7)
_DEPTH, _MOST_DEPTH = np.uint64(3), (1 << 13) - 1
_BEST = np.uint64(16)
_COST = np.uint64(32)
_WRITINGS = np.uint64(40)


class Table(Compiled):
    """What is known of positions: an answer, or the move that looked best."""

    fields = ("entries", "raw", "tiers", "used", "shared")

    def __init__(
        self,
        game: Game,
        entries: int = ENTRIES,
        tiers: int = 1,
        shared: bool = False,
        most: int = 0,
    ) -> None:
        if isinstance(entries, bool) or not isinstance(entries, int) or entries < 2:
            raise OptionError(f"entries={entries!r}: a whole number from 2")
        if tiers not in (1, 2):
            raise OptionError(f"tiers={tiers!r}: 1 (always replace) or 2")
        self.entries = np.zeros((entries, entry_bytes(game) // 8), np.uint64)
        self.raw = self.entries.view(np.int64)  # the same, for atomic operations
        self.tiers = tiers
        self.most = most  # entries that it may grow to; 0: it never grows
        self._words = game.pack_words()
        self.shared = shared
        self.used = np.zeros(1, np.int64)

    def clear(self) -> None:
        self.entries[:, 0] = 0
        self.used[0] = 0

    def may_grow(self) -> bool:
        """Whether it is half full and may have more entries."""
        return len(self.entries) < self.most and 2 * int(self.used[0]) > len(self.entries)

    def grow(self) -> None:
        """Have more entries; those that there are stay known."""
        before = self.entries
        self.resize(min(self.most, GROWTH * len(before)))
        pour(before, self, self._words)

    def compile(self) -> None:
        """Compile what `grow` needs, before a clock runs."""
        pour(self.entries[:0], self, self._words)

    def resize(self, entries: int) -> None:
        """Have so many entries, all empty."""
        self.entries = np.zeros((entries, self.entries.shape[1]), np.uint64)
        self.raw = self.entries.view(np.int64)
        self.used[0] = 0

    def costs(self) -> np.ndarray:
        """About what each entry cost, as a power of two; 0 for one that is empty."""
        told = self.entries[:, 0]
        return np.where(told & _SAYS, 1 + (told >> _COST & np.uint64(63)), 0).astype(np.int64)

    def share_used(self) -> float:
        """The share of the entries that are in use."""
        return min(1.0, int(self.used[0]) / len(self.entries))


def entry_bytes(game: Game) -> int:
    """Bytes of an entry."""
    return 8 * (1 + game.pack_words() + bool(game.remembers()))


def memory_bytes() -> int:
    """The memory of this machine, or what is allotted to the processes here, if that is less."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        allotted = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return whole
    return min(whole, int(allotted)) if allotted.isdecimal() else whole


@helper
def hash_words(words):
    """A 64-bit hash of a position's words."""
    value = np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(words)):
        value = mix(value ^ words[i])
    return value


@helper
def slot_of(table, key):
    """The slot of a key: its upper half, scaled to the size of a tier."""
    size = np.uint64(len(table.entries) // table.tiers)
    return np.int64((np.uint64(key) >> np.uint64(32)) * size >> np.uint64(32)) * table.tiers


@kernel
def pour(before, table, words):
    """Put what entries of a smaller table say into an empty one."""
    for i in range(len(before)):
        told = before[i, 0]
        if told & _SAYS == EMPTY:
            continue
        slot = slot_of(table, hash_words(before[i, 1 : words + 1]))
        if table.tiers == 2 and table.entries[slot, 0] & _SAYS != EMPTY:
            if told >> _COST & np.uint64(63) > table.entries[slot, 0] >> _COST & np.uint64(63):
                table.entries[slot + 1] = table.entries[slot]
            else:
                slot += 1
        table.entries[slot] = before[i]
    used = 0
    for i in range(len(table.entries)):
        used += table.entries[i, 0] & _SAYS != EMPTY
    table.used[0] = used


@helper
def fetch_early(table, key):
    """Have the memory for a position at hand, which is to be looked up soon."""
    slot = slot_of(table, key)
    fetch(table.raw, (slot, 0))
    fetch(table.raw, (slot + table.tiers - 1, table.raw.shape[1] - 1))


@helper
def probe(table, key, words, path):
    """The first word of a position's entry, 0 if there is none, and its marks.

    An entry with a mark that is in `path` too is none.
    """
    slot = slot_of(table, key)
    for i in range(slot, slot + table.tiers):
        told = np.uint64(load(table.raw, (i, 0)))
        if told & _SAYS == EMPTY or told & _SAYS == LOCKED:
            continue
        same = True
        for j in range(len(words)):
            same &= np.uint64(load(table.raw, (i, j + 1))) == words[j]
        marks = np.uint64(0)
        if len(words) + 1 < table.raw.shape[1]:
            marks = np.uint64(load(table.raw, (i, len(words) + 1)))
            same &= marks & path == 0
        if same and (not table.shared or np.uint64(load(table.raw, (i, 0))) == told):
            return told, marks
    return np.uint64(0), np.uint64(0)


@helper
def says(told):
    """What the first word of an entry says: TRUE, FALSE, NOT_TRUE or NOT_FALSE; EMPTY for 0."""
    return np.int64(told & _SAYS)


@helper
def depth_of(told):
    """How deep was searched for it."""
    return np.int64(told >> _DEPTH) & _MOST_DEPTH


@helper
def best_of(told):
    """The mark of the move that looked best: 16 bits of a hash."""
    return np.int64(told >> _BEST) & 0xFFFF


@helper
def keep_answer(table, key, words, what, depth, cost, best, marks):
    """Keep what was found out about a position, and what it cost in nodes."""
    i = slot_of(table, key)
    level = 0
    while cost > 1:
        cost >>= 1
        level += 1
    if table.tiers == 2:
        first = table.entries[i, 0]
        if first & _SAYS != EMPTY and np.int64(first >> _COST) & 63 > level:
            same = True
            for j in range(len(words)):
                same &= table.entries[i, j + 1] == words[j]
            if not same:
                i += 1
    before = table.entries[i, 0]
    if before & _SAYS == EMPTY:
        table.used[0] += 1
    told = np.uint64(what) | np.uint64(min(depth, _MOST_DEPTH)) << _DEPTH
    told |= np.uint64(best & 0xFFFF) << _BEST | np.uint64(level) << _COST
    told |= ((before >> _WRITINGS) + np.uint64(1)) << _WRITINGS
    if table.shared:
        # if another thread is writing there, only time is lost
        if before & _SAYS == LOCKED or not compare_exchange(
            table.raw, (i, 0), np.int64(before), np.int64(before | np.uint64(LOCKED))
        ):
            return
        write_words(table.entries[i], words, marks)
        store(table.raw, (i, 0), np.int64(told))
    else:
        write_words(table.entries[i], words, marks)
        table.entries[i, 0] = told


@helper
def write_words(entry, words, marks):
    for j in range(len(words)):
        entry[j + 1] = words[j]
    if len(words) + 1 < len(entry):
        entry[len(words) + 1] = marks
