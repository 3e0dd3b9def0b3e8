"""How a move is chosen once each has a number: in proportion to it, or one of the highest.

The loops that make the numbers also add them up, or look for the highest. Reading them all again
costs much of what a playout policy costs.
"""

from __future__ import annotations

from playout.compiled import helper
from playout.compiled.maths import exp_all
from playout.compiled.random import random_below, random_unit


@helper
def first_above(sums, n, x):
    """The index of the first of n rising sums that is above x, the last one if none is."""
    for i in range(n - 1):
        if sums[i] > x:
            return i
    return n - 1


@helper
def one_of_equals(values, n, value, rng):
    """The index of one of the values that are equal to `value`, each as likely as another."""
    chosen, equal = 0, 0
    for i in range(n):
        if values[i] == value:
            equal += 1
            if equal == 1 or random_below(rng, equal) == 0:
                chosen = i
    return chosen


@helper
def gibbs(values, n, most, k, rng):
    """An index drawn in proportion to e^(k values); `most` is the highest. Values are spoilt."""
    for i in range(n):
        values[i] = k * (values[i] - most)
    exp_all(values, n)
    total = 0.0
    for i in range(n):
        total += values[i]
        values[i] = total
    return first_above(values, n, random_unit(rng) * total)
