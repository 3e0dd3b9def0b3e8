"""What the workers of a slow-tree search have in common: the first levels of their graphs.

Workers read it while they simulate and nobody writes to it then. At a meeting each tells what it
has added since the last one (level_ties.py), and one of them adds that to the sums here, in the
order of the workers. Only what was told of is looked at: a meeting takes as long as there is news,
however much is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playout.compiled import Compiled, helper, kernel
from playout.compiled.records import hash_record
from playout.contract import Game
from playout.gametree.tree_arrays import UNIT

ROOT = 1  # node 0 is nobody

# indices into `counters`
NODES, EDGES, LEVELS, MEETINGS, ROUNDS, NEWS, BYTES = 0, 1, 2, 3, 4, 5, 6

MOST_NODES, MOST_EDGES = 1 << 18, 1 << 21  # what is met later stays each worker's own
MOST_NEWS = 1 << 16  # edges that a worker tells of at a meeting

# what a worker tells of: how many edges, nodes without edges, nodes that it has opened, moves there
TOLD_EDGES, TOLD_ENDS, TOLD_OPENED, TOLD_MOVES = 0, 1, 2, 3
# of an edge: its number, visits, squares, and the key and mover of its child; mover -1: known
EDGE, VISITS, SQUARES, KEY, MOVER = 0, 1, 2, 3, 4


class SharedLevels(Compiled):
    """The nodes of the first levels that any worker has, and the sums of all workers there.

    Nodes and edges are in the order in which they were told of. A node has edges if some worker has
    gone on from it and it is not of the last level.

    - `keys`, `level`, `mover`, `first`, `count`: one for each node; `changed`: at which meeting;
    - `owner`, `moves`, `codes` (of the moves), `child`: one for each edge; `touched`: at which
      meeting, and `news` lists those of the last one;
    - `visits`: N(s); `totals`: R(s) of nodes without edges; `values`: Q(s) for each player, if it
      is `known`; `edge_visits`: N(s, a), and `edge_squares` likewise;
    - `edge_sums`: N(s, a) Q(s') for each player, and `sums` their sum over the edges of a node;
      `edge_weight` and `weight`: the visits in them;
    - `told`, `told_edges`, `told_ends`, `told_opened`, `told_moves`: what each worker tells.
    """

    fields = (
        *("counters", "table", "keys", "level", "mover", "first", "count", "changed"),
        *("visits", "totals", "values", "known", "sums", "weight"),
        *("owner", "moves", "codes", "child", "edge_visits", "edge_squares", "touched"),
        *("edge_sums", "edge_weight", "news"),
        *("told", "told_edges", "told_ends", "told_opened", "told_moves"),
    )

    def __init__(self, game: Game, workers: int, levels: int, interval: int) -> None:
        players = game.players
        nodes, edges = (MOST_NODES, MOST_EDGES) if levels else (2, 1)
        told = min(levels * interval + 1024, MOST_NEWS)
        self.counters = np.array([ROOT, 0, levels, 0, 0, 0, 0])
        self.table = np.zeros(2 * nodes, np.int64)
        self.keys = np.zeros(nodes, np.uint64)
        self.known = np.zeros(nodes, np.bool_)
        self.mover = np.zeros(nodes, np.int8)
        self.level, self.first, self.count, self.changed = np.zeros((4, nodes), np.int64)
        self.visits, self.weight = np.zeros((2, nodes), np.int64)
        self.totals = np.zeros((nodes, players), np.int64)
        self.values, self.sums = np.zeros((2, nodes, players))
        self.owner, self.child, self.touched = np.zeros((3, edges), np.int64)
        self.edge_visits, self.edge_squares = np.zeros((2, edges), np.int64)
        self.edge_weight = np.zeros(edges, np.int64)
        self.edge_sums = np.zeros((edges, players))
        self.codes = np.zeros(edges, np.uint64)
        self.moves = np.zeros(edges, game.move_type)
        self.news = np.zeros(edges, np.int64)
        self.told = np.zeros((workers, 8), np.int64)
        self.told_edges = np.zeros((workers, told, 5), np.int64)
        self.told_ends = np.zeros((workers, told, 2 + players), np.int64)
        self.told_opened = np.zeros((workers, told, 2), np.int64)
        self.told_moves = np.zeros((workers, 16 * told + game.max_moves), game.move_type)

    def _node_arrays(self) -> Sequence[np.ndarray]:
        shape = (self.keys, self.level, self.mover, self.first, self.count, self.changed)
        return *shape, self.visits, self.totals, self.values, self.known, self.sums, self.weight

    def _edge_arrays(self) -> Sequence[np.ndarray]:
        shape = (self.owner, self.moves, self.codes, self.child, self.touched)
        return *shape, self.edge_visits, self.edge_squares, self.edge_sums, self.edge_weight

    def begin(self, key: int, mover: int) -> None:
        """Begin anew, with a position of which nothing is known at the root."""
        nodes, edges = int(self.counters[NODES]), int(self.counters[EDGES])
        for array in self._node_arrays():
            array[:nodes] = np.zeros(1, array.dtype)
        for array in self._edge_arrays():
            array[:edges] = np.zeros(1, array.dtype)
        self.table[:] = 0
        self.counters[NODES], self.counters[EDGES] = ROOT + 1, 0
        self.keys[ROOT], self.mover[ROOT] = key, mover
        self.table[int(key) & (len(self.table) - 1)] = ROOT

    def behind(self, code: int) -> int:
        """The node behind the root's move of this code; 0 if there is none."""
        here = slice(self.first[ROOT], self.first[ROOT] + self.count[ROOT])
        found = np.flatnonzero(self.codes[here] == np.uint64(code))
        return int(self.child[here][found[0]]) if len(found) else 0

    def go_on_from(self, root: int) -> tuple[np.ndarray, np.ndarray]:
        """Keep what is below a node, which becomes the root.

        The new numbers of the old nodes and edges; 0 and -1 for those that are gone.
        """
        nodes, edges = int(self.counters[NODES]), int(self.counters[EDGES])
        new_node, new_edge = np.zeros(nodes, np.int64), np.full(edges, -1)
        order = np.zeros(nodes, np.int64)
        n = find_below(self, root, order, new_node)
        kept = order[:n]
        counts = self.count[kept]
        starts = np.cumsum(counts) - counts
        m = int(counts.sum())
        sources = np.repeat(self.first[kept] - starts, counts) + np.arange(m)
        new_edge[sources] = np.arange(m)
        for array in self._node_arrays():
            array[ROOT : ROOT + n] = array[kept]
            array[ROOT + n : nodes] = np.zeros(1, array.dtype)
        for array in self._edge_arrays():
            array[:m] = array[sources]
            array[m:edges] = np.zeros(1, array.dtype)
        self.first[ROOT : ROOT + n] = starts
        self.owner[:m] = new_node[self.owner[:m]]
        self.child[:m] = new_node[self.child[:m]]
        self.counters[NODES], self.counters[EDGES] = ROOT + n, m
        self.table[:] = 0
        fill_table(self)
        return new_node, new_edge


@kernel
def find_below(common, root, order, number):
    """List the nodes below one with new levels and numbers, the nearest first; how many."""
    order[0] = root
    number[root] = ROOT
    common.level[root] = 0
    n, at = 1, 0
    while at < n:
        node = order[at]
        at += 1
        for edge in range(common.first[node], common.first[node] + common.count[node]):
            child = common.child[edge]
            if child > 0 and number[child] == 0:
                number[child] = ROOT + n
                common.level[child] = common.level[node] + 1
                order[n] = child
                n += 1
    return n


@kernel
def fill_table(common):
    """Put every node into the table of keys again."""
    mask = np.uint64(len(common.table) - 1)
    for node in range(ROOT, common.counters[NODES]):
        entry = common.keys[node] & mask
        while common.table[np.int64(entry)] != 0:
            entry = (entry + np.uint64(1)) & mask
        common.table[np.int64(entry)] = node


# a meeting


@helper
def combine(common, begins):
    """Add what all workers have told to the sums; how many nodes and openings are new.

    Workers may have more to tell of these, in another round of the meeting.
    """
    common.counters[ROUNDS] += 1
    if begins:
        common.counters[MEETINGS] += 1
        common.counters[NEWS] = 0
    workers = len(common.told)
    new = 0
    for worker in range(workers):
        first = 0
        for i in range(common.told[worker, TOLD_OPENED]):
            number, n = common.told_opened[worker, i]
            new += give_edges(common, number, common.told_moves[worker, first : first + n])
            first += n
    for worker in range(workers):
        for i in range(common.told[worker, TOLD_EDGES]):
            line = common.told_edges[worker, i]
            edge = line[EDGE]
            if common.touched[edge] != common.counters[MEETINGS]:
                common.touched[edge] = common.counters[MEETINGS]
                common.news[common.counters[NEWS]] = edge
                common.counters[NEWS] += 1
            owner = common.owner[edge]
            common.edge_visits[edge] += line[VISITS]
            common.edge_squares[edge] += line[SQUARES]
            common.visits[owner] += line[VISITS]
            if line[MOVER] >= 0 and common.child[edge] == 0:
                level = common.level[owner] + 1
                common.child[edge] = add_node(common, np.uint64(line[KEY]), line[MOVER], level)
                new += 1
    for worker in range(workers):
        for i in range(common.told[worker, TOLD_ENDS]):
            add_end(common, common.told_ends[worker, i])
        common.counters[BYTES] += bytes_told(common, worker)
    return new


@helper
def bytes_told(common, worker):
    """The size of what a worker tells."""
    edges, ends = common.told[worker, TOLD_EDGES], common.told[worker, TOLD_ENDS]
    words = edges * 5 + ends * common.told_ends.shape[2] + common.told[worker, TOLD_OPENED] * 2
    return 8 * words + common.told[worker, TOLD_MOVES] * common.moves.itemsize


@helper
def give_edges(common, number, moves):
    """Give a node that a worker has opened its edges, in that worker's order; whether it had none.

    Its playouts count no more: what they were worth stays until more is known.
    """
    first, n = common.counters[EDGES], len(moves)
    if common.count[number] > 0 or first + n > len(common.child):
        return 0
    common.counters[EDGES] = first + n
    common.first[number] = first
    common.count[number] = n
    common.visits[number] = 0
    for i in range(n):
        common.moves[first + i] = moves[i]
        common.codes[first + i] = hash_record(moves[i])
        common.owner[first + i] = number
    return 1


@helper
def add_node(common, key, mover, level):
    """The number of the node with a key, added if it is not there; 0 if there is no room for it."""
    mask = np.uint64(len(common.table) - 1)
    entry = key & mask
    while common.table[np.int64(entry)] > 0:
        number = common.table[np.int64(entry)]
        if common.keys[number] == key:
            common.level[number] = min(common.level[number], level)
            return number
        entry = (entry + np.uint64(1)) & mask
    number = common.counters[NODES]
    if number == len(common.keys):
        return 0
    common.counters[NODES] = number + 1
    common.table[np.int64(entry)] = number
    common.keys[number] = key
    common.level[number] = level
    common.mover[number] = mover
    return number


@helper
def add_end(common, line):
    """Add playouts from a node without edges: its number, their number and the rewards."""
    number = line[0]
    if common.count[number] > 0:
        return
    common.visits[number] += line[1]
    for p in range(common.totals.shape[1]):
        common.totals[number, p] += line[2 + p]
        common.values[number, p] = common.totals[number, p] / (UNIT * common.visits[number])
    common.known[number] = True
    common.changed[number] = common.counters[MEETINGS]


@helper
def evaluate(common):
    """Q(s) of all nodes that were passed, from the last level up, when all has been told."""
    players, told = common.values.shape[1], common.counters[NEWS]
    for level in range(common.counters[LEVELS] - 1, -1, -1):
        for i in range(told):
            edge = common.news[i]
            owner, child = common.owner[edge], common.child[edge]
            if common.level[owner] != level:
                continue
            common.changed[owner] = common.counters[MEETINGS]
            if not common.known[child]:  # nobody, which is 0, never is
                continue
            common.weight[owner] += common.edge_visits[edge] - common.edge_weight[edge]
            common.edge_weight[edge] = common.edge_visits[edge]
            for p in range(players):
                worth = common.edge_visits[edge] * common.values[child, p]
                common.sums[owner, p] += worth - common.edge_sums[edge, p]
                common.edge_sums[edge, p] = worth
        for i in range(told):
            owner = common.owner[common.news[i]]
            if common.level[owner] == level and common.weight[owner] > 0:
                common.known[owner] = True
                for p in range(players):
                    common.values[owner, p] = common.sums[owner, p] / common.weight[owner]
