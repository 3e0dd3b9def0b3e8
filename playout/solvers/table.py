"""A transposition table with the whole position in every entry, so that no collision can lie.

Always replace, or two tiers: the first keeps the entry that cost more nodes, the second the newest.
Several threads may use one table: an entry carries a check sum of all that is in it, and one that
another thread is just writing does not pass.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper, same_record
from playout.compiled.records import hash_record, mix
from playout.errors import OptionError
from playout.problem import Game

ENTRIES = 1_048_575  # as in the paper

UNKNOWN, TRUE, FALSE = 0, 1, 2


class Table(Compiled):
    """What is known of positions: an answer, or the move that looked best."""

    fields = ("entries", "tiers", "used")

    def __init__(self, game: Game, entries: int = ENTRIES, tiers: int = 1) -> None:
        if isinstance(entries, bool) or not isinstance(entries, int) or entries < 2:
            raise OptionError(f"entries={entries!r}: a whole number from 2")
        if tiers not in (1, 2):
            raise OptionError(f"tiers={tiers!r}: 1 (always replace) or 2")
        entry = np.dtype((np.record, [
            ("check", "u8"), ("position", game.state_type), ("best", game.move_type),
            ("cost", "i8"), ("depth", "i2"), ("answer", "i1"), ("full", "i1"),
        ]))  # fmt: skip
        self.entries = np.zeros(entries, entry)
        self.tiers = tiers
        self.used = np.zeros(1, np.int64)

    def clear(self) -> None:
        self.entries["full"] = 0
        self.used[0] = 0


@helper
def _check_of(entry, key):
    """A check sum of all that an entry says."""
    told = np.uint64(entry.cost) ^ np.uint64(entry.depth) << np.uint64(40)
    told ^= np.uint64(entry.answer) << np.uint64(60)
    return mix(mix(key ^ hash_record(entry.best)) ^ told)


@helper
def place_of(table, key):
    """The place of a key: its upper half, scaled to the size of a tier."""
    size = np.uint64(len(table.entries) // table.tiers)
    return np.int64((np.uint64(key) >> np.uint64(32)) * size >> np.uint64(32)) * table.tiers


@helper
def probe(table, key, position):
    """The entry of a position; -1 if there is none."""
    place = place_of(table, key)
    for i in range(place, place + table.tiers):
        entry = table.entries[i]
        if entry.full and same_record(entry.position, position):
            if entry.check == _check_of(entry, key):
                return i
    return -1


@helper
def keep(table, key, position, answer, depth, cost, best):
    """Keep what was found out about a position."""
    i = place_of(table, key)
    if table.tiers == 2:
        first = table.entries[i]
        if first.full and first.cost > cost and not same_record(first.position, position):
            i += 1
    entry = table.entries[i]
    if not entry.full:
        table.used[0] += 1
    entry.check = np.uint64(0)
    entry.position = position
    entry.best = best
    entry.cost = cost
    entry.depth = depth
    entry.answer = answer
    entry.check = _check_of(entry, key)
    entry.full = 1
