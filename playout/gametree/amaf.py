"""All-moves-as-first statistics: for a node and a code, of all simulations through the node in
which its player later played a move of that code.

One hash table for all trees of a search: nodes have serial numbers that never come back, so what
is left of nodes that are gone is in nobody's way until the table is crowded and emptied. When it is
nearly full in the middle of a search, nothing new is added to it.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import compare_exchange, fetch_add, load, store
from playout.compiled.records import mix
from playout.gametree.shared_counters import note_full
from playout.gametree.tree_arrays import AMAF, UNIT

MOST_PROBES = 16
WINDOW = 9  # bits that tell how far the codes of a node, which are read together, are spread
FREE, TAKEN = 0, 2  # a entry that is empty, or that a thread is just filling; keys are odd


@helper
def amaf_home(tree, node):
    """Where the entries of a node begin, before it is cut to the size of the table."""
    return mix(np.uint64(tree.serial[node]))


@helper
def amaf_entry(tree, home, code, add):
    """The entry of a code of the node with this home; -1 if it is not there and cannot be added.

    Nor is it added while another thread fills the entry that it would have: once does not matter.
    """
    mask = np.uint64(len(tree.amaf_keys) - 1)
    key = np.int64(mix(np.uint64(code) ^ home)) | 1
    entry = (home + (np.uint64(key) >> np.uint64(64 - WINDOW))) & mask
    for _ in range(MOST_PROBES):
        found = load(tree.amaf_keys, np.int64(entry))
        if found == key:
            return np.int64(entry)
        if found % 2 == 0:  # FREE or TAKEN
            if not add or not compare_exchange(tree.amaf_keys, np.int64(entry), FREE, TAKEN):
                return -1
            tree.amaf_visits[np.int64(entry)] = 0
            tree.amaf_totals[np.int64(entry)] = 0
            store(tree.amaf_keys, np.int64(entry), key)
            fetch_add(tree.counters, AMAF, 1)
            return np.int64(entry)
        entry = (entry + np.uint64(1)) & mask
    if add:
        note_full(tree)
    return -1


@helper
def amaf_tidy(tree):
    """Empty the table if it is crowded, mostly with what nodes that are gone have left."""
    if tree.counters[AMAF] > len(tree.amaf_keys) // 2:
        tree.amaf_keys[:] = 0
        tree.counters[AMAF] = 0


@helper
def amaf_learn(tree, slot, depth):
    """Take a simulation in: each node of the path learns of its player's later codes, once each."""
    codes, movers = tree.played_codes[slot], tree.played_movers[slot]
    before = tree.played_before[slot]
    length, shared = tree.lengths[slot], tree.head[0].shared
    note_repeats(codes, movers, before, length)
    for i in range(depth + 1):
        node = tree.path_nodes[slot, i]
        home, mover = amaf_home(tree, node), tree.mover[node]
        reward = np.int64(round(tree.rewards[slot, mover] * UNIT))
        for j in range(i, length):
            if movers[j] != mover or before[j] >= i:
                continue
            entry = amaf_entry(tree, home, codes[j], True)
            if entry >= 0 and shared:
                fetch_add(tree.amaf_visits, entry, 1)
                fetch_add(tree.amaf_totals, entry, reward)
            elif entry >= 0:
                tree.amaf_visits[entry] += 1
                tree.amaf_totals[entry] += reward


@helper
def note_repeats(codes, movers, before, length):
    """Where the same player played the same code before, for each move of a game; -1: nowhere.

    Two bits of a code that were not both set by those before tell at once that it is new.
    """
    low, high = np.uint64(0), np.uint64(0)
    for j in range(length):
        before[j] = -1
        bits = mix(np.uint64(codes[j]) ^ np.uint64(movers[j]))
        one = np.uint64(1) << (bits & np.uint64(63))
        other = np.uint64(1) << (bits >> np.uint64(58))
        if low & one and high & other:
            for k in range(j - 1, -1, -1):
                if codes[k] == codes[j] and movers[k] == movers[j]:
                    before[j] = k
                    break
        low |= one
        high |= other
