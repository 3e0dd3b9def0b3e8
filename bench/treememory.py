"""What a node of the game tree takes with its edges, and what a search does when its tree is full.

python -m bench.treememory                       # Breakthrough 8x8
python -m bench.treememory connectfour --nodes 20000
"""

from __future__ import annotations

import argparse
import time

import playout as po
from bench.common import store
from playout.games import load_game
from playout.gametree.tree_arrays import NODES
from playout.gametree.tree_session import TreeSession

SIMULATIONS = (2_000, 50_000, 500_000)
MOST = 1000.0


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(prog="python -m bench.treememory")
    parser.add_argument("game", nargs="?", default="breakthrough")
    parser.add_argument("--nodes", type=int, default=10_000, help="of the tree that fills up")
    chosen = parser.parse_args()
    game, figures = load_game(chosen.game), {}
    for algorithm in ("uct", "grave"):
        for simulations in SIMULATIONS:
            session = TreeSession(game, po.TreeSearch.parse(algorithm), seed=1)
            session.run(po.Playouts(simulations))
            nodes = int(session.tree.counters[NODES])
            each = session.tree.bytes_used() / nodes
            figures[f"{algorithm}, {simulations} simulations"] = round(each, 1)
            verdict = "yes" if each < MOST else "NO"
            print(
                f"{chosen.game}, {algorithm}: {simulations:9,} simulations, {nodes:8,} nodes, "
                f"{each:6.1f} B each (under {MOST:g}: {verdict})"
            )
    rates = []
    for nodes in (chosen.nodes, 2 * SIMULATIONS[-1]):
        session = TreeSession(game, po.TreeSearch.parse(f"uct:nodes={nodes}"), seed=1)
        session.run(po.Playouts(1000))
        start = time.process_time()
        result = session.run(po.Playouts(200_000))
        rates.append(result.simulations / (time.process_time() - start))
        print(
            f"room for {nodes:,} nodes: {result.nodes:,} after 200,000 simulations, "
            f"full: {result.full}, {rates[-1]:,.0f} simulations per CPU second"
        )
    figures["speed of a full tree against one with room"] = round(rates[0] / rates[1], 3)
    store(f"treememory {chosen.game}", figures)


if __name__ == "__main__":
    main()
