"""The tree, or graph, of a search as arrays: nodes, edges, and the scratch space of each thread.

A node is a position; its edges lie side by side, one for each legal move in random order, and carry
the statistics of the moves. Sums are 64-bit integers in units of `UNIT`, so that several threads
can add to them atomically and the result of one thread is exact. What is read and written together
lies together: a node is one cache line, an edge half a line. Everything is allocated once; memory
that is not touched costs nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from playout.compiled import Compiled, record
from playout.contract import Game, room_for_moves
from playout.errors import OptionError

UNIT = float(1 << 24)  # rewards are kept to a 16-millionth

# indices into `counters`, a cache line apart
NODES, EDGES, SIMULATIONS, FULL, STATUS, SERIALS, AMAF, HOT = 0, 8, 16, 24, 32, 40, 48, 56

HOT_WORDS = 1 << 18  # room that each thread has for nodes that it treats as hot (hot_nodes.py)

# Rows between the scratch space of one thread and the next: no two threads write to one cache line.
SLOT = 16

# what a node is
LEAF, BUSY, OPEN, END = 0, 1, 2, 3

# what an edge leads to, if not to a node: nothing yet, or a node that a thread is making
NOWHERE, MAKING = 0, -1

# how positions that are met again are treated
TREE, UCT1, UCT2, UCT3 = 0, 1, 2, 3

HEAD = record(
    root="i8",
    seed="u8",
    players="i8",
    graph="i8",  # TREE, UCT1, UCT2 or UCT3
    symmetry="i8",  # the symmetries by which positions are canonical; 0: they are not
    shared="i1",  # whether several threads work on the arrays
    solver="i1",
    joint="i1",  # whether the choices of players who move at the same time are kept apart
    general_loss="i1",
    loss="f8",  # virtual loss of a playout that is under way
    highest="f8",  # the reward that cannot be beaten
    lowest="f8",  # and the one that cannot be worse
    reference="i8",  # visits that make a node the reference of the moves below it (GRAVE)
    frame="i8",  # the symmetry that takes the root position to its canonical form
)


@dataclass(frozen=True, kw_only=True)
class TreeLayout:
    """What a tree has room for: so many nodes and threads, and what the parts of a search read."""

    nodes: int
    threads: int = 1
    shared: bool = False  # whether several threads work on the nodes
    graph: int = TREE
    squares: bool = False  # of the rewards
    top: bool = False  # the highest reward
    prior: bool = False
    amaf: int = 0  # entries of the table of moves as first
    solver: bool = False
    joint: bool = False  # whether players who move at the same time are decoupled


class TreeArrays(Compiled):
    """All that a tree search knows.

    - `status`, `visits`, `tried`, `first`, `count`, `mover`, `keys`, `serial`: one for each
      node; node 0 is nobody, so that an edge with child 0 leads nowhere yet;
    - `totals`, `values`: of a node for each player, in graphs; `proof`, `proven`: whether a node's
      rewards are certain, and what they are;
    - `child`, `edge_visits`, `edge_totals`, `edge_loss`, `edge_squares`, `edge_top`, `edge_prior`,
      `edge_moves`: one for each edge;
    - `table`: from keys to nodes, in graphs and behind moves at the same time; `amaf_*`: sums of
      all moves as first by node and code;
    - `root_state` and, with a row for each thread, `SLOT` rows apart, `states`, `spare`, `moves`,
      `rng`, `rewards`, `path_*`, `played_*`, `lengths`; `stock`: the nodes and edges that a thread
      has put by, as the next one and the end of each;
    - `hot`: a node's number among the hot ones (hot_nodes.py), whose nodes are `hot_nodes`;
      `hot_sums`, `hot_totals`, `hot_choice`: what each thread has collected and chosen there, and
      `path_hot`: those on its path; `batch`, `batch_sums`, `batch_states`: the simulations that it
      makes from below one of them.
    """

    fields = (
        *("head", "counters", "root_state", "table"),
        *("status", "visits", "tried", "first", "count", "mover", "keys", "serial"),
        *("totals", "values", "proof", "proven"),
        *("child", "edge_visits", "edge_totals", "edge_loss", "edge_squares", "edge_top"),
        *("edge_prior", "edge_moves", "amaf_keys", "amaf_visits", "amaf_totals"),
        *("states", "spare", "moves", "rng", "rewards", "path_nodes", "path_edges"),
        *("played_codes", "played_movers", "played_before", "lengths", "stock"),
        *("hot", "hot_nodes", "hot_sums", "hot_totals", "hot_choice", "path_hot"),
        *("batch", "batch_sums", "batch_states"),
    )

    def __init__(self, game: Game, layout: TreeLayout) -> None:
        nodes, graph, shared, solver = layout.nodes, layout.graph, layout.shared, layout.solver
        if nodes < 2:
            raise OptionError(f"nodes={nodes}: a tree has at least 2 nodes")
        players = game.players
        # further arrays with a row for each node or edge, which move with them
        self.beside_nodes: list[np.ndarray] = []
        self.beside_edges: list[np.ndarray] = []
        self.head = np.zeros(1, HEAD)
        self.head[0].players = players
        self.head[0].graph = graph
        self.head[0].solver = solver
        self.head[0].shared = shared
        self.head[0].joint = layout.joint
        self.counters = np.zeros(64, np.int64)
        self.root_state = game.root()
        nodes += 1  # nobody
        self._nodes = _lines(nodes, 8)
        self.status, self.visits, self.tried, self.first = self._nodes.T[:4]
        # `hot`, `proof` and `edge_loss` are there without threads and solver too: so that all trees
        # are of one type, for which a search is compiled once
        self.count, self.mover, self.hot, self.proof = self._nodes.T[4:]
        listed = graph != TREE or layout.joint
        self.keys = np.zeros(nodes if listed else 0, np.uint64)
        numbered = bool(layout.amaf) or layout.joint
        self.serial = np.zeros(nodes if numbered else 0, np.int64)  # stays when nodes move
        self.totals = np.zeros((nodes if graph else 0, players), np.int64)
        self.values = np.zeros((nodes if graph == UCT3 else 0, players))
        self.proven = np.zeros((nodes if solver else 0, players), np.float32)
        # a node's edges are made at its second visit, so there are fewer open nodes than nodes
        edges = max(game.max_moves, min(nodes * game.max_moves, nodes * 24)) + game.max_moves
        self._edges = _lines(edges, 4)
        self.child, self.edge_visits, self.edge_totals, self.edge_loss = self._edges.T
        self.edge_squares = np.zeros(edges if layout.squares else 0, np.int64)
        self.edge_top = np.zeros(edges if layout.top else 0)
        self.edge_prior = np.zeros(edges if layout.prior else 0, np.float32)
        self.edge_moves = np.zeros(edges, game.move_type)
        self.table = np.zeros(_power_of_two(2 * nodes) if listed else 0, np.int64)
        amaf = _power_of_two(layout.amaf) if layout.amaf else 0
        self.amaf_keys = np.zeros(amaf, np.int64)
        self.amaf_visits = np.zeros(amaf, np.int64)
        self.amaf_totals = np.zeros(amaf, np.int64)
        rows = (layout.threads - 1) * SLOT + 1
        self.states = game.new_states(rows)
        self.spare = game.new_states(2 * rows)
        self.moves = np.zeros((rows, room_for_moves(game.max_moves)), game.move_type)
        self.rng = np.zeros(rows, np.uint64)
        self.rewards = np.zeros((rows, players))
        depth = game.max_length + 2
        self.path_nodes = np.zeros((rows, depth), np.int64)
        self.path_edges = np.zeros((rows, depth), np.int64)
        self.played_codes = np.zeros((rows, depth if amaf else 0), np.uint64)
        self.played_movers = np.zeros((rows, depth if amaf else 0), np.int8)
        self.played_before = np.zeros((rows, depth if amaf else 0), np.int64)
        self.lengths = np.zeros(rows, np.int64)
        self.stock = np.zeros((rows, 4), np.int64)
        hot = max(2, HOT_WORDS // (3 * game.max_moves)) if shared else 1
        self.hot_nodes = np.zeros(hot, np.int64)
        self.hot_sums = np.zeros((layout.threads, hot, 3 * game.max_moves), np.int64)
        self.hot_totals = np.zeros((layout.threads, hot, 1 + players), np.int64)
        self.hot_choice = np.zeros((layout.threads, hot, 2), np.int64)
        self.path_hot = np.zeros((rows, depth if shared else 0), np.int64)
        self.batch = np.zeros((rows, 8), np.int64)
        self.batch_sums = np.zeros((rows, 2, players), np.int64)
        self.batch_states = game.new_states(rows)

    def node_arrays(self) -> list[np.ndarray]:
        """The arrays with a row for each node, those that are in use."""
        arrays = (self._nodes, self.keys, self.serial, self.totals, self.values, self.proven)
        return [array for array in (*arrays, *self.beside_nodes) if len(array)]

    def edge_arrays(self) -> list[np.ndarray]:
        """The arrays with a row for each edge, those that are in use."""
        arrays = (self._edges, self.edge_squares, self.edge_top, self.edge_prior, self.edge_moves)
        return [array for array in (*arrays, *self.beside_edges) if len(array)]

    def forget(self) -> None:
        """Keep nothing of earlier searches, once `make_root` has made another root."""
        self.amaf_keys[:] = 0
        self.counters[AMAF] = self.counters[SERIALS] = 0

    def nodes_used(self) -> int:
        """How many nodes there are."""
        put_by = self.stock[:, 1] - self.stock[:, 0]
        return int(self.counters[NODES]) - 1 - int(put_by.sum())

    def bytes_used(self) -> int:
        """The memory of the nodes and edges that are in use."""
        return sum(
            int(self.counters[used]) * sum(array.nbytes // len(array) for array in arrays)
            for used, arrays in ((NODES, self.node_arrays()), (EDGES, self.edge_arrays()))
        )


def _power_of_two(n: int) -> int:
    return 1 << max(4, math.ceil(math.log2(max(2, n))))


def _lines(rows: int, columns: int) -> np.ndarray:
    """A table of int64 that begins with a cache line."""
    words = np.zeros(rows * columns + 8, np.int64)
    start = -words.ctypes.data // 8 % 8
    return words[start : start + rows * columns].reshape(rows, columns)
