"""Keeping the part of a tree below the move that was played, for the next search."""

from __future__ import annotations

import numpy as np

from playout.compiled import helper, kernel, wrapping
from playout.gametree.amaf import amaf_tidy
from playout.gametree.hot_nodes import COLD, forget_hot
from playout.gametree.joint_moves import behind_step, chooser_key
from playout.gametree.nodes import find_key
from playout.gametree.shared_counters import empty_stocks
from playout.gametree.tree_arrays import EDGES, FULL, NODES, OPEN, TREE, TreeArrays

_WORTH = 16  # joint moves for each visit of a step from which on they are not looked for
_MOST_CHOOSERS = 8


def keep_below(tree: TreeArrays, root: int, compiled: bool = True) -> None:
    """Make a node the root and drop all that cannot be reached from it."""
    nodes = int(tree.counters[NODES])
    reached = np.zeros(nodes, np.bool_)
    steps = bool(tree.head[0].joint) and tree.head[0].graph == TREE
    marks = mark_steps if steps else mark
    with wrapping():
        (marks if compiled else marks.py_func)(tree, root, reached, np.zeros(nodes, np.int64))
    kept = np.flatnonzero(reached)
    number = np.zeros(nodes, np.int64)
    number[kept] = np.arange(1, len(kept) + 1)
    firsts, counts = tree.first[kept], tree.count[kept].astype(np.int64)
    counts[tree.status[kept] != OPEN] = 0
    starts = np.cumsum(counts) - counts
    edges = int(counts.sum())
    sources = np.repeat(firsts - starts, counts) + np.arange(edges)
    for array in tree.edge_arrays():
        array[:edges] = array[sources]
    children = tree.child[:edges]
    children[:] = np.where(children > 0, number[np.maximum(children, 0)], 0)
    for array in tree.node_arrays():
        array[1 : len(kept) + 1] = array[kept]
    tree.first[1 : len(kept) + 1] = starts
    tree.counters[NODES] = len(kept) + 1
    tree.counters[EDGES] = edges
    tree.counters[FULL] = 0
    empty_stocks(tree)
    forget_hot(tree)
    tree.hot[: len(kept) + 1] = COLD
    tree.head[0].root = number[root]
    tree.table[:] = 0
    if tree.head[0].graph != TREE or steps:
        (fill_table if compiled else fill_table.py_func)(tree)
    amaf_tidy(tree)


@kernel
def mark(tree, root, reached, stack):
    """Mark the nodes that can be reached from one."""
    height = put(root, reached, stack, 0)
    while height > 0:
        height -= 1
        if tree.status[stack[height]] == OPEN:
            height = put_children(tree, stack[height], reached, stack, height)


@helper
def put(node, reached, stack, height):
    """Mark a node and put it on the stack, unless it is marked already; the stack's height then."""
    if reached[node]:
        return height
    reached[node] = True
    stack[height] = node
    return height + 1


@helper
def put_children(tree, node, reached, stack, height):
    """The same with the children of a node."""
    for edge in range(tree.first[node], tree.first[node] + tree.count[node]):
        child = tree.child[edge]
        if child > 0:
            height = put(child, reached, stack, height)
    return height


@kernel
def mark_steps(tree, root, reached, stack):
    """The same where players move at the same time: the choices of a step together lead on.

    Of steps with many joint moves and few visits those are not looked for.
    """
    choosers, choices = np.zeros(_MOST_CHOOSERS, np.int64), np.zeros(_MOST_CHOOSERS, np.int64)
    height = put(root, reached, stack, 0)
    while height > 0:
        height -= 1
        node = stack[height]
        if tree.status[node] != OPEN:
            continue
        height = put_children(tree, node, reached, stack, height)
        choosers[0] = node
        number, ways = 1, tree.count[node]
        while number < _MOST_CHOOSERS:
            key = chooser_key(tree.serial[node], number)
            other = find_key(tree, key, key)[1]
            if other == 0:
                break
            height = put(other, reached, stack, height)
            ways *= tree.count[other]
            choosers[number] = other
            number += 1
        if number == 1 or ways > _WORTH * tree.visits[node]:
            continue
        choices[:] = 0
        for _ in range(ways):
            key = chooser_key(tree.serial[node], 0)
            for i in range(number):
                key = behind_step(key, choices[i])
            child = find_key(tree, key, key)[1]
            if child > 0:
                height = put(child, reached, stack, height)
            for i in range(number):  # the next joint move
                choices[i] += 1
                if choices[i] < tree.count[choosers[i]]:
                    break
                choices[i] = 0


@kernel
def fill_table(tree):
    """Put every node into the table of keys again."""
    mask = np.uint64(len(tree.table) - 1)
    for node in range(1, tree.counters[NODES]):
        if tree.keys[node] == np.uint64(0) and tree.head[0].graph == TREE:
            continue  # a node that only its edge leads to
        entry = tree.keys[node] & mask
        while tree.table[np.int64(entry)] != 0:
            entry = (entry + np.uint64(1)) & mask
        tree.table[np.int64(entry)] = node
