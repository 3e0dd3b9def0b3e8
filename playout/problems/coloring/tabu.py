"""Tabu search for graph colouring, in compiled code.

A. Hertz and D. de Werra, Using tabu search techniques for graph coloring, 1987, with a tenure like
that of P. Galinier and J.-K. Hao, Hybrid evolutionary algorithms for graph coloring, 1999: 0.6
for each wrong edge, and up to 10 more. Vertices in conflict counted in its place make it too long
for sparse graphs: crossed colourings of DSJC1000.1 stay apart. Vertices are numbered inside; the
neighbours of v are near[starts[v]] to near[starts[v + 1] - 1].

A step looks at each vertex in conflict twice. First at the fewest conflicts that another colour
would leave it, without branches, so that the processor compares several colours at once. Then, for
the vertices where the best change is, at the colours that give it, of which one is drawn.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import load
from playout.compiled.random import random_below

FOR_EVER = 2**31 - 1  # the step until which a vertex may not be given the colour it has
MOST_STEPS = FOR_EVER - 2**20
MANY = 2**29  # more conflicts than any vertex has


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
def fewest(row, until, step):
    """The fewest neighbours in a colour that is not tabu, and in any."""
    free, any_colour, many = np.int32(MANY), np.int32(MANY), np.int32(MANY)
    now = np.int32(step)
    for c in range(len(row)):
        here = row[c]
        any_colour = min(any_colour, here)
        free = min(free, here if until[c] < now else many)
    return free, any_colour


@helper
def count_best(row, until, step, wanted):
    """How many colours that are not tabu have so many neighbours."""
    found, now, value = np.int32(0), np.int32(step), np.int32(wanted)
    for c in range(len(row)):
        found += np.int32((row[c] == value) & (until[c] < now))
    return found


@helper
def which(row, until, step, wanted, number):
    """The colour of this number, from 0, among those that `count_best` counts."""
    for c in range(len(row)):
        if row[c] == wanted and until[c] < step:
            if number == 0:
                return c
            number -= 1
    return -1


@helper
def count_neighbours(near, starts, k, colour):
    """How many neighbours of each vertex have each colour."""
    n = len(starts) - 1
    counts = np.zeros((n, k), np.int32)
    for v in range(n):
        row = counts[v]
        for i in range(starts[v], starts[v + 1]):
            row[colour[near[i]]] += 1
    return counts


@helper
def tabu_search(near, starts, k, colour, fixed, steps, ended, rng):
    """The best colouring found from `colour` on, until so many steps found nothing better.

    Or until ended[0] is not 0: who waits for the search may set it. Afterwards `colour` is the last
    colouring that was looked at.
    """
    return tabu_steps(near, starts, k, colour, fixed, steps, ended, rng)[0]


@helper
def tabu_steps(near, starts, k, colour, fixed, steps, ended, rng):
    """The same, with the conflicts of what was found, and the work that it took.

    Work is about the number of table entries that were looked at or changed.
    """
    best = colour.copy()
    n = len(starts) - 1
    # neighbours of each vertex in each colour, and the step until which it may not have it
    counts, tabu = count_neighbours(near, starts, k, colour), np.zeros((n, k), np.int32)
    bad, slot = np.empty(n, np.int32), np.full(n, -1, np.int32)  # vertices in conflict
    values = np.empty(n, np.int32)  # of each of them the best change of the conflicts
    size, conflicts = 0, 0
    for v in range(n):
        tabu[v, colour[v]] = FOR_EVER
        conflicts += counts[v, colour[v]]
        if counts[v, colour[v]] > 0 and not fixed[v]:
            bad[size], slot[v] = v, size
            size += 1
    conflicts //= 2
    least = conflicts
    work, step, last = n * k, 0, min(steps, MOST_STEPS)
    while step < last and size > 0 and load(ended, 0) == 0:
        step += 1
        work += size * (k // 8 + 2)
        change, lowest, lowest_at = MANY, 0, -1
        for j in range(size):
            v = bad[j]
            own = counts[v, colour[v]]
            free, any_colour = fewest(counts[v], tabu[v], step)
            values[j] = free - own
            change = min(change, free - own)
            if any_colour - own < lowest:
                lowest, lowest_at = any_colour - own, v
        chosen, wanted = -1, 0
        if lowest < change and conflicts + lowest < least:
            # better than everything before: tabu or not
            chosen, change = lowest_at, lowest
            row, aim = counts[chosen], counts[chosen, colour[chosen]] + lowest
            while row[wanted] != aim:
                wanted += 1
        elif change < MANY // 2:
            ties = 0
            for j in range(size):
                if values[j] == change:
                    v = bad[j]
                    aim = change + counts[v, colour[v]]
                    number = count_best(counts[v], tabu[v], step, aim)
                    ties += number
                    draw = random_below(rng, ties)
                    if draw < number:
                        chosen, wanted = v, draw
            aim = change + counts[chosen, colour[chosen]]
            wanted = which(counts[chosen], tabu[chosen], step, aim, wanted)
        if chosen < 0:
            continue
        old = colour[chosen]
        colour[chosen] = wanted
        conflicts += change
        tabu[chosen, old] = step + (6 * conflicts) // 10 + random_below(rng, 10) + 1
        tabu[chosen, wanted] = FOR_EVER
        if counts[chosen, wanted] == 0:
            size = _leave(bad, slot, size, chosen)
        work += starts[chosen + 1] - starts[chosen]
        for i in range(starts[chosen], starts[chosen + 1]):
            u = near[i]
            counts[u, old] -= 1
            counts[u, wanted] += 1
            if fixed[u]:
                continue
            mine = colour[u]
            if mine == old:
                if counts[u, mine] == 0:
                    size = _leave(bad, slot, size, u)
            elif mine == wanted and slot[u] < 0:
                bad[size], slot[u] = u, size
                size += 1
        if conflicts < least:
            least = conflicts
            last = min(step + steps, MOST_STEPS)
            best[:] = colour
            if conflicts == 0:
                break
    return best, least, work
