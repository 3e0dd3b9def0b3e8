"""Monte Carlo move ordering: a tree search of the root is made first, and the solver asks it.

T. Cazenave, Monte Carlo Game Solver, MCS 2020, section 3.1, Algorithm 3. The search is GRAVE with
playouts by PPAF. In a position that it has simulated often, moves come by their number of playouts;
elsewhere, and for moves without playouts, by the weights that PPAF has learnt. What the game knows
itself (`Game.lateness`) goes before both. What it only guesses may be added to the weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import helper, same_record
from playout.contract import UNSURE, Game
from playout.errors import OptionError
from playout.solvers.move_order import MoveOrder

OFTEN = 100  # playouts from which on a position's counts are used


class MonteCarlo(MoveOrder):
    """Moves by what a GRAVE search with PPAF playouts has learnt of the root.

    Parameters
    ----------
    playouts : int
        Of the search that is made first.
    seed : int
        Of its random numbers.
    alpha : float
        The learning rate of PPAF.
    blend : float
        How much the game's own guess counts beside a weight; not at all, as in the paper, if 0.
    """

    fields = ("policy", "keys", "nodes", "firsts", "counts", "node_moves", "visits", "blend")
    name = "mc"

    def __init__(
        self, *, playouts: int = 100_000, seed: int = 1, alpha: float = 0.1, blend: float = 0.0
    ) -> None:
        if isinstance(playouts, bool) or not isinstance(playouts, int) or playouts < 1:
            raise OptionError(f"playouts={playouts!r}: a whole number from 1")
        self.playouts, self.seed, self.alpha, self.blend = playouts, seed, alpha, float(blend)

    def prepare(self, game: Game, root: np.ndarray) -> None:
        """Search the root, and keep what the solver will ask for."""
        self.seconds = 0.0
        session = root_search(self, game, root)
        self.policy = session.team.playouts[0]
        self._keep(session.tree)

    def prepare_unlearnt(self, game: Game) -> None:
        """Make the arrays as they are before any search: no weight, no position."""
        self.policy = new_policy(game, self.alpha)
        self.policy.prepare(game, 0)
        self.counts, self.firsts = np.zeros(0, np.int64), np.zeros(1, np.int64)
        self.node_moves, self.visits = np.zeros(0, game.move_type), np.zeros(0)
        self.keys, self.nodes = np.zeros(16, np.uint64), np.full(16, -1, np.int64)

    def _keep(self, tree: Any) -> None:
        """The positions that were simulated often, as a hash table of few slots."""
        from playout.gametree.tree_arrays import NODES, OPEN

        used = int(tree.counters[NODES])
        often = np.flatnonzero((tree.visits[:used] > OFTEN) & (tree.status[:used] == OPEN))
        edges = [np.arange(tree.first[n], tree.first[n] + tree.count[n]) for n in often]
        chosen = np.concatenate(edges) if edges else np.zeros(0, np.int64)
        self.counts = tree.count[often].astype(np.int64)
        self.firsts = np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)
        self.node_moves = tree.edge_moves[chosen]
        self.visits = tree.edge_visits[chosen].astype(np.float64)
        size = 16
        while size < 4 * len(often):
            size *= 2
        self.keys = np.zeros(size, np.uint64)
        self.nodes = np.full(size, -1, np.int64)
        for number, node in enumerate(often):
            slot = int(tree.keys[node]) % size
            while self.nodes[slot] >= 0:
                slot = (slot + 1) % size
            self.keys[slot], self.nodes[slot] = tree.keys[node], number

    def score(self, game, state, moves, n, scores, depth):
        node = find_node(self.keys, self.nodes, np.uint64(game.key(state)))
        mover = np.int64(game.turn(state))
        weights = self.policy.weights
        for i in range(n):
            late = game.lateness(state, moves[i])
            if late >= UNSURE:
                guess = self.blend * (late - UNSURE)
                weight = weights[self.policy.slot(game, state, moves[i], mover, False)]
                late = UNSURE + guess - weight
                if node >= 0:
                    times = self.times(node, moves[i])
                    if times > 0.0:
                        late = UNSURE - times
            scores[i] = late

    def times(self, node, move):
        """How often a move was simulated in a position."""
        for edge in range(self.firsts[node], self.firsts[node] + self.counts[node]):
            if same_record(self.node_moves[edge], move):
                return self.visits[edge]
        return 0.0


def new_policy(game: Game, alpha: float) -> Any:
    """The playouts' policy: PPAF, or PPA for a game that tells no features of moves."""
    from playout.gametree.playout_policies.ppa import PPA, PPAF

    features = type(game).features is not Game.features and game.kinds > 1
    return (PPAF if features else PPA)(alpha=alpha, discount=1.0, update="winner")


def root_search(order: Any, game: Game, root: np.ndarray, times: int = 1) -> Any:
    """The session that has searched the root as an order says, by so many times its playouts."""
    from playout.gametree.tree_search import TreeSearch
    from playout.gametree.tree_session import TreeSession
    from playout.stop import Playouts

    playouts = times * order.playouts
    nodes = min(playouts + 2, 1 << 20)
    search = TreeSearch("grave", new_policy(game, order.alpha), graph="uct2", nodes=nodes)
    session = TreeSession(game, search, seed=order.seed)
    session.set_position(root)
    if game.moves(root[0], game.new_moves()) > 0:
        order.seconds += session.run(Playouts(playouts), order.look).seconds
    return session


@helper
def find_node(keys, nodes, key):
    """The number of a position that was simulated often; -1 if it was not."""
    mask = np.uint64(len(keys) - 1)
    slot = np.int64(key & mask)
    while nodes[slot] >= 0:
        if keys[slot] == key:
            return nodes[slot]
        slot = np.int64(np.uint64(slot + 1) & mask)
    return np.int64(-1)
