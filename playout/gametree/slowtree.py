"""Slow-tree parallelism: each worker searches a graph of its own, and at intervals the first levels
of the graphs are combined.

At a meeting every worker tells how often each move of the first levels was visited since the last
meeting, N(s, a), and the visits and rewards of the positions behind them, N(s) and R(s). The sums
go back to all, and values are made anew from the last level up (UCT3):

    Q(s) = R(s) / N(s) on the last level, and where no worker has gone on;
    Q(s) = sum of N(s, a) / N(s) Q(s') over the moves a to s', with N(s) = sum of N(s, a), above;
    R(s, a) = N(s, a) Q(s').

Positions are known by their keys: where they are canonical, symmetric ones are combined too.

P. Agrawal, Parallelization of the Monte Carlo Tree Search Approach in Dots-and-Boxes, Western
Kentucky University, 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playout.compiled import helper, kernel, wrapping
from playout.compiled.records import hash_record
from playout.gametree.nodes import FINE, make_canonical, new_node, open_node
from playout.gametree.parallel_schemes import RootTeam
from playout.gametree.shared_levels import EDGES, LEVELS, NODES, ROOT, SharedLevels
from playout.gametree.tree_arrays import LEAF, OPEN, TreeArrays


class SlowTreeTeam(RootTeam):
    """A graph for each worker, and what the workers have in common."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        options = self.algorithm.options
        self.levels, self.interval = options.levels, options.interval
        self.common = SharedLevels(self.game, self.workers, self.levels)

    def restart(self) -> None:
        self.common.clear()

    def played(self, move: Any, kept: Sequence[bool]) -> None:
        with wrapping():
            self.common.go_on_behind(int(hash_record(move)), kept)

    def simulate(self, goal: int) -> None:
        if goal == 0:
            super().simulate(0)
            self.meet()  # levels that a move has brought nearer are combined at once
            return
        together = self.workers * self.interval
        while self.done() < goal and self.status() == FINE:
            part = min(goal, (self.done() // together + 1) * together)
            super().simulate(part)
            if part % together == 0 and self.status() == FINE:
                self.meet()

    def end(self) -> None:
        self.meet()

    def roots(self) -> list[TreeArrays]:
        """After a meeting one root has the visits of all."""
        return self.trees[:1] if self.levels else self.trees

    def meet(self) -> None:
        """Combine the first levels of all graphs."""
        if not self.levels:
            return
        for worker, tree in enumerate(self.trees):
            extend(self.common, tree, worker)
        told = [self.common.message(tree, worker) for worker, tree in enumerate(self.trees)]
        answer = self.common.combine(told)
        sent = sum(part.nbytes for message in told for part in message)
        self.shared_bytes += sent + self.workers * sum(part.nbytes for part in answer)
        self._together(self._hear)

    def _hear(self, worker: int) -> None:
        tree = self.trees[worker]
        complete(self.common, tree, self.game, self.algorithm.policy, worker)
        self.common.write_to(tree, worker)


@kernel
def extend(common, tree, worker):
    """Add to what is common the nodes of the first levels that only this worker has."""
    levels = common.counters[LEVELS]
    if common.counters[NODES] == ROOT:
        add_node(common, tree, tree.head[0].root, 0, 0, 0)
    common.node_of[worker, ROOT] = tree.head[0].root
    number = ROOT
    while number < common.counters[NODES]:  # which grows
        node = common.node_of[worker, number]
        if node > 0 and common.level[number] < levels and tree.status[node] == OPEN:
            if common.count[number] == 0:
                add_edges(common, tree, number, node)
            pair_edges(common, tree, worker, number, node)
            for e in range(common.first[number], common.first[number] + common.count[number]):
                child = tree.child[common.edge_of[worker, e] - 1]
                if child <= 0:
                    continue
                if common.child[e] == 0:
                    below = common.level[number] + 1
                    common.child[e] = add_node(common, tree, child, below, number, e)
                if common.child[e] > 0:
                    common.node_of[worker, common.child[e]] = child
        number += 1


@helper
def add_node(common, tree, node, level, parent, by):
    """The number of a worker's node in what is common; 0 if there is no room for it."""
    key = tree.keys[node]
    mask = np.uint64(len(common.table) - 1)
    entry = key & mask
    while common.table[np.int64(entry)] > 0:
        number = common.table[np.int64(entry)]
        if common.keys[number] == key:
            common.level[number] = min(common.level[number], level)
            return number
        entry = (entry + np.uint64(1)) & mask
    number = max(common.counters[NODES], ROOT)
    if number == len(common.keys):
        return 0
    common.counters[NODES] = number + 1
    common.table[np.int64(entry)] = number
    common.keys[number] = key
    common.level[number] = level
    common.mover[number] = tree.mover[node]
    common.parent[number] = parent
    common.by[number] = by
    return number


@helper
def add_edges(common, tree, number, node):
    """Give a node that a worker has opened its edges, in that worker's order."""
    first, n = common.counters[EDGES], np.int64(tree.count[node])
    if first + n > len(common.child):
        return
    common.counters[EDGES] = first + n
    common.first[number] = first
    common.count[number] = n
    for i in range(n):
        move = tree.edge_moves[tree.first[node] + i]
        common.moves[first + i] = move
        common.codes[first + i] = hash_record(move)
        common.owner[first + i] = number


@helper
def pair_edges(common, tree, worker, number, node):
    """Find a worker's own edges for those of a node; each worker has them in another order."""
    first, n = common.first[number], common.count[number]
    if n == 0 or common.edge_of[worker, first] > 0:
        return
    for edge in range(tree.first[node], tree.first[node] + n):
        code = hash_record(tree.edge_moves[edge])
        for e in range(first, first + n):
            if common.codes[e] == code:
                common.edge_of[worker, e] = edge + 1


@kernel
def complete(common, tree, game, policy, worker):
    """Give a worker the nodes and edges that others have, as long as there is room."""
    for number in range(ROOT, common.counters[NODES]):
        node = common.node_of[worker, number]
        if node == 0 and common.edge_of[worker, common.by[number]] > 0:
            node = new_node(tree, 0, common.keys[number], common.mover[number], True)
            common.node_of[worker, number] = node
        if node > 0 and common.count[number] > 0:
            if tree.status[node] == LEAF:
                reach(common, tree, game, number)
                open_node(tree, game, policy, 0, tree.states[0], node)
            if tree.status[node] == OPEN:
                pair_edges(common, tree, worker, number, node)
    for e in range(common.counters[EDGES]):
        edge = common.edge_of[worker, e] - 1
        if edge >= 0 and tree.child[edge] == 0 and common.child[e] > 0:
            tree.child[edge] = common.node_of[worker, common.child[e]]


@helper
def reach(common, tree, game, number):
    """Write the position of a node into `states`, by the moves that lead to it."""
    depth, at = 0, number
    while at != ROOT:
        depth, at = depth + 1, common.parent[at]
    tree.states[0] = tree.root_state[0]
    for left in range(depth - 1, -1, -1):
        at = number
        for _ in range(left):
            at = common.parent[at]
        game.play(tree.states[0], common.moves[common.by[at]])
        if tree.head[0].symmetry:
            make_canonical(tree, game, 0, tree.states[0])
