"""Games from rulesheets: load times, Table 4 beside the paper's, Connect Four beside the native.

python -m bench.ggp                  # all of it; needs $PLAYOUT_DATA with ggp/required
python -m bench.ggp checkers quad    # these games
python -m bench.ggp table1 --help    # matches between playout policies: ggp_table1.py

Table 4 of C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for GGP, 2021:
milliseconds for 1,000 simulations of UCT with random playouts, the median over whole games on a
2.2 GHz Opteron. Here it is from the start of the game, whose playouts are the longest, in CPU time
of one thread.
"""

from __future__ import annotations

import sys
import time

from bench import ggp_table1
from playout.games import load_game
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.stop import Playouts

SIMULATIONS = 5_000
ROUNDS = 7
SEARCH = "uct:C=0.7,choice=mean"

# the rulesheet and the paper's milliseconds
TABLE_4 = {
    "tictactoe_3d_2player": 352,
    "breakthrough": 683,
    "knightThrough": 492,
    "chinook": 485,
    "chineseCheckers3": 191,
    "checkers": 1974,
    "connect5": 822,
    "quad_7x7": 435,
    "sheepAndWolf": 471,
    "ttcc4_2player": 1069,
    "ttcc4": 787,
    "connectFour": 102,
    "pentago": 394,
    "reversi": 3562,
}


def milliseconds(game, more: str = "") -> float:
    """CPU milliseconds for 1,000 simulations from the start, the best of some rounds."""
    session = TreeSession(game, TreeSearch.parse(SEARCH + more), seed=1)
    session.run(Playouts(8))
    best = float("inf")
    for _ in range(ROUNDS):
        session.set_position()
        before = time.thread_time()
        session.run(Playouts(SIMULATIONS))
        best = min(best, time.thread_time() - before)
    return 1e6 * best / SIMULATIONS


def main() -> None:
    wanted = sys.argv[1:]
    if wanted[:1] == ["table1"]:
        ggp_table1.main(wanted[1:])
        return
    print(
        f"{'rulesheet':22} {'load s':>7} {'ms/1000':>8} {'paper':>6} {'ratio':>6} {'in lanes':>8}"
    )
    for name, paper in TABLE_4.items():
        if wanted and not any(word in name for word in wanted):
            continue
        before = time.thread_time()
        game = load_game(f"gdl:ggp/required/{name}.kif")
        load = time.thread_time() - before
        ours = milliseconds(game)
        lanes = milliseconds(game, ",parallel=lanes")  # 64 playouts at a time
        figures = f"{load:7.2f} {ours:8.1f} {paper:6} {paper / ours:6.1f} {lanes:8.1f}"
        print(f"{name:22} {figures}", flush=True)
        if name == "connectFour":
            native = milliseconds(load_game("connectfour:8x6"))
            ratios = f"{native / ours:6.2f} {native / lanes:8.2f}"
            print(f"{'  native':22} {'':7} {native:8.1f} {'':6} {ratios}", flush=True)


if __name__ == "__main__":
    main()
