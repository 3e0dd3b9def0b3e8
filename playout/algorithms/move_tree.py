"""A tree of moves for single-player search, and the formulas that choose a move in it.

A node stands for the move that leads to it and holds the statistics of that edge. The children of
a node lie side by side, one for each legal move, so that choosing among them reads one stretch
of memory. States are not stored: they are replayed from the root.

- Upper confidence bounds for trees: L. Kocsis and C. Szepesvari, Bandit Based Monte-Carlo
  Planning, ECML 2006.
- The deviation term: M. Schadd, M. Winands, J. van den Herik, G. Chaslot and J. Uiterwijk,
  Single-Player Monte-Carlo Tree Search, 2008.
- Max-min normalisation: A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration
  Using Monte-Carlo Tree Search, eq. (1).
"""

from __future__ import annotations

import math

from playout.compiled import helper, record
from playout.compiled.random import random_below

NODE = record(
    first="i8",  # the first of its children
    count="i8",  # how many they are; 0 while there are none
    visits="i8",
    total="f8",  # of the scores
    squares="f8",  # total of the squared scores
    top="f8",  # the highest score
)

MEAN, MAX = 0, 1

# Scores are cut to this in the statistics: an infinite one would make differences undefined.
LARGEST_SCORE = 1e100


@helper
def exploration(C, parent_visits, visits):
    """The width of the upper confidence bound: C sqrt(ln N / n)."""
    return C * math.sqrt(math.log(parent_visits) / visits)


@helper
def deviation(visits, total, squares, D):
    """SP-MCTS's third term: sqrt((sum x^2 - n mean^2 + D) / n)."""
    spread = squares - total * total / visits + D
    # with equal scores rounding can make it negative
    return math.sqrt(spread / visits) if spread > 0.0 else 0.0


@helper
def normalised(value, low, high):
    """Max-min normalisation to [-1, 1]; 1 where all values are equal."""
    return 2.0 * (value - low) / (high - low) - 1.0 if high > low else 1.0


@helper
def value_of(node, value):
    """The value of a visited node: the mean of its scores or the highest."""
    return node.top if value == MAX else node.total / node.visits


@helper
def clear(node):
    """Make a node new: no children and no visits."""
    node.first = 0
    node.count = 0
    node.visits = 0
    node.total = 0.0
    node.squares = 0.0
    node.top = -math.inf


@helper
def back_up(node, score):
    """Take the score of a playout into a node on its path."""
    score = min(max(score, -LARGEST_SCORE), LARGEST_SCORE)
    node.visits += 1
    node.total += score
    node.squares += score * score
    node.top = max(node.top, score)


@helper
def select(tree, parent, options, rng):
    """The child to go to: one without visits at random, else the highest bound, lowest index.

    `options` has `C`, `D`, `deviation`, `value` and `normalise`. Normalised, the deviation is
    scaled as the values are, so that it stays the deviation of what it is added to.
    """
    first = tree[parent].first
    beyond = first + tree[parent].count
    untried = 0
    low, high = math.inf, -math.inf
    for c in range(first, beyond):
        if tree[c].visits == 0:
            untried += 1
        else:
            x = value_of(tree[c], options.value)
            low, high = min(low, x), max(high, x)
    if untried > 0:
        left = random_below(rng, untried)
        for c in range(first, beyond):
            if tree[c].visits == 0:
                if left == 0:
                    return c
                left -= 1
    best, most = first, -math.inf
    scale = 1.0
    if options.normalise:
        scale = 2.0 / (high - low) if high > low else 0.0
    for c in range(first, beyond):
        node = tree[c]
        x = value_of(node, options.value)
        if options.normalise:
            x = normalised(x, low, high)
        if options.deviation:
            x += scale * deviation(node.visits, node.total, node.squares, options.D)
        x += exploration(options.C, tree[parent].visits, node.visits)
        if x > most:
            best, most = c, x
    return best


@helper
def prune(tree, tree_moves, new_index, used, root):
    """Make a node the root and drop all that is not below it; how many nodes are left.

    `new_index` is working space: where each node goes.
    """
    for i in range(root, used):
        new_index[i] = -1
    new_index[root] = 0
    kept = 0
    # Children lie behind their parents, so one pass finds all that stay, and they only ever
    # move forward.
    for i in range(root, used):
        if new_index[i] >= 0:
            new_index[i] = kept
            for c in range(tree[i].first, tree[i].first + tree[i].count):
                new_index[c] = 0
            tree[kept] = tree[i]
            tree_moves[kept] = tree_moves[i]
            kept += 1
    for i in range(kept):
        if tree[i].count > 0:
            tree[i].first = new_index[tree[i].first]
    return kept
