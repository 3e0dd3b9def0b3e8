"""Tabu search over partial colourings, in compiled code.

C. Morgenstern, Distributed coloration neighborhood search, 1996: a state is a proper colouring of
some of the vertices. A step colours one that has no colour, and its neighbours of that colour lose
theirs. What is to be low is the sum of the degrees of the vertices without colour, as in E.
Malaguti, M. Monaci and P. Toth, A metaheuristic approach for the vertex coloring problem, 2008, who
draw the vertex at random, too. So vertices that are hard to colour are coloured first.

A vertex that lost a colour may not have it for `tenure` steps, and some more that grow with the
number of vertices without colour. Geometric graphs want a tenure of the order of their vertices,
most others none.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import load
from playout.compiled.random import random_below
from playout.problems.coloring.tabu import MANY, MOST_STEPS, count_best, fewest, which

TENURES = (0.0, 0.35, 0.06, 0.6)  # that are tried, as shares of the vertices


@helper
def weigh_neighbours(near, starts, k, colour):
    """The degrees of each vertex's neighbours in each colour, added up; -1 is no colour."""
    n = len(starts) - 1
    weights = np.zeros((n, k), np.int32)
    for v in range(n):
        row = weights[v]
        for i in range(starts[v], starts[v + 1]):
            u = near[i]
            if colour[u] >= 0:
                row[colour[u]] += starts[u + 1] - starts[u]
    return weights


@helper
def partial_steps(near, starts, k, colour, tenure, steps, ended, rng):
    """The best partial colouring from `colour` on, its cost, and the work that it took.

    It ends after so many steps without progress, or when ended[0] is not 0. Work is about the
    number of table entries that were looked at or changed. `colour` is changed.
    """
    best = colour.copy()
    n = len(starts) - 1
    weights, tabu = weigh_neighbours(near, starts, k, colour), np.zeros((n, k), np.int32)
    bare, slot = np.empty(n, np.int32), np.full(n, -1, np.int32)  # vertices without colour
    size, cost = 0, 0
    for v in range(n):
        if colour[v] < 0:
            bare[size], slot[v] = v, size
            size += 1
            cost += starts[v + 1] - starts[v]
    least = cost
    work, step, last = n * k, 0, min(steps, MOST_STEPS)
    while step < last and size > 0 and load(ended, 0) == 0:
        step += 1
        v = bare[random_below(rng, size)]
        degree = starts[v + 1] - starts[v]
        work += degree + k // 8
        row, until = weights[v], tabu[v]
        free, any_colour = fewest(row, until, step)
        now = step
        if any_colour < free and cost + any_colour - degree < least:
            free, now = any_colour, MOST_STEPS  # better than everything before: tabu or not
        if free >= MANY:
            continue
        number = count_best(row, until, now, free)
        wanted = which(row, until, now, free, random_below(rng, number))
        # the vertex is the last of the list, and leaves it
        size -= 1
        other = bare[size]
        bare[slot[v]] = other
        slot[other] = slot[v]
        slot[v] = -1
        colour[v] = wanted
        cost += free - degree
        for i in range(starts[v], starts[v + 1]):
            weights[near[i], wanted] += degree
        if free > 0:
            for i in range(starts[v], starts[v + 1]):
                u = near[i]
                if colour[u] != wanted:
                    continue
                colour[u] = -1
                bare[size], slot[u] = u, size
                size += 1
                tabu[u, wanted] = step + tenure + (6 * size) // 10 + random_below(rng, 10)
                lost = starts[u + 1] - starts[u]
                work += lost
                for j in range(starts[u], starts[u + 1]):
                    weights[near[j], wanted] -= lost
        if cost < least:
            least = cost
            last = min(step + steps, MOST_STEPS)
            best[:] = colour
    return best, least, work


@helper
def partial_search(near, starts, k, colour, steps, ended, rng):
    """A colouring of all vertices from one with conflicts, by way of partial colourings.

    Of two ends of one colour one loses it first; the tenure is drawn. Vertices that have no colour
    at the end get the one that fewest neighbours have.
    """
    n = len(starts) - 1
    for v in range(n):
        for i in range(starts[v], starts[v + 1]):
            if colour[near[i]] == colour[v]:
                colour[v] = -1
                break
    tenure = int(TENURES[random_below(rng, len(TENURES))] * n)
    found = partial_steps(near, starts, k, colour, tenure, steps, ended, rng)[0]
    counts = np.empty(k, np.int32)
    for v in range(n):
        if found[v] >= 0:
            continue
        counts[:] = 0
        for i in range(starts[v], starts[v + 1]):
            if found[near[i]] >= 0:
                counts[found[near[i]]] += 1
        found[v] = np.argmin(counts)
    return found
