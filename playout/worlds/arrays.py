"""The tree over worlds as arrays: nodes, edges, ordered outcomes, and one simulation under way.

A node is a sequence of moves as a player sees them. Its edges appear as worlds bring them: they lie
side by side, and where there is no room for one more, all move to the end. The arrays grow when a
step asks for it (`ROOM`), at the very point where it stands, so that nothing depends on their size.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import Compiled, record
from playout.contract import Game, room_for_moves

# what a step returns, if not an error
FINE, ROOM = 0, 1

# columns of `nodes`: where its edges begin, how many there are and have room; its visits; where its
# table of outcomes begins, how many rows that has and has room for; where its pairs begin
FIRST, COUNT, SPACE, VISITS, TABLE, ROWS, ROW_SPACE, PAIRS = range(8)

# columns of `edges`: the node behind, simulations, how often it was legal when its node was passed,
# its place in the random order in which moves are tried
CHILD, N, AVAILABLE, PLACE = range(4)

# columns of `sums`: of the rewards, of their squares, and the highest
TOTAL, SQUARES, TOP = range(3)

# indices into `counters`
NODES, EDGES, SIMULATIONS, CALLS, ITERATIONS, OUTCOMES, TABLES, PAIR_WORDS, FULL = range(9)

# indices into `wanted`, and the arrays that grow together
W_NODES, W_EDGES, W_OUTCOMES, W_TABLES, W_PAIRS, W_INVERSE = range(6)
GROWN = (
    ("nodes",),
    ("names", "edges", "sums", "edge_moves"),
    ("outcomes", "order", "rank"),
    ("tables",),
    ("pairs",),
    ("inverse",),
)

# what a simulation is at
IDLE, DESCENDING, BACKING_UP = 0, 1, 2

HEAD = record(
    seed="u8",
    player="i8",  # who is to move at the root: for whom worlds are drawn
    observers="i8",  # how many trees there are: one, or one for each player
    shows="i8",  # whether a move may show more than itself, so that it has several edges
    most_nodes="i8",
    length="i8",  # most moves of a playout; 0: to the end
    horizon="i8",  # most moves of a simulation, tree and playout together; 0: any number
    lowest="f8",  # the lowest score that was met
    highest="f8",
    phase="i8",
    depth="i8",  # of the simulation under way
    played="i8",  # its moves, playout included
)


class WorldTree(Compiled):
    """All that a search over worlds knows; `observers` trees in one set of arrays.

    - `nodes`, `edges`, `sums`: tables whose columns are named above; node 0 is nobody. `names`: an
      edge's move as the tree's player sees it; `edge_moves`: the move itself, as it was last legal;
    - `outcomes`: the distinct ones that were met, if they are compared; `order`: their numbers
      from the worst, `rank`: the place of each in it. `tables`: for a node how often each edge had
      each of the distinct outcomes met there (outcomes.py).
      `pairs`: for a node, edge by edge, twice how often the one's outcome beat the other's, a tie
      for one; `inverse`: room to compute in;
    - of the simulation under way: `states`, `moves`, `rng`, `legal` (the edges of the legal
      moves), `twins` (whether an earlier move has the same edge), `worths`, `path_*` (a row for
      each move, a column for each tree), `rewards`, `reached` (outcomes, and their numbers
      `reached_numbers`).
    """

    fields: tuple[str, ...] = (
        *("head", "counters", "wanted", "roots", "root_state", "nodes", "names", "edges", "sums"),
        *("edge_moves", "outcomes", "order", "rank", "tables", "pairs", "inverse"),
        *("states", "moves", "rng", "legal", "twins", "fresh", "shuffled", "worths"),
        *("path_nodes", "path_edges", "path_movers", "rewards", "reached", "reached_numbers"),
    )

    grown: tuple[tuple[str, ...], ...] = GROWN
    first_room = 1024  # nodes; arrays that grow are others to Numba's eye, which takes a moment

    def __init__(self, game: Game, observers: int, most_nodes: int) -> None:
        self.head = np.zeros(1, HEAD)
        self.head[0].observers = observers
        self.head[0].shows = game.hidden and type(game).seen is not Game.seen
        self.head[0].most_nodes = most_nodes
        self.counters = np.zeros(9, np.int64)
        self.wanted = np.zeros(len(self.grown), np.int64)
        self.roots = np.zeros(observers, np.int64)
        self.root_state = game.new_states(1)
        room = self.first_room
        self.nodes = np.zeros((room, 8), np.int64)
        self.names = np.zeros(4 * room, np.uint64)
        self.edges = np.zeros((4 * room, 4), np.int64)
        self.sums = np.zeros((4 * room, 3))
        self.edge_moves = np.zeros(4 * room, game.move_type)
        self.outcomes = np.zeros(room, game.outcome_type)
        self.order = np.zeros(room, np.int32)
        self.rank = np.zeros(room, np.int32)
        self.tables = np.zeros(16 * room, np.int32)
        self.pairs = np.zeros(16 * room, np.int64)
        self.inverse = np.zeros(room)
        self.states = game.new_states(1)
        room = room_for_moves(game.max_moves)
        self.moves = np.zeros(room, game.move_type)
        self.rng = np.zeros(1, np.uint64)
        self.legal = np.zeros(room, np.int64)
        self.twins = np.zeros(room, np.int8)
        self.fresh = np.zeros(room, np.int64)
        self.shuffled = np.zeros(room, np.int64)
        self.worths = np.zeros(room)
        depth = game.max_length + 2
        self.path_nodes = np.zeros((depth, observers), np.int64)
        self.path_edges = np.zeros((depth, observers), np.int64)
        self.path_movers = np.zeros(depth, np.int64)
        self.rewards = np.zeros(game.players)
        self.reached = np.zeros(game.players, game.outcome_type)
        self.reached_numbers = np.zeros(game.players, np.int64)

    def begin_game(self, lowest: float, highest: float) -> None:
        """Another game begins: no score was met, but for bounds that are known."""
        self.head[0].lowest, self.head[0].highest = lowest, highest

    def begin_tree(self, player: int) -> None:
        """An empty tree for the position in `root_state`, in which `player` is to move."""
        head = self.head[0]
        head.player, head.phase = player, IDLE
        self.counters[[NODES, EDGES, OUTCOMES, TABLES, PAIR_WORDS, FULL]] = 0
        observers = int(head.observers)
        self.nodes[: observers + 1] = 0
        self.roots[:] = np.arange(1, observers + 1)
        self.counters[NODES] = observers + 1

    def begin_search(self, seed: np.uint64) -> None:
        """A search of the position begins, with what the tree knows of it."""
        self.head[0].seed = seed
        self.counters[[SIMULATIONS, CALLS, ITERATIONS]] = 0

    def grow(self) -> None:
        """Make room for what a step has asked for in `wanted`; it goes on then."""
        for kind, names in enumerate(self.grown):
            for name in names:
                array = getattr(self, name)
                if self.wanted[kind] > len(array):
                    setattr(self, name, _longer(array, int(self.wanted[kind])))
        self.wanted[:] = 0

    def nodes_used(self) -> int:
        """How many nodes there are."""
        return int(self.counters[NODES]) - 1


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    grown = np.zeros((max(length, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def known_bounds(game: Game) -> tuple[float, float]:
    """The lowest and the highest score, as far as a game says what they are."""
    if game.players > 1 or type(game).outcomes is not Game.outcomes:
        return float(min(game.outcomes)), float(max(game.outcomes))
    return math.inf, -math.inf
