"""Table 3 of Seify and Buro at equal time: plain MCTS, Policy-MCTS, GNRPA, the standard boards.

    python -m bench.standard_boards --seconds 118 --processes 16 --save boards.json

Each search has one thread; so many run at once, and those with a policy share the GPU. It prints
totals of the 20 boards, and the difference to plain MCTS by board with its 95% interval and
Wilcoxon's signed-rank test. Plain MCTS has `c_puct` 4, which suited 15x15 better than its 10
(`bench/log/learn.md`).
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.stats import wilcoxon

import playout as po
from bench.common import data_folder
from playout.algorithms import load_algorithm
from playout.problems import SameGame
from playout.statistics import mean_interval

SEARCHES = {
    "MCTS": "policy-mcts:model=uniform,c_puct=4",
    "P-MCTS random": "policy-mcts",
    "P-MCTS policy": "policy-mcts:rollouts=policy",
    "GNRPA": "gnrpa:level=4,N=50,P=4",
}
RULES = {"tabu": False, "penalty": True}


def boards(own_rules: bool) -> list[SameGame]:
    """The 20 boards, with every move allowed as in the paper, or as GNRPA usually has them."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("the public instances are missing: set PLAYOUT_DATA")
    return SameGame.read(folder / "samegame" / "boards.txt", **({} if own_rules else RULES))


def solved(task: tuple[str, int, float]) -> tuple[str, int, float, int]:
    """One search: its name, the board, its score by the paper's rules, its playouts."""
    name, board, seconds = task
    problem = boards(own_rules=name == "GNRPA")[board]
    algorithm = load_algorithm(SEARCHES[name])
    po.solve(problem, algorithm, po.Playouts(64), seed=1)  # compiled before the clock runs
    result = po.solve(problem, algorithm, po.Seconds(seconds), seed=1)
    if not result.verified:
        raise SystemExit(f"{name}, board {board + 1}: the replay does not agree")
    print(f"{name}, board {board + 1}: {result.score:g}, {result.playouts:,} playouts", flush=True)
    return name, board, boards(own_rules=False)[board].verify(result.moves), result.playouts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=125.0)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--searches", nargs="+", default=list(SEARCHES)[:3], choices=SEARCHES)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--save", type=Path, help="a JSON file of every score")
    chosen = parser.parse_args()
    tasks = [(name, i, chosen.seconds) for i in range(chosen.boards) for name in chosen.searches]
    scores = {name: np.zeros(chosen.boards) for name in chosen.searches}
    with ProcessPoolExecutor(chosen.processes, get_context("spawn")) as pool:
        pool.submit(solved, (chosen.searches[-1], 0, 1.0)).result()  # compiled once for all
        for name, board, score, _ in pool.map(solved, tasks):
            scores[name][board] = score
    for name, ours in scores.items():
        line = f"{name:16}{ours.sum():10,.0f} in all"
        if name != "MCTS" and "MCTS" in scores:
            gains = ours - scores["MCTS"]
            middle, half = mean_interval(gains.tolist())
            p = wilcoxon(gains).pvalue
            line += f", {middle:+.0f} ± {half:.0f} a board against MCTS, p = {p:.2g}"
        print(line)
    if chosen.save:
        text = {name: ours.tolist() for name, ours in scores.items()}
        chosen.save.write_text(json.dumps({"seconds": chosen.seconds, "scores": text}, indent=1))


if __name__ == "__main__":
    main()
