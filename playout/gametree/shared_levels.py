"""What the workers of a slow-tree search have in common: the first levels of their graphs.

The numbers that a worker tells the others are mostly zeros: a run of them is packed into one
negative number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playout.compiled import Compiled
from playout.contract import Game
from playout.gametree.tree_arrays import UNIT, TreeArrays

ROOT = 1  # node 0 is nobody

# indices into `counters`
NODES, EDGES, LEVELS = 0, 1, 2

MOST_NODES, MOST_EDGES = 1 << 17, 1 << 20  # what is met later stays each worker's own


def pack(values: np.ndarray) -> np.ndarray:
    """Numbers from 0 with each run of zeros as one negative number.

    >>> pack(np.array([0, 0, 0, 5, 0, 0])).tolist()
    [-3, 5, -2]
    """
    if (values < 0).any():
        raise ValueError("only numbers from 0 can be packed")
    zero = values == 0
    heads = np.flatnonzero(~zero | np.diff(zero, prepend=False))
    lengths = np.diff(heads, append=len(values))
    return np.where(zero[heads], -lengths, values[heads])


def unpack(packed: np.ndarray) -> np.ndarray:
    """The numbers that were packed."""
    return np.repeat(np.maximum(packed, 0), np.maximum(-packed, 1))


def fold(values: np.ndarray) -> np.ndarray:
    """Numbers of either sign as numbers from 0: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4."""
    return np.where(values < 0, -2 * values - 1, 2 * values)


def unfold(folded: np.ndarray) -> np.ndarray:
    """The numbers that were folded."""
    return np.where(folded % 2 == 1, -(folded + 1) // 2, folded // 2)


class SharedLevels(Compiled):
    """The nodes of the first levels that any worker has, and the sums of all workers there.

    Nodes and edges are in the order in which they were met. A node has edges if some worker has
    gone on from it and it is not of the last level.

    - `keys`, `level`, `mover`, `parent`, `by` (the edge from the parent), `first`, `count`: one for
      each node;
    - `owner`, `moves`, `codes` (of the moves), `child`: one for each edge;
    - `visits`, `totals`: N(s) and R(s) of nodes without edges; `edge_visits`: N(s, a), and
      `edge_squares` likewise; `values`: Q(s) for each player, if it is `known`;
    - with a row for each worker: `node_of`, its own number of a node, and `edge_of`, its own
      number of an edge plus 1, both 0 if it has none; `given` and `edge_given`, whether its own
      statistics have the sums of the last meeting in them.
    """

    fields = (
        *("counters", "table", "keys", "level", "mover", "parent", "by", "first", "count"),
        *("owner", "moves", "codes", "child", "node_of", "edge_of"),
    )

    def __init__(self, game: Game, workers: int, levels: int) -> None:
        nodes, edges = (MOST_NODES, MOST_EDGES) if levels else (2, 1)
        self.counters = np.array([ROOT, 0, levels])
        self.table = np.zeros(2 * nodes, np.int64)
        self.keys = np.zeros(nodes, np.uint64)
        self.mover = np.zeros(nodes, np.int8)
        self.known = np.zeros(nodes, np.bool_)
        self.level, self.parent, self.by = np.zeros((3, nodes), np.int64)
        self.first, self.count, self.visits = np.zeros((3, nodes), np.int64)
        self.totals = np.zeros((nodes, game.players), np.int64)
        self.values = np.zeros((nodes, game.players))
        self.owner, self.child = np.zeros((2, edges), np.int64)
        self.edge_visits, self.edge_squares = np.zeros((2, edges), np.int64)
        self.codes = np.zeros(edges, np.uint64)
        self.moves = np.zeros(edges, game.move_type)
        self.node_of = np.zeros((workers, nodes), np.int64)
        self.given = np.zeros((workers, nodes), np.bool_)
        self.edge_of = np.zeros((workers, edges), np.int64)
        self.edge_given = np.zeros((workers, edges), np.bool_)

    # what is in it

    def clear(self) -> None:
        """Begin anew."""
        self._keep(np.arange(0), np.arange(0))

    def go_on_behind(self, code: int, kept: Sequence[bool]) -> None:
        """Go on behind the root's move of this code; which workers have kept their graphs."""
        here = slice(self.first[ROOT], self.first[ROOT] + self.count[ROOT])
        found = np.flatnonzero(self.codes[here] == code)
        root = int(self.child[here][found[0]]) if len(found) else 0
        if root == 0:
            self.clear()
            return
        order, level, by = [root], {root: 0}, {root: 0}
        for node in order:  # which grows
            for edge in range(self.first[node], self.first[node] + self.count[node]):
                child = int(self.child[edge])
                if child > 0 and child not in level:
                    order.append(child)
                    level[child], by[child] = level[node] + 1, edge
        nodes = np.array(order)
        spans = [(self.first[node], self.count[node]) for node in order]
        parts = [np.arange(first, first + count) for first, count in spans]
        edges = np.concatenate([np.arange(0), *parts])
        parents = self.owner[[by[node] for node in order]]
        self.level[nodes] = [level[node] for node in order]
        self.by[nodes] = [by[node] for node in order]
        self.parent[nodes] = parents
        self._keep(nodes, edges)
        lost = [not have for have in kept]
        self.given[lost] = False
        self.edge_given[lost] = False

    def _keep(self, nodes: np.ndarray, edges: np.ndarray) -> None:
        """Keep these nodes, from ROOT on, and these edges; workers will find their own again."""
        old_nodes, old_edges = int(self.counters[NODES]), int(self.counters[EDGES])
        n, m = len(nodes) + ROOT, len(edges)
        new_node, new_edge = np.zeros(old_nodes, np.int64), np.zeros(old_edges + 1, np.int64)
        new_node[nodes] = np.arange(ROOT, n)
        new_edge[edges] = np.arange(m)
        shape = (self.keys, self.level, self.mover, self.parent, self.by, self.first, self.count)
        for array in (*shape, self.visits, self.totals, self.values, self.known):
            array[ROOT:n] = array[nodes]
            array[n:old_nodes] = 0
        sums = (self.edge_visits, self.edge_squares)
        for array in (self.owner, self.moves, self.codes, self.child, *sums):
            array[:m] = array[edges]
            array[m:old_edges] = np.zeros(1, array.dtype)
        self.given[:, ROOT:n] = self.given[:, nodes]
        self.given[:, n:old_nodes] = False
        self.edge_given[:, :m] = self.edge_given[:, edges]
        self.edge_given[:, m:old_edges] = False
        self.node_of[:, :old_nodes] = 0
        self.edge_of[:, :old_edges] = 0
        self.parent[ROOT:n] = new_node[self.parent[ROOT:n]]
        self.by[ROOT:n] = new_edge[self.by[ROOT:n]]
        self.first[ROOT:n] = new_edge[self.first[ROOT:n]]
        self.owner[:m] = new_node[self.owner[:m]]
        self.child[:m] = new_node[self.child[:m]]
        self.counters[NODES], self.counters[EDGES] = n, m
        self._fill_table()

    def _fill_table(self) -> None:
        self.table[:] = 0
        mask = len(self.table) - 1
        for node in range(ROOT, int(self.counters[NODES])):
            entry = int(self.keys[node]) & mask
            while self.table[entry]:
                entry = (entry + 1) & mask
            self.table[entry] = node

    # a meeting

    def _parts(self) -> tuple[list[np.ndarray], np.ndarray]:
        """The edges of each level, and the nodes without edges."""
        levels = self.level[self.owner[: self.counters[EDGES]]]
        ends = np.flatnonzero(self.count[ROOT : self.counters[NODES]] == 0) + ROOT
        return [np.flatnonzero(levels == i) for i in range(int(self.counters[LEVELS]))], ends

    def message(self, tree: TreeArrays, worker: int) -> list[np.ndarray]:
        """What a worker has done since the last meeting, packed.

        N(s, a) of level 0, of level 1, ..., sums of squares if there are any, then N(s) and each
        player's R(s) of the nodes without edges.
        """
        levels, ends = self._parts()
        edges = np.concatenate(levels)
        own = self.edge_of[worker, edges] - 1
        self.edge_given[worker, edges] &= own >= 0
        given = self.edge_given[worker, edges]
        sums = [_since(tree.edge_visits, own, self.edge_visits[edges], given)]
        parts = np.split(sums[0], np.cumsum([len(level) for level in levels])[:-1])
        if len(tree.edge_squares):
            parts.append(_since(tree.edge_squares, own, self.edge_squares[edges], given))
        own = np.where(self.node_of[worker, ends] > 0, self.node_of[worker, ends], -1)
        self.given[worker, ends] &= own >= 0
        given = self.given[worker, ends]
        parts.append(_since(tree.visits, own, self.visits[ends], given))
        for p in range(self.totals.shape[1]):
            parts.append(fold(_since(tree.totals[:, p], own, self.totals[ends, p], given)))
        return [pack(part) for part in parts]

    def combine(self, messages: Sequence[list[np.ndarray]]) -> list[np.ndarray]:
        """Add what the workers have told to the sums; the answer that goes to each, packed."""
        levels, ends = self._parts()
        players = self.totals.shape[1]
        told = [[unpack(part) for part in message] for message in messages]
        for parts in told:
            parts[-players:] = [unfold(part) for part in parts[-players:]]
        sums = [np.sum(parts, axis=0) for parts in zip(*told, strict=True)]
        for edges, visits in zip(levels, sums, strict=False):
            self.edge_visits[edges] += visits
        if len(sums) > len(levels) + 1 + players:
            self.edge_squares[np.concatenate(levels)] += sums[len(levels)]
        self.visits[ends] += sums[-players - 1]
        self.totals[ends] += np.stack(sums[-players:], axis=1)
        self._evaluate(levels, ends)
        sums[-players:] = [fold(part) for part in sums[-players:]]
        return [pack(part) for part in sums]

    def _evaluate(self, levels: list[np.ndarray], ends: np.ndarray) -> None:
        """Q(s), from the last level up."""
        n = int(self.counters[NODES])
        self.known[ends] = self.visits[ends] > 0
        ends = ends[self.known[ends]]
        self.values[ends] = self.totals[ends] / (UNIT * self.visits[ends, None])
        for edges in reversed(levels):
            edges = edges[(self.edge_visits[edges] > 0) & self.known[self.child[edges]]]
            owner, times = self.owner[edges], self.edge_visits[edges]
            weight = np.bincount(owner, times, n)
            here = np.flatnonzero(weight)
            self.known[here] = True
            for p in range(self.values.shape[1]):
                mixed = np.bincount(owner, times * self.values[self.child[edges], p], n)
                self.values[here, p] = mixed[here] / weight[here]

    def write_to(self, tree: TreeArrays, worker: int) -> None:
        """Give a worker the sums of all, as its own statistics."""
        n, m = int(self.counters[NODES]), int(self.counters[EDGES])
        visits = self.visits[:n].copy()
        inner = self.count[:n] > 0
        visits[inner] = np.bincount(self.owner[:m], self.edge_visits[:m], n)[inner]
        totals = np.where(
            inner[:, None], np.rint(visits[:, None] * self.values[:n] * UNIT), self.totals[:n]
        )
        nodes = np.flatnonzero((self.node_of[worker, :n] > 0) & self.known[:n])
        own = self.node_of[worker, nodes]
        tree.visits[own] = visits[nodes]
        tree.totals[own] = totals[nodes]
        tree.values[own] = self.values[nodes]
        self.given[worker, :n] = False
        self.given[worker, nodes] = True
        edges = np.flatnonzero(self.edge_of[worker, :m])
        own = self.edge_of[worker, edges] - 1
        tree.edge_visits[own] = self.edge_visits[edges]
        if len(tree.edge_squares):
            tree.edge_squares[own] = self.edge_squares[edges]
        self.edge_given[worker, :m] = False
        self.edge_given[worker, edges] = True
        edges = edges[self.known[self.child[edges]]]
        quality = self.values[self.child[edges], self.mover[self.owner[edges]]]
        tree.edge_totals[self.edge_of[worker, edges] - 1] = np.rint(
            self.edge_visits[edges] * quality * UNIT
        )


def _since(array: np.ndarray, own: np.ndarray, before: np.ndarray, given: np.ndarray) -> np.ndarray:
    """How much a worker's own numbers have grown since the last meeting; own -1: it has none."""
    return np.where(own >= 0, array[own] - np.where(given, before, 0), 0)
