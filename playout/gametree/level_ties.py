"""What ties a worker's own graph to the levels that all workers of a slow-tree search share.

A worker looks at what is shared when it comes to a node whose sums have changed at a meeting: it
takes over the sums there and adds what it has not told yet. So it has no nodes of its own but those
that it passes. At a meeting it goes down where it has been since the last one, and tells.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper
from playout.compiled.records import hash_record
from playout.gametree.shared_levels import (
    EDGE,
    KEY,
    LEVELS,
    MEETINGS,
    MOVER,
    ROOT,
    ROUNDS,
    SQUARES,
    TOLD_EDGES,
    TOLD_ENDS,
    TOLD_MOVES,
    TOLD_OPENED,
    VISITS,
    SharedLevels,
)
from playout.gametree.tree_arrays import OPEN, UNIT, TreeArrays

# indices into `state`: the worker's number, its meetings in this search, what waits to be told
WORKER, MET, WAITING = 0, 1, 2


class LevelTies(Compiled):
    """What one worker has told and taken over.

    - of its nodes, `number`: in what is shared, 0 if it is not there; `seen` and `edges_seen`:
      the meeting whose sums it has, and whose sums its edges have; `listed`: in which round of
      a meeting it was looked through; `told_visits`, `told_totals`: what of its visits and
      rewards is in the sums; `told_passed`: what of the visits of its edges was, when they were
      taken over;
    - of its edges, `shared`: the number in what is shared plus 1, 0 if it is not known; `told`,
      `told_squares`: what of its visits and squares is in the sums; `told_values`: its value by
      the sums;
    - `queue`, `waiting`: nodes to look through, now and at the next meeting; `places`: room to find
      moves by their codes.
    """

    fields = (
        *("state", "number", "seen", "edges_seen", "listed", "told_visits", "told_passed"),
        "told_totals",
        *("shared", "told", "told_squares", "told_values", "queue", "waiting", "places"),
    )

    def __init__(self, tree: TreeArrays, common: SharedLevels, worker: int) -> None:
        nodes, edges = len(tree.status), len(tree.child)
        players = common.totals.shape[1]
        self.state = np.array([worker, 0, 0])
        self._nodes = np.zeros((nodes, 6), np.int64)
        self.number, self.seen, self.edges_seen, self.listed = self._nodes.T[:4]
        self.told_visits, self.told_passed = self._nodes.T[4:]
        self.told_totals = np.zeros((nodes, players), np.int64)
        self._edges = np.zeros((edges, 2), np.int64)
        self.shared, self.told = self._edges.T
        self.told_squares = np.zeros(len(tree.edge_squares), np.int64)
        self.told_values = np.zeros(edges)
        room = 2 * common.told_edges.shape[1]
        self.queue = np.zeros((room, 2), np.int64)
        self.waiting = np.zeros((room, 3), np.int64)
        self.places = np.zeros(1 << int(2 * tree.moves.shape[1]).bit_length(), np.int64)
        self.used = [0, 0]  # nodes and edges of the tree, at most, since it was begun
        # they move with the nodes and edges
        tree.beside_nodes += [self._nodes, self.told_totals]
        tree.beside_edges += [self._edges, self.told_values]
        tree.beside_edges += [self.told_squares] if len(self.told_squares) else []

    def forget(self, nodes: int = 0, edges: int = 0) -> None:
        """Forget all but so many nodes and edges."""
        self._nodes[nodes : self.used[0]] = 0
        self.told_totals[nodes : self.used[0]] = 0
        self._edges[edges : self.used[1]] = 0
        self.told_squares[edges : self.used[1]] = 0
        self.told_values[edges : self.used[1]] = 0
        self.used = [nodes, edges]
        self.state[WAITING] = 0

    def renumber(self, node: np.ndarray, edge: np.ndarray) -> None:
        """What is shared has other numbers now; 0 and -1: it is there no more."""
        nodes, edges = self.used
        self.number[:nodes] = node[self.number[:nodes]]
        shared = self.shared[:edges]
        self.shared[:edges] = np.where(shared > 0, np.append(edge, -1)[shared - 1] + 1, 0)


@helper
def find_edges(common, ties, tree, node, number):
    """Find a worker's edges among the shared ones of a node; each worker has another order."""
    first, n = tree.first[node], np.int64(tree.count[node])
    if ties.shared[first] > 0:
        return
    places = ties.places
    mask = np.uint64(len(places) - 1)
    places[:] = 0
    for edge in range(common.first[number], common.first[number] + common.count[number]):
        place = common.codes[edge] & mask
        while places[np.int64(place)] != 0:
            place = (place + np.uint64(1)) & mask
        places[np.int64(place)] = edge + 1
    for edge in range(first, first + n):
        code = hash_record(tree.edge_moves[edge])
        place = code & mask
        while places[np.int64(place)] != 0:
            found = places[np.int64(place)]
            if common.codes[found - 1] == code:
                ties.shared[edge] = found
                break
            place = (place + np.uint64(1)) & mask


