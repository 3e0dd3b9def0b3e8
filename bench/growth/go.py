"""Go, 5x5 to 19x19: random playouts by the rules alone, and UCT."""

from __future__ import annotations

import time

import playout as po
from bench.games import measure as random_playouts
from bench.growth.measuring import SECONDS, Figures
from playout.games import load_game
from playout.gametree.tree_session import TreeSession

SIZES = (5, 9, 13, 19)
SIZE = "side"
TOO_LARGE = 190
FIT = {"points": ("random playouts/s", "UCT simulations/s")}


def measure(size: int) -> Figures:
    """One board."""
    game = load_game(f"go:{size}x{size}")
    rate, moves, _ = random_playouts(game)
    session = TreeSession(game, po.TreeSearch.parse("uct"), seed=1)
    session.run(po.Playouts(10))
    n = 16
    while True:
        start = time.process_time()
        session.run(po.Playouts(n))
        spent = time.process_time() - start
        if spent >= SECONDS:
            break
        n *= 2
    return {
        "points": size * size,
        "random playouts/s": rate,
        "moves": moves,
        "UCT simulations/s": n / spent,
    }
