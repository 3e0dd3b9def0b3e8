"""A transposition table of proof and disproof numbers, with the whole position in every entry.

In a game that remembers, such as Go with superko, an entry has the marks of what must not have been
before (`path_dependence.py`), if it is decided. Other numbers are no more than a hint, whatever the
past.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper
from playout.contract import Game
from playout.errors import OptionError
from playout.solvers.position_table import ENTRIES, slot_of

PROOF, DISPROOF, COST, MARKS, WORDS = 0, 1, 2, 3, 4  # the words of an entry


class ProofTable(Compiled):
    """What is known of positions: how far they are from a proof and from a disproof.

    Always replace, or two tiers: the first keeps the entry that cost more nodes, the second the
    newest.
    """

    fields = ("entries", "tiers", "used")

    def __init__(self, game: Game, entries: int = ENTRIES, tiers: int = 1) -> None:
        if isinstance(entries, bool) or not isinstance(entries, int) or entries < 2:
            raise OptionError(f"entries={entries!r}: a whole number from 2")
        if tiers not in (1, 2):
            raise OptionError(f"tiers={tiers!r}: 1 (always replace) or 2")
        self.entries = np.zeros((entries, WORDS + game.pack_words()), np.uint64)
        self.tiers = tiers
        self.used = np.zeros(1, np.int64)

    def clear(self) -> None:
        self.entries[:, : DISPROOF + 1] = 0
        self.used[0] = 0

    def costs(self) -> np.ndarray:
        """What each entry cost in nodes; 0 for one that is empty."""
        used = self.entries[:, PROOF] | self.entries[:, DISPROOF]
        return np.where(used, np.maximum(self.entries[:, COST], 1), 0).astype(np.int64)

    def share_used(self) -> float:
        """The share of the entries that are in use."""
        return min(1.0, int(self.used[0]) / len(self.entries))


@helper
def is_empty(entry):
    """A position with neither number over 0 is none."""
    return entry[PROOF] == 0 and entry[DISPROOF] == 0


@helper
def is_about(entry, words):
    """Whether an entry is about a position."""
    for i in range(len(words)):
        if entry[WORDS + i] != words[i]:
            return False
    return not is_empty(entry)


@helper
def find_numbers(table, key, words, path):
    """The slot of a position's entry; -1 if there is none, or one with a mark of the `path`."""
    slot = slot_of(table, key)
    for i in range(slot, slot + table.tiers):
        if is_about(table.entries[i], words) and table.entries[i, MARKS] & path == 0:
            return i
    return -1


@helper
def keep_numbers(table, key, words, proof, disproof, cost, marks):
    """Keep how far a position is from a proof and from a disproof, found with `cost` nodes."""
    i = slot_of(table, key)
    if table.tiers == 2:
        first = table.entries[i]
        if not is_empty(first) and first[COST] > np.uint64(cost) and not is_about(first, words):
            i += 1
    entry = table.entries[i]
    if is_empty(entry):
        table.used[0] += 1
    entry[PROOF], entry[DISPROOF] = np.uint64(proof), np.uint64(disproof)
    entry[COST], entry[MARKS] = np.uint64(cost), marks
    for j in range(len(words)):
        entry[WORDS + j] = words[j]
