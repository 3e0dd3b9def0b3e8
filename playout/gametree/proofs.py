"""The MCTS-solver: rewards that are certain, from the ends of the game up. Compiled.

M. Winands, Y. Bjornsson and J.-T. Saito, Monte-Carlo Tree Search Solver, 2008.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import compare_exchange, load, store
from playout.gametree.nodes import PROVEN, PROVING, UNPROVEN
from playout.gametree.tree_arrays import OPEN


@helper
def is_settled(tree):
    """Whether there is nothing more to find out: the root is proven."""
    return tree.head[0].solver and load(tree.proof, tree.head[0].root) == PROVEN


@helper
def prove(tree, node):
    """Whether a node's rewards are now certain, by its children's."""
    if load(tree.proof, node) == PROVEN:
        return True
    if load(tree.status, node) != OPEN:
        return False
    first, n = tree.first[node], np.int64(tree.count[node])
    mover = np.int64(tree.mover[node])
    best, most, every = 0, -math.inf, True
    for edge in range(first, first + n):
        child = load(tree.child, edge)
        if child <= 0 or load(tree.proof, child) != PROVEN:
            every = False
        elif tree.proven[child, mover] > most:
            best, most = child, np.float64(tree.proven[child, mover])
    if not every and most < tree.head[0].highest:
        return False
    if not compare_exchange(tree.proof, node, UNPROVEN, PROVING):
        return False  # another thread is writing it
    for p in range(tree.head[0].players):
        tree.proven[node, p] = tree.proven[best, p]
    store(tree.proof, node, PROVEN)
    return True
