"""Tabu search for graph colouring, in compiled code.

A. Hertz and D. de Werra, Using tabu search techniques for graph coloring, 1987, with the tenure of
P. Galinier and J.-K. Hao, Hybrid evolutionary algorithms for graph coloring, 1999. Vertices are
numbered inside; the neighbours of v are near[starts[v]] to near[starts[v + 1] - 1].
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import load
from playout.compiled.random import random_below


@helper
def _leave(bad, slot, size, v):
    """Take a vertex out of the list of those in conflict."""
    size -= 1
    last = bad[size]
    bad[slot[v]] = last
    slot[last] = slot[v]
    slot[v] = -1
    return size


@helper
def tabu_search(near, starts, k, colour, fixed, steps, ended, rng):
    """The best colouring found from `colour` on, until so many steps found nothing better.

    Or until ended[0] is not 0: who waits for the search may set it. Afterwards `colour` is the last
    colouring that was looked at.
    """
    best = colour.copy()
    n = len(starts) - 1
    # neighbours of each vertex in each colour, and the step until which it may not have it
    counts, tabu = np.zeros((n, k), np.int32), np.zeros((n, k), np.int64)
    bad, slot = np.empty(n, np.int32), np.full(n, -1, np.int32)  # vertices in conflict
    for v in range(n):
        for i in range(starts[v], starts[v + 1]):
            counts[v, colour[near[i]]] += 1
    size, conflicts = 0, 0
    for v in range(n):
        conflicts += counts[v, colour[v]]
        if counts[v, colour[v]] > 0 and not fixed[v]:
            bad[size], slot[v] = v, size
            size += 1
    conflicts //= 2
    least = conflicts
    step, last = 0, steps
    while step < last and size > 0 and load(ended, 0) == 0:
        step += 1
        change, ties, chosen, wanted = n, 0, -1, 0
        for j in range(size):
            v = bad[j]
            own, row, until = counts[v, colour[v]], counts[v], tabu[v]
            for c in range(k):
                difference = row[c] - own
                if difference <= change and c != colour[v]:
                    if until[c] >= step and conflicts + difference >= least:
                        continue
                    if difference < change:
                        change, ties, chosen, wanted = difference, 1, v, c
                    else:
                        ties += 1
                        if random_below(rng, ties) == 0:
                            chosen, wanted = v, c
        if chosen < 0:
            continue
        old = colour[chosen]
        colour[chosen] = wanted
        conflicts += change
        tabu[chosen, old] = step + (6 * size) // 10 + random_below(rng, 10) + 1
        if counts[chosen, wanted] == 0:
            size = _leave(bad, slot, size, chosen)
        for i in range(starts[chosen], starts[chosen + 1]):
            u = near[i]
            row = counts[u]
            row[old] -= 1
            row[wanted] += 1
            if fixed[u]:
                continue
            mine = colour[u]
            if mine == old:
                if row[mine] == 0:
                    size = _leave(bad, slot, size, u)
            elif mine == wanted and slot[u] < 0:
                bad[size], slot[u] = u, size
                size += 1
        if conflicts < least:
            least = conflicts
            last = step + steps
            best[:] = colour
            if conflicts == 0:
                break
    return best
