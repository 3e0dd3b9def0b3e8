"""Making nodes: leaves for positions, their edges, and the root of a tree. Compiled.

Several threads may make nodes in one tree. What a node or an edge holds is written before the
number that says that it is there.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import helper, kernel
from playout.compiled.atomics import compare_exchange, fetch_add, load, store
from playout.compiled.maths import SUM_OF_NONSENSE, exp
from playout.compiled.random import random_below
from playout.contract import most_moves
from playout.gametree.amaf import amaf_tidy
from playout.gametree.hot_nodes import COLD, forget_hot
from playout.gametree.shared_counters import empty_stocks, give_back_node, take_edges, take_node
from playout.gametree.tree_arrays import (
    BUSY,
    EDGES,
    END,
    FULL,
    LEAF,
    MAKING,
    NODES,
    NOWHERE,
    OPEN,
    SERIALS,
    TREE,
)

FINE, TOO_MANY_MOVES, BAD_PRIOR = 0, -1, -4

# whether a node's rewards are certain: not known, yes, or a thread is just writing them
UNPROVEN, PROVEN, PROVING = 0, 1, 2


@helper
def open_node(tree, game, policy, slot, state, node):
    """Give a leaf its edges; what it is then, or an error. It stays a leaf if there is no room."""
    if not compare_exchange(tree.status, node, LEAF, BUSY):
        return load(tree.status, node)
    moves = tree.moves[slot]
    n = game.moves(state, moves)
    if not 0 <= n <= most_moves(moves):
        return TOO_MANY_MOVES
    if n == 0:
        if tree.head[0].solver:
            for p in range(tree.head[0].players):
                tree.proven[node, p] = game.reward(state, p)
            store(tree.proof, node, PROVEN)
        store(tree.status, node, END)
        return END
    first = take_edges(tree, slot, n)
    if first < 0:
        store(tree.status, node, LEAF)
        return LEAF
    rng = tree.rng[slot : slot + 1]
    for i in range(n):  # in random order
        j = random_below(rng, i + 1)
        tree.edge_moves[first + i] = tree.edge_moves[first + j]
        tree.edge_moves[first + j] = moves[i]
    for edge in range(first, first + n):
        tree.child[edge] = NOWHERE
        tree.edge_visits[edge] = 0
        tree.edge_totals[edge] = 0
        if tree.head[0].shared:
            tree.edge_loss[edge] = 0
        if policy.wants_squares():
            tree.edge_squares[edge] = 0
        if len(tree.edge_top) > 0:
            tree.edge_top[edge] = -math.inf
    weighed = True
    if policy.wants_prior():
        weighed = set_priors(tree, game, state, first, n)
    tree.first[node] = first
    tree.count[node] = n
    tree.tried[node] = 0
    tree.mover[node] = game.turn(state)
    store(tree.status, node, OPEN)
    return OPEN if weighed else BAD_PRIOR


@helper
def set_priors(tree, game, state, first, n):
    """The moves' probabilities, proportional to exp(bias); False where these are no numbers."""
    highest = -math.inf
    for edge in range(first, first + n):
        highest = max(highest, game.bias(state, tree.edge_moves[edge]))
    total = 0.0
    for edge in range(first, first + n):
        weight = exp(game.bias(state, tree.edge_moves[edge]) - highest)
        tree.edge_prior[edge] = weight
        total += weight
    if not total < SUM_OF_NONSENSE:
        return False
    for edge in range(first, first + n):
        tree.edge_prior[edge] /= total
    return True


@helper
def follow(tree, game, slot, state, edge):
    """The node that an edge leads to, made if it is not there; 0 if there is no room for it.

    `state` is the position behind the edge; with symmetry it becomes the canonical one.
    """
    head = tree.head[0]
    if head.symmetry:
        make_canonical(tree, game, slot, state)
    node = load(tree.child, edge)
    if node > 0:
        return node
    if node == MAKING or not compare_exchange(tree.child, edge, NOWHERE, MAKING):
        return 0
    key = np.uint64(game.key(state)) if head.graph != TREE else np.uint64(0)
    node = new_node(tree, slot, key, game.turn(state), head.graph != TREE)
    store(tree.child, edge, node)
    return node


@helper
def new_node(tree, slot, key, mover, listed):
    """A leaf for a position; if positions are listed by key, the node that has it already.

    0 if there is no room.
    """
    head = tree.head[0]
    entry, found = np.uint64(0), 0
    if listed:
        entry, found = find_key(tree, key, key)
        if found > 0:
            return found
    node = take_node(tree, slot)
    if node < 0:
        return 0
    tree.visits[node] = 0
    tree.count[node] = 0
    tree.first[node] = 0
    tree.tried[node] = 0
    tree.mover[node] = mover
    if len(tree.serial) > 0:
        tree.serial[node] = fetch_add(tree.counters, SERIALS, 1)
    if head.shared:
        tree.hot[node] = COLD
    if head.solver:
        store(tree.proof, node, UNPROVEN)
    if len(tree.keys) > 0:
        tree.keys[node] = key
    if head.graph != TREE:
        for p in range(head.players):
            tree.totals[node, p] = 0
    store(tree.status, node, LEAF)
    if listed:
        while not compare_exchange(tree.table, np.int64(entry), 0, node):
            # another thread has taken the entry, perhaps for the same position
            entry, found = find_key(tree, key, entry)
            if found > 0:
                give_back_node(tree, slot)
                return found
    return node


@helper
def find_key(tree, key, entry):
    """From a entry in the table on: the entry of a key and its node, or a free entry and 0."""
    mask = np.uint64(len(tree.table) - 1)
    while True:
        entry = entry & mask
        found = load(tree.table, np.int64(entry))
        if found == 0 or tree.keys[found] == key:
            return entry, found
        entry += np.uint64(1)


@kernel
def make_root(tree, game):
    """An empty tree with the position in `root_state` at its root."""
    head = tree.head[0]
    tree.counters[NODES] = 1
    tree.counters[EDGES] = 0
    tree.counters[FULL] = 0
    empty_stocks(tree)
    forget_hot(tree)
    tree.table[:] = 0
    amaf_tidy(tree)
    head.frame = 0
    if head.symmetry > 0:
        tree.states[0] = tree.root_state[0]
        head.frame = make_canonical(tree, game, 0, tree.states[0])
        tree.root_state[0] = tree.states[0]
    key = np.uint64(game.key(tree.root_state[0])) if head.graph != TREE else np.uint64(0)
    head.root = new_node(tree, 0, key, game.turn(tree.root_state[0]), head.graph != TREE)


@helper
def make_canonical(tree, game, slot, state):
    """Replace a position by that of its symmetric forms with the lowest key; which one it was."""
    least, chosen = np.uint64(game.key(state)), 0
    for symmetry in range(1, tree.head[0].symmetry):
        other = tree.spare[2 * slot]
        game.transform(state, symmetry, other)
        key = np.uint64(game.key(other))
        if key < least:
            least, chosen = key, symmetry
            tree.spare[2 * slot + 1] = tree.spare[2 * slot]
    if chosen > 0:
        tree.states[slot] = tree.spare[2 * slot + 1]
    return chosen
