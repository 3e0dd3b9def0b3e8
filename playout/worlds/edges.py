"""Edges of a tree over worlds: found by how a move looks, made as worlds bring them. Compiled.

What decides a name is how the tree's player sees the move, and who makes it: luck may decide whose
turn it is.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.random import random_below
from playout.compiled.records import hash_record, mix
from playout.worlds.arrays import (
    AVAILABLE,
    CHILD,
    COUNT,
    EDGES,
    FINE,
    FIRST,
    FULL,
    NODES,
    PLACE,
    ROOM,
    SPACE,
    SQUARES,
    TOP,
    TOTAL,
    VISITS,
    W_EDGES,
    W_NODES,
    N,
)


@helper
def name_of(game, state, move, mover, observer):
    """How an observer sees the move that a player is about to make."""
    seen = np.uint64(game.seen(state, move, observer))
    if mover == 0:
        return seen
    return mix(seen + np.uint64(mover))


@helper
def make_room(tree, node, n):
    """FINE if there is room for a node in each tree and for n more edges of one; else ROOM."""
    observers = tree.head[0].observers
    edges = tree.counters[EDGES] + 2 * (tree.nodes[node, COUNT] + n)
    for k in range(observers):
        if observers > 1:
            other = tree.path_nodes[tree.head[0].depth, k]
            edges += 2 * (tree.nodes[other, COUNT] + 1)
    nodes = tree.counters[NODES] + observers
    if edges <= len(tree.names) and nodes <= len(tree.nodes):
        return FINE
    tree.wanted[W_EDGES] = edges
    tree.wanted[W_NODES] = nodes
    return ROOM


@helper
def find_legal(tree, game, state, node, n, mover, observer):
    """Write the edges of n legal moves into `legal`, made if they are new; how many are twins.

    A node that is opened takes its moves in random order, and so do those that come later.
    """
    first, count = tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    fresh, twins, at, highest = 0, 0, 0, -1
    for i in range(n):
        name = name_of(game, state, tree.moves[i], mover, observer)
        found = -1
        for _ in range(count):  # usually the edge behind the one before
            if tree.names[first + at] == name:
                found = at
            at = at + 1 if at + 1 < count else 0
            if found >= 0:
                break
        tree.twins[i] = 0
        if found < 0:
            for j in range(fresh):
                if tree.names[tree.counters[EDGES] + j] == name:
                    found = count + j
            if found < 0:
                # behind the edges that are in use: they are moved there, or to where they fit
                found = count + fresh
                tree.names[tree.counters[EDGES] + fresh] = name
                tree.fresh[fresh] = i
                fresh += 1
        if found <= highest:
            for j in range(i):
                if tree.legal[j] == found:
                    tree.twins[i] = 1
                    twins += 1
                    break
        highest = max(highest, found)
        tree.legal[i] = found
    if fresh > 0:
        first = add_edges(tree, node, fresh)
    for i in range(n):
        tree.legal[i] += first
    return twins


@helper
def add_edges(tree, node, fresh):
    """Give a node the edges whose names stand behind all others; where its edges begin now."""
    first, count, end = tree.nodes[node, FIRST], tree.nodes[node, COUNT], tree.counters[EDGES]
    if count == 0:
        first = end
        tree.nodes[node, SPACE] = fresh
        tree.counters[EDGES] = end + fresh
    elif count + fresh > tree.nodes[node, SPACE]:
        for j in range(fresh - 1, -1, -1):
            tree.names[end + count + j] = tree.names[end + j]
        for j in range(count):
            tree.names[end + j] = tree.names[first + j]
            tree.edges[end + j] = tree.edges[first + j]
            tree.sums[end + j] = tree.sums[first + j]
            tree.edge_moves[end + j] = tree.edge_moves[first + j]
        first = end
        tree.nodes[node, SPACE] = 2 * (count + fresh)
        tree.counters[EDGES] = end + 2 * (count + fresh)
    else:
        for j in range(fresh):
            tree.names[first + count + j] = tree.names[end + j]
    # the moves that were not legal before, in random order
    shuffled = tree.shuffled
    for i in range(fresh):
        j = random_below(tree.rng, i + 1)
        shuffled[i] = shuffled[j]
        shuffled[j] = i
    # the simulation that made the node counts as one in which its first moves were available
    available = tree.nodes[node, VISITS] if count == 0 else 0
    for place in range(fresh):
        edge = first + count + shuffled[place]
        tree.edges[edge] = 0
        tree.edges[edge, AVAILABLE] = available
        tree.edges[edge, PLACE] = count + place
        tree.sums[edge] = 0.0
        tree.edge_moves[edge] = tree.moves[tree.fresh[shuffled[place]]]
    tree.nodes[node, FIRST] = first
    tree.nodes[node, COUNT] = count + fresh
    return first


@helper
def edge_named(tree, node, name, move):
    """The edge of a node with a name, made if there is none: of a move that another makes."""
    first, count = tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    for edge in range(first, first + count):
        if tree.names[edge] == name:
            return edge
    tree.names[tree.counters[EDGES]] = name
    tree.fresh[0] = 0
    first = add_edges(tree, node, 1)
    tree.edge_moves[first + count] = move
    return first + count


@helper
def known_of(tree, node, i):
    """What is known of a legal move, whatever it shows: visits, availability, and its sums.

    What a move will show nobody knows who makes it, so its edges are added up.
    """
    first, edge = tree.nodes[node, FIRST], tree.legal[i]
    own = hash_record(tree.moves[i])
    visits, available = tree.edges[edge, N], tree.edges[edge, AVAILABLE]
    total, squares, top = tree.sums[edge, TOTAL], tree.sums[edge, SQUARES], tree.sums[edge, TOP]
    for other in range(first, first + tree.nodes[node, COUNT]):
        if other != edge and hash_record(tree.edge_moves[other]) == own:
            if tree.edges[other, N] > 0:
                top = max(top, tree.sums[other, TOP]) if visits > 0 else tree.sums[other, TOP]
            visits += tree.edges[other, N]
            available += tree.edges[other, AVAILABLE]
            total += tree.sums[other, TOTAL]
            squares += tree.sums[other, SQUARES]
    return visits, available, total, squares, top


@helper
def child_of(tree, edge):
    """The node behind an edge, made if there is none; 0 if there are as many as there may be."""
    child = tree.edges[edge, CHILD]
    if child == 0:
        if tree.counters[NODES] > tree.head[0].most_nodes:
            tree.counters[FULL] = 1
            return child
        child = tree.counters[NODES]
        tree.counters[NODES] = child + 1
        tree.nodes[child] = 0
        tree.edges[edge, CHILD] = child
    return child
