"""Keeping the part of a tree over worlds below the move that was played, for the next search."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from playout.compiled import kernel
from playout.contract import Game
from playout.worlds.arrays import (
    CHILD,
    COUNT,
    EDGES,
    FIRST,
    FULL,
    IDLE,
    NODES,
    PAIR_WORDS,
    PAIRS,
    ROW_SPACE,
    SPACE,
    TABLE,
    TABLES,
    WorldTree,
)
from playout.worlds.root_worlds import find_edge

KEPT = ("roots", "nodes", "names", "edges", "sums", "edge_moves", "tables", "pairs")


def kept_below(
    tree: WorldTree, game: Game, position: np.ndarray, move: Any, compiled: bool = True
) -> bool:
    """Make the nodes behind a move the roots, and drop all else; False if there is none.

    The move is about to be played in `position`.
    """
    many = len(tree.roots) > 1
    roots = []
    for k, root in enumerate(tree.roots):
        edge = find_edge(tree, game, position, move, int(root), k if many else None)
        roots.append(0 if edge is None else int(tree.edges[edge, CHILD]))
    if 0 in roots:
        return False
    spare = _empty_like(tree)
    spare.roots[:] = np.arange(1, len(roots) + 1)
    spare.nodes[1 : len(roots) + 1] = tree.nodes[roots]
    spare.counters[NODES] = len(roots) + 1
    (copy_below if compiled else copy_below.py_func)(tree, spare)
    for name in KEPT:
        setattr(tree, name, getattr(spare, name))
    for counter in (NODES, EDGES, TABLES, PAIR_WORDS):
        tree.counters[counter] = spare.counters[counter]
    tree.counters[FULL] = 0
    tree.head[0].phase = IDLE
    return True


def _empty_like(tree: WorldTree) -> WorldTree:
    """A tree with arrays of its own, of the same sizes."""
    spare = copy.copy(tree)
    for name in (*KEPT, "counters"):
        setattr(spare, name, np.zeros_like(getattr(tree, name)))
    return spare


@kernel
def copy_below(tree, spare):
    """Copy all that can be reached from the roots of `spare`, whose rows are those of `tree`."""
    node = 1
    while node < spare.counters[NODES]:
        row = spare.nodes[node]
        first, count, end = row[FIRST], row[COUNT], spare.counters[EDGES]
        for i in range(count):
            spare.names[end + i] = tree.names[first + i]
            spare.edges[end + i] = tree.edges[first + i]
            spare.sums[end + i] = tree.sums[first + i]
            spare.edge_moves[end + i] = tree.edge_moves[first + i]
            child = tree.edges[first + i, CHILD]
            if child > 0:
                number = spare.counters[NODES]
                spare.counters[NODES] = number + 1
                spare.nodes[number] = tree.nodes[child]
                spare.edges[end + i, CHILD] = number
        row[FIRST] = end
        spare.counters[EDGES] = end + row[SPACE]
        if row[ROW_SPACE] > 0:
            width = np.int64(tree.tables[row[TABLE]])
            table, start = spare.counters[TABLES], row[TABLE]
            for i in range(1 + row[ROW_SPACE] * (1 + width)):
                spare.tables[table + i] = tree.tables[start + i]
            spare.counters[TABLES] = table + 1 + row[ROW_SPACE] * (1 + width)
            row[TABLE] = table
            pairs, start = spare.counters[PAIR_WORDS], row[PAIRS]
            for i in range(width * width):
                spare.pairs[pairs + i] = tree.pairs[start + i]
            spare.counters[PAIR_WORDS] = pairs + width * width
            row[PAIRS] = pairs
        node += 1
