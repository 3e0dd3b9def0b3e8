"""A tree with priors for one player: nodes, PUCT on locally normalised values, virtual loss.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search (Integrating Policies into MCTS). A node stands for the move that leads to it, as in
`algorithms/move_tree.py`, whose helpers serve here as well. `visits` counts playouts that are under
way too; `pending` says how many those are.

The value of a move is the mean of its finished playouts, or the highest; one without any has the
value of the first playout from its parent (`start`). From it the virtual loss is taken, w times the
playouts under way times its size, and what comes out is scaled to [-1, 1] among the moves of the
node. So nothing need be known of the range of scores.
"""

from __future__ import annotations

import math

from playout.algorithms.move_tree import LARGEST_SCORE, MAX, normalised
from playout.compiled import helper, record
from playout.compiled.random import random_below, random_unit

NO_MOVES = -1  # `first` of a node that a playout has found to be the end of the game

PRIOR_NODE = record(
    first="i4",  # the first of its children
    count="i4",  # how many they are; 0 while there are none
    visits="i4",
    pending="i4",  # visits whose playouts are not finished
    prior="f8",
    total="f8",  # of the scores
    top="f8",  # the highest score
    start="f8",  # the score of the first playout that went through its children
    known="i1",  # whether all games below it have been played, and need not be again
)


@helper
def clear_prior_node(node, prior):
    """Make a node new: no children and no visits."""
    node.first = 0
    node.count = 0
    node.visits = 0
    node.pending = 0
    node.prior = prior
    node.total = 0.0
    node.top = -math.inf
    node.start = 0.0
    node.known = 0


@helper
def edge_value(node, start, value, loss):
    """Q - L of a move: its value less the virtual loss of the playouts under way."""
    done = node.visits - node.pending
    x = start
    if done > 0:
        x = node.top if value == MAX else node.total / done
    return x - loss * node.pending * abs(x)


@helper
def select_puct(tree, parent, options):
    """The child with the highest normalised value and bound, of those that are not known.

    The lowest index of equals. `options` has `c_puct`, `value` and `virtual_loss`.
    """
    node = tree[parent]
    first, beyond = node.first, node.first + node.count
    low, high = math.inf, -math.inf
    for c in range(first, beyond):
        x = edge_value(tree[c], node.start, options.value, options.virtual_loss)
        low, high = min(low, x), max(high, x)
    scale = options.c_puct * math.sqrt(node.visits)
    best, most = first, -math.inf
    for c in range(first, beyond):
        if tree[c].known:
            continue
        x = edge_value(tree[c], node.start, options.value, options.virtual_loss)
        x = normalised(x, low, high) + scale * tree[c].prior / (1 + tree[c].visits)
        if x > most:
            best, most = c, x
    return best


@helper
def pick_first(weights, counts, n, before, rng):
    """The move with which a playout leaves the tree, when `before` others chose just before it.

    They all choose by PUCT where no value is known yet: the first takes the highest prior, a random
    one of equals, the next the highest prior / (1 + visits), and so on. `counts` is working space.
    """
    for i in range(n):
        counts[i] = 0
    for _ in range(before):
        best = 0
        for i in range(1, n):
            if weights[i] / (1 + counts[i]) > weights[best] / (1 + counts[best]):
                best = i
        counts[best] += 1
    best, equals = 0, 1
    for i in range(1, n):
        x, y = weights[i] / (1 + counts[i]), weights[best] / (1 + counts[best])
        if x > y:
            best, equals = i, 1
        elif x == y:
            equals += 1
            if random_below(rng, equals) == 0:
                best = i
    return best


@helper
def go_through(node):
    """Note a playout that goes through a node and is not finished."""
    node.visits += 1
    node.pending += 1


@helper
def finish_playout(node, score):
    """Take the score of a playout that went through a node."""
    score = min(max(score, -LARGEST_SCORE), LARGEST_SCORE)
    node.pending -= 1
    node.total += score
    node.top = max(node.top, score)


@helper
def note_end(tree, path, depth):
    """Note that the last node of a path is known, and the nodes above it that are so by this."""
    tree[path[depth]].known = 1
    for i in range(depth - 1, -1, -1):
        node = tree[path[i]]
        for c in range(node.first, node.first + node.count):
            if not tree[c].known:
                return
        node.known = 1


@helper
def add_noise(tree, parent, epsilon, alpha, rng, noise):
    """Mix Dirichlet noise into the priors of a node's children; `noise` is working space."""
    first, n = tree[parent].first, tree[parent].count
    total = 0.0
    for i in range(n):
        noise[i] = random_gamma(alpha, rng)
        total += noise[i]
    if total > 0.0:
        for i in range(n):
            node = tree[first + i]
            node.prior = (1.0 - epsilon) * node.prior + epsilon * noise[i] / total


@helper
def random_gamma(alpha, rng):
    """A random number of the gamma distribution with shape `alpha` and scale 1.

    G. Marsaglia and W. Tsang, A Simple Method for Generating Gamma Variables, 2000; below 1 from
    that of alpha + 1.
    """
    shape = alpha if alpha >= 1.0 else alpha + 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    x, v = 0.0, 0.0
    while True:
        v = 0.0
        while v <= 0.0:
            radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng)))
            x = radius * math.cos(2.0 * math.pi * random_unit(rng))
            v = 1.0 + c * x
        v = v * v * v
        if math.log(1.0 - random_unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
            break
    if alpha < 1.0:
        return d * v * (1.0 - random_unit(rng)) ** (1.0 / alpha)
    return d * v
