"""Trees of UCT in Breakthrough 8x8: simulations a second and bytes a node as the tree grows."""

from __future__ import annotations

import time

import playout as po
from bench.growth.measuring import Figures
from playout.games import load_game
from playout.gametree.tree_arrays import NODES
from playout.gametree.tree_session import TreeSession

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
SIZE = "simulations"
TOO_LARGE = 0  # a full tree goes on without growing: nothing is refused
FIT = {"nodes": ("simulations/s", "bytes a node")}


def measure(size: int) -> Figures:
    """One tree; the rate is that of its last tenth."""
    game = load_game("breakthrough")
    session = TreeSession(game, po.TreeSearch.parse(f"uct:nodes={2 * size}"), seed=1)
    session.run(po.Playouts(size - size // 10))
    start = time.process_time()
    session.run(po.Playouts(size // 10))
    spent = time.process_time() - start
    nodes = int(session.tree.counters[NODES])
    return {
        "simulations": size,
        "nodes": nodes,
        "simulations/s": size // 10 / spent,
        "bytes a node": session.tree.bytes_used() / nodes,
    }
