"""The greedy partition crossover of colourings, in compiled code.

P. Galinier and J.-K. Hao, Hybrid evolutionary algorithms for graph coloring, 1999: the classes of
the child are the largest of its parents' classes in turn, each without the vertices that the child
has coloured already. What is left has no colour (-1), nor have vertices that no parent coloured.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.random import random_below


@helper
def cross(one, two, k, rng):
    """A child with k classes of two parents, the first class of `one`; of equal ones any."""
    n = len(one)
    child = np.full(n, -1, np.int32)
    sizes = np.zeros((2, k), np.int64)
    for v in range(n):
        if one[v] >= 0:
            sizes[0, one[v]] += 1
        if two[v] >= 0:
            sizes[1, two[v]] += 1
    for c in range(k):
        side = c % 2
        giver = two if side == 1 else one
        most, ties, chosen = np.int64(0), 0, 0
        for d in range(k):
            if sizes[side, d] > most:
                most, ties = sizes[side, d], 0
            if sizes[side, d] == most:
                ties += 1
                if random_below(rng, ties) == 0:
                    chosen = d
        if most == 0:
            continue
        for v in range(n):
            if giver[v] == chosen and child[v] < 0:
                child[v] = c
                if one[v] >= 0:
                    sizes[0, one[v]] -= 1
                if two[v] >= 0:
                    sizes[1, two[v]] -= 1
    return child


@helper
def apart(one, two, k):
    """How many vertices keep two colourings from being one, with classes paired greedily."""
    n = len(one)
    shared = np.zeros((k, k), np.int32)
    for v in range(n):
        if one[v] >= 0 and two[v] >= 0:
            shared[one[v], two[v]] += 1
    taken = np.zeros(k, np.bool_)
    together = 0
    for c in range(k):
        most, partner = 0, -1
        for d in range(k):
            if shared[c, d] > most and not taken[d]:
                most, partner = shared[c, d], d
        if partner >= 0:
            taken[partner] = True
            together += most
    return n - together