# while simulating


@helper
def take_over_node(common, ties, tree, node, number):
    """Give a worker's node the visits and the value that all workers know, if they are news."""
    ties.number[node] = number
    if common.changed[number] <= ties.seen[node]:
        return
    ties.seen[node] = common.counters[MEETINGS]
    if not common.known[number] or common.visits[number] == 0:
        return
    if common.count[number] == 0:
        visits = common.visits[number] + tree.visits[node] - ties.told_visits[node]
        ties.told_visits[node] = common.visits[number]
        for p in range(tree.head[0].players):
            tree.totals[node, p] += common.totals[number, p] - ties.told_totals[node, p]
            ties.told_totals[node, p] = common.totals[number, p]
    else:  # of its edges when it is passed
        visits = max(common.visits[number], tree.visits[node])
        for p in range(tree.head[0].players):
            tree.totals[node, p] = round(visits * common.values[number, p] * UNIT)
    tree.visits[node] = visits
    for p in range(tree.head[0].players):
        tree.values[node, p] = common.values[number, p]


@helper
def take_over_edges(common, ties, tree, policy, node):
    """Give the edges of a worker's node the sums of all workers, if they are news."""
    number = ties.number[node]
    if number == 0 or common.count[number] == 0:
        return
    if common.changed[number] <= ties.edges_seen[node]:
        return
    ties.edges_seen[node] = common.counters[MEETINGS]
    find_edges(common, ties, tree, node, number)
    mover = np.int64(tree.mover[node])
    passed, told = 0, 0
    for edge in range(tree.first[node], tree.first[node] + tree.count[node]):
        shared = ties.shared[edge] - 1
        if shared >= 0 and (common.edge_visits[shared] > 0 or ties.told[edge] > 0):
            visits = common.edge_visits[shared] + tree.edge_visits[edge] - ties.told[edge]
            ties.told[edge] = common.edge_visits[shared]
            tree.edge_visits[edge] = visits
            if policy.wants_squares():
                tree.edge_squares[edge] += common.edge_squares[shared] - ties.told_squares[edge]
                ties.told_squares[edge] = common.edge_squares[shared]
            child = common.child[shared]
            if common.known[child]:
                worth = visits * common.values[child, mover]
                tree.edge_totals[edge] = round(worth * UNIT)
                if tree.child[edge] > 0:
                    take_over_node(common, ties, tree, tree.child[edge], child)
            ties.told_values[edge] = tree.edge_totals[edge] / (UNIT * max(visits, 1))
        passed += tree.edge_visits[edge]
        told += ties.told[edge]
    ties.told_passed[node] = told
    if passed > 0 and common.known[number]:
        tree.visits[node] = passed
        for p in range(tree.head[0].players):
            tree.values[node, p] = common.values[number, p]
            tree.totals[node, p] = round(passed * common.values[number, p] * UNIT)


@helper
def are_told(common, ties, node):
    """Whether workers tell one another of a node's edges."""
    return ties.number[node] > 0 and common.count[ties.number[node]] > 0


@helper
def as_of_all(common, ties, edge, visits, value):
    """The visits and the value of an edge, what was not told yet counted for every worker.

    The others are doing the same meanwhile. If their visits did not count, all would go on with the
    moves that looked best at the last meeting; and a worker that goes by what it has seen itself
    goes its own way until the next one.
    """
    told, workers = ties.told[edge], len(common.told)
    new = workers * (visits - told)
    if told == 0 or new <= 0:
        return told + new, value
    before = told * ties.told_values[edge]
    return told + new, (before + workers * (visits * value - before)) / (told + new)


@helper
def passed_by_all(common, ties, node, visits):
    """The visits of a node with shared edges, in the same way."""
    told = ties.told_passed[node]
    return told + len(common.told) * (visits - told)


@helper
def shared_child(common, ties, node, edge):
    """The number of the node behind a worker's edge in what is shared; 0 if it has none."""
    if ties.number[node] == 0 or ties.shared[edge] == 0:
        return np.int64(0)
    return common.child[ties.shared[edge] - 1]


