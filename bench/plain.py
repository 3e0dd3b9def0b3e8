"""The plain command: `auto` against every setting of a grid, at equal time, on many problems.

    python -m bench.plain run --out FILE                  # the grid, auto and random; resumable
    python -m bench.plain run --out FILE --only auto      # these algorithms alone
    python -m bench.plain report --out FILE               # the regret of auto and of gnrpa

A score is normalised: 0 is what random playouts find in the same time, 1 the mean of the best
setting of the grid. Regret is what is missing to 1. The settings of `auto` and the rules of its
race were chosen on the problems of `TUNED`, and are judged on the others.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from bench.plain_problems.autocorrelation import Autocorrelation
from bench.plain_problems.binpacking import BinPacking
from bench.plain_problems.features import Features
from bench.plain_problems.jobshop import JobShop
from bench.plain_problems.maxsat import MaxSat
from bench.plain_problems.morpion import Morpion
from bench.plain_problems.queens import Peaceable
from bench.plain_problems.snake import Snake
from bench.plain_problems.sudoku import MEDIUM, SEVENTEEN, Sudoku
from bench.plain_problems.tour import PolishedTour, Tour
from bench.plain_problems.weakschur import WeakSchur
from playout.problems.instances import open_problem


def _built_in(name: str, instance: str | None = None) -> Callable[[], Any]:
    """A built-in problem; an instance is a file of the data folder."""
    file = instance and os.path.join(os.environ.get("PLAYOUT_DATA", "data"), name, instance)
    return lambda: open_problem(name, file)[0]


TUNED: dict[str, Callable[[], Any]] = {
    "samegame": _built_in("samegame"),
    "snake, 6 dimensions": lambda: Snake(6),
    "sudoku": lambda: Sudoku(MEDIUM),
    "tour of 30": lambda: Tour(30, 5),
    "job shop 8x8": lambda: JobShop(8, 8, 3),
    "weak Schur, 4 sets": lambda: WeakSchur(4, 80),
    "bin packing": lambda: BinPacking(),
    "MaxSAT": lambda: MaxSat(),
    "TSPTW rc204.1": _built_in("tsptw", "SolomonPesant/rc204.1"),
    "queen8_8": _built_in("coloring", "graphs/queen8_8.col"),
    "sudoku of 17": lambda: Sudoku(SEVENTEEN),
    "job shop 10x10": lambda: JobShop(10, 10, 7),
    "autocorrelation, 35": lambda: Autocorrelation(35),
}
HELD_OUT: dict[str, Callable[[], Any]] = {
    "snake, 7 dimensions": lambda: Snake(7),
    "hard sudoku": lambda: Sudoku(),
    "tour of 50": lambda: Tour(50, 1),
    "tour of 50 with 2-opt": lambda: PolishedTour(50, 1),
    "job shop ft10": lambda: JobShop(),
    "features": lambda: Features(),
    "weak Schur, 5 sets": lambda: WeakSchur(5),
    "Morpion": lambda: Morpion(),
    "peaceable queens": lambda: Peaceable(9),
    "autocorrelation": lambda: Autocorrelation(49),
    "maximum": _built_in("maximum"),
    "TSPTW rc203.2": _built_in("tsptw", "SolomonPesant/rc203.2"),
}
PROBLEMS = TUNED | HELD_OUT

PLAIN = [
    *("gnrpa", "gnrpa:level=4", "gnrpa:level=2", "gnrpa:level=4,alpha=0.3", "gnrpa:level=4,P=4"),
    *("gnrpa:level=4,alpha=2", "nmcs:level=2", "nmcs:level=3", "nmcs:level=4"),
    *("nmcs:level=6,rising=true", "uct"),
]
BIASED = [
    *("gnrpa:level=4,bias=false", "gnrpa:level=4,strength=3", "gnrpa:level=4,strength=6"),
    "nmcs:level=3,bias=true",
]
POLISHED = [
    *("gnrpa:polish=true", "gnrpa:level=2,polish=true", "nmcs:level=2,polish=true"),
    *("gnrpa:level=4,strength=3,polish=true", "random:polish=true"),
]


def settings(problem: Any) -> list[str]:
    """All that is run on a problem."""
    from playout.contract import Problem

    biased = type(problem).bias is not Problem.bias
    polished = getattr(problem, "polish", None) is not None
    return ["random", "auto", *PLAIN, *(BIASED if biased else []), *(POLISHED if polished else [])]


def solve(task: tuple[str, str, int, float]) -> dict[str, Any]:
    """Run one cell with one seed."""
    import playout as po

    name, algorithm, seed, seconds = task
    result = po.solve(PROBLEMS[name](), algorithm, po.Seconds(seconds), seed=seed)
    return {
        "problem": name,
        "algorithm": algorithm,
        "seed": seed,
        "seconds": seconds,
        "score": result.score,
        "playouts": result.playouts,
        "found by": result.found_by,
    }


def run(given: argparse.Namespace) -> None:
    out = Path(given.out)
    done = {tuple(row[key] for key in ("problem", "algorithm", "seed")) for row in rows(out)}
    tasks = [
        (name, algorithm, seed, given.seconds)
        for seed in range(1, given.seeds + 1)
        for name, make in PROBLEMS.items()
        for algorithm in settings(make())
        if (not given.only or algorithm in given.only) and (name, algorithm, seed) not in done
    ]
    perform(solve, tasks, given, out)


def perform(
    work: Callable[[Any], dict[str, Any]], tasks: list[Any], given: argparse.Namespace, out: Path
) -> None:
    """Do the tasks in processes, as many as the minutes allow, and add a line for each."""
    began = time.monotonic()
    with (
        multiprocessing.get_context("spawn").Pool(given.workers) as workers,
        out.open("a") as file,
    ):
        for number, row in enumerate(workers.imap_unordered(work, tasks), 1):
            print(json.dumps(row), file=file, flush=True)
            print(f"\r{number} of {len(tasks)}", end="", flush=True)
            if time.monotonic() - began > 60 * given.minutes:
                break
    print()


def rows(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def report(given: argparse.Namespace) -> None:
    print(f"{'problem':24}{'runs':>5}{'auto':>9}{'gnrpa':>9}  the best setting of the grid")
    regrets: dict[bool, list[float]] = {True: [], False: []}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(Path(given.out)):
        score = row["score"]
        if row["problem"] == "maximum":  # whose scores grow exponentially
            score = math.log(max(score, 1.0))
        found[row["problem"]][row["algorithm"]].append(score)
    for name in (name for name in PROBLEMS if name in found):
        means = {algorithm: mean(scores) for algorithm, scores in found[name].items()}
        zero, auto = means.pop("random"), means.pop("auto")
        best = max(means, key=lambda algorithm: means[algorithm])
        scale = means[best] - zero
        regret, usual = (
            (means[best] - x) / scale if scale > 0 else 0.0 for x in (auto, means["gnrpa"])
        )
        regrets[name in TUNED].append(regret)
        runs = len(found[name]["auto"])
        print(f"{name:24}{runs:5}{regret:9.1%}{usual:9.1%}  {best}")
    for tuned, values in regrets.items():
        if values:
            which = "tuned on" if tuned else "held out"
            print(f"{which}: mean {mean(values):.1%}, worst {max(values):.1%}, {len(values)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append")
    given = parser.parse_args()
    (run if given.what == "run" else report)(given)


if __name__ == "__main__":
    main()
