"""A playout policy as a table: the weight of each move code, most of them zero and absent.

A table is an array of (code, weight) records with open addressing: a code that is not there
ends at an empty slot, whose weight is 0. The number of slots is a power of two.

`adapt` is the optimised Adapt of T. Cazenave, Generalized NRPA, Algorithm 6: the codes and
biases of all moves along the sequence are memorised with it, and the policy is not copied.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper, kernel, record
from playout.compiled.maths import exp_all
from playout.compiled.records import mix

ENTRY = record(code="u8", weight="f8")
MOST_FILLED = 0.6  # share of a table's slots, from which on it must grow


@helper
def stored_code(code):
    """A code as tables keep it: 0 marks an empty slot, and is no problem's code here."""
    return np.uint64(code) ^ np.uint64(0x5851F42D4C957F2D)


@helper
def with_history(code, previous):
    """A code that also tells the code played before it."""
    return mix(np.uint64(code) ^ (np.uint64(previous) * np.uint64(0x9E3779B97F4A7C15)))


@helper
def find(table, code):
    """The slot of a code, or the empty slot where it would go."""
    mask = np.uint64(len(table) - 1)
    i = ((code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[i].code != code and table[i].code != 0:
        i = (i + np.uint64(1)) & mask
    return i


@helper
def adapt(search, row, table):
    """Shift a table's policy towards the sequence of a row; how many codes are new to the table.

    Step i of the sequence has its moves' codes and biases at `offsets[i]` to
    `offsets[i + 1] - 1`, and its own move at `choices[i]`. `table_slots` gets the slot of each code
    in the table, and is right already if row and table have the same stamp. `odds` is working
    space.
    """
    policy, codes, biases = search.tables[table], search.codes[row], search.biases[row]
    offsets, choices, slots = search.offsets[row], search.choices[row], search.table_slots[row]
    alpha, tau, odds = search.options[0].alpha, search.options[0].tau, search.odds
    length = search.lengths[row]
    n = offsets[length]
    added = 0
    if search.row_stamps[row] != search.table_stamps[table]:
        for e in range(n):
            i = find(policy, codes[e])
            if policy[i].code == 0:
                policy[i].code = codes[e]
                added += 1
            slots[e] = i
    for i in range(length):
        most = -np.inf
        for e in range(offsets[i], offsets[i + 1]):
            x = policy[slots[e]].weight / tau + biases[e]
            odds[e] = x
            most = x if x > most else most
        for e in range(offsets[i], offsets[i + 1]):
            odds[e] -= most
    exp_all(odds, n)
    for i in range(length):
        z = 0.0
        for e in range(offsets[i], offsets[i + 1]):
            z += odds[e]
        scale = alpha / tau / z
        for e in range(offsets[i], offsets[i + 1]):
            policy[slots[e]].weight -= scale * odds[e]
        policy[slots[choices[i]]].weight += alpha / tau
    return added


@kernel
def copy_into(old, new):
    """Enter all codes of a table into a larger, empty one."""
    for i in range(len(old)):
        if old[i].code != 0:
            j = find(new, old[i].code)
            new[j].code = old[i].code
            new[j].weight = old[i].weight