# at a meeting


@helper
def tell(common, ties, tree, policy):
    """Tell the others what has been added since the last meeting."""
    worker, root = ties.state[WORKER], tree.head[0].root
    common.told[worker] = 0
    ties.number[root] = ROOT
    queued = _queue(ties, 0, root, ROOT)
    for i in range(ties.state[WAITING]):
        node, edge, number = ties.waiting[i]
        if edge >= 0:
            number = common.child[edge]
        if number > 0:
            queued = _queue(ties, queued, node, number)
    ties.state[WAITING] = 0
    at = 0
    while at < queued:
        node, number = ties.queue[at]
        at += 1
        ties.number[node] = number
        if ties.listed[node] == common.counters[ROUNDS] + 1:  # met again another way
            continue
        ties.listed[node] = common.counters[ROUNDS] + 1
        if common.count[number] == 0:
            tell_of_end(common, ties, tree, node, number)
        elif tree.status[node] == OPEN:
            find_edges(common, ties, tree, node, number)
            queued = tell_of_edges(common, ties, tree, policy, node, queued)


@helper
def tell_of_end(common, ties, tree, node, number):
    """Tell of playouts from a node that has no shared edges, and of its edges if it has some."""
    worker = ties.state[WORKER]
    told = common.told[worker]
    visits = tree.visits[node] - ties.told_visits[node]
    if visits > 0 and told[TOLD_ENDS] < common.told_ends.shape[1]:
        line = common.told_ends[worker, told[TOLD_ENDS]]
        told[TOLD_ENDS] += 1
        line[0], line[1] = number, visits
        ties.told_visits[node] = tree.visits[node]
        for p in range(tree.head[0].players):
            line[2 + p] = tree.totals[node, p] - ties.told_totals[node, p]
            ties.told_totals[node, p] = tree.totals[node, p]
    if tree.status[node] != OPEN or common.level[number] >= common.counters[LEVELS]:
        return
    first, n, moves = tree.first[node], np.int64(tree.count[node]), told[TOLD_MOVES]
    if moves + n <= common.told_moves.shape[1] and told[TOLD_OPENED] < common.told_opened.shape[1]:
        line = common.told_opened[worker, told[TOLD_OPENED]]
        told[TOLD_OPENED] += 1
        line[0], line[1] = number, n
        for i in range(n):
            common.told_moves[worker, moves + i] = tree.edge_moves[first + i]
        told[TOLD_MOVES] += n
    _wait(ties, node, -1, number)


@helper
def tell_of_edges(common, ties, tree, policy, node, queued):
    """Tell of the visits of a node's edges, and queue the nodes behind them; how many are."""
    worker = ties.state[WORKER]
    told = common.told[worker]
    for edge in range(tree.first[node], tree.first[node] + tree.count[node]):
        visits = tree.edge_visits[edge] - ties.told[edge]
        if visits == 0 or ties.shared[edge] == 0 or told[TOLD_EDGES] == common.told_edges.shape[1]:
            continue
        line = common.told_edges[worker, told[TOLD_EDGES]]
        told[TOLD_EDGES] += 1
        line[EDGE], line[VISITS], line[SQUARES] = ties.shared[edge] - 1, visits, 0
        line[KEY], line[MOVER] = 0, -1
        ties.told[edge] = tree.edge_visits[edge]
        if policy.wants_squares():
            line[SQUARES] = tree.edge_squares[edge] - ties.told_squares[edge]
            ties.told_squares[edge] = tree.edge_squares[edge]
        child, number = tree.child[edge], common.child[line[EDGE]]
        if child > 0 and number > 0:
            queued = _queue(ties, queued, child, number)
        elif child > 0:
            line[KEY], line[MOVER] = np.int64(tree.keys[child]), tree.mover[child]
            _wait(ties, child, line[EDGE], 0)
    return queued


@helper
def _queue(ties, queued, node, number):
    if queued == len(ties.queue):
        return queued
    ties.queue[queued, 0] = node
    ties.queue[queued, 1] = number
    return queued + 1


@helper
def _wait(ties, node, edge, number):
    """Look at a node at the next meeting, when it has a number or edges."""
    n = ties.state[WAITING]
    if n < len(ties.waiting):
        ties.waiting[n, 0] = node
        ties.waiting[n, 1] = edge
        ties.waiting[n, 2] = number
        ties.state[WAITING] = n + 1
