"""A playout policy as a table: the weight of each move code, most of them zero and absent.

A table is an array of (code, weight) records with open addressing: a code that is not there
ends at an empty place, whose weight is 0. The number of places is a power of two.

`adapt` is the optimised Adapt of T. Cazenave, Generalized NRPA, Algorithm 6: the codes and
biases of all moves along the sequence are memorised with it, and the policy is not copied.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper, kernel, record
from playout.compiled.maths import exp_all
from playout.compiled.records import mix

PLACE = record(code="u8", weight="f8")
FULL = 0.6  # a table this full must grow


@helper
def stored_code(code):
    """A code as tables keep it: 0 marks an empty place, and is no problem's code here."""
    return np.uint64(code) ^ np.uint64(0x5851F42D4C957F2D)


@helper
def with_history(code, previous):
    """A code that also tells the code played before it."""
    return mix(np.uint64(code) ^ (np.uint64(previous) * np.uint64(0x9E3779B97F4A7C15)))


@helper
def find(table, code):
    """The place of a code, or the empty place where it would go."""
    mask = np.uint64(len(table) - 1)
    i = ((code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[i].code != code and table[i].code != 0:
        i = (i + np.uint64(1)) & mask
    return i


@helper
def adapt(table, codes, biases, offsets, choices, length, places, known, odds, alpha, tau):
    """Shift the policy towards a sequence; the number of codes that are new to the table.

    Step i of the sequence has its moves' codes and biases at `offsets[i]` to
    `offsets[i + 1] - 1`, and its own move at `choices[i]`. `places` gets the place of each code
    in the table, and is right already if `known`. `odds` is working space.
    """
    n = offsets[length]
    added = 0
    if not known:
        for e in range(n):
            i = find(table, codes[e])
            if table[i].code == 0:
                table[i].code = codes[e]
                added += 1
            places[e] = i
    for i in range(length):
        most = -np.inf
        for e in range(offsets[i], offsets[i + 1]):
            x = table[places[e]].weight / tau + biases[e]
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
            table[places[e]].weight -= scale * odds[e]
        table[places[choices[i]]].weight += alpha / tau
    return added


@kernel
def copy_into(old, new):
    """Enter all codes of a table into a larger, empty one."""
    for i in range(len(old)):
        if old[i].code != 0:
            j = find(new, old[i].code)
            new[j].code = old[i].code
            new[j].weight = old[i].weight
