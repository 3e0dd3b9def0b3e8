"""Speed: ratios measured in one run on one machine.

    python -m bench            # all of it, about ten minutes
    python -m bench --only samegame-random
    python -m bench --long     # with ten minutes of GNRPA level 4 for the memory figure

A row says what was compared and what the ratio should at least (or at most) be. Rows whose
reference is missing are named as skipped.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import playout as po
from bench import study
from bench.common import HERE, KEYS, Reference, board_one, row, store
from playout.algorithms.algorithm import Algorithm
from playout.run.hands import Worker
from playout.run.steps import make_step

ROUNDS = 5


def cpu_rate(problem: Any, algorithm: Algorithm, playouts: int, compiled: bool = True) -> float:
    """Playouts per CPU second of one search on one thread."""
    with np.errstate(over="ignore"):
        worker = Worker(algorithm.start(problem, 1), make_step(problem, compiled), None)
        worker.step(0)
        start = time.thread_time()
        worker.step(playouts)
        return playouts / (time.thread_time() - start)


def ratio(ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float, float]:
    """Medians of both, measured in turn, and the median of the ratios of neighbours."""
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    return (
        median(a for a, _ in pairs),
        median(b for _, b in pairs),
        median(a / b for a, b in pairs),
    )


def samegame_random() -> dict[str, Any]:
    reference = Reference()
    problem, board = board_one(tabu=False)
    a, b, r = ratio(
        lambda: cpu_rate(problem, po.Random(), 20_000), reference.playouts_per_cpu_second
    )
    return row(f"SameGame random playouts per CPU second, {board}, against plain C", a, b, r, 2.5)


def samegame_gnrpa() -> dict[str, Any]:
    reference = Reference()
    problem, board = board_one()
    algorithm = po.GNRPA(level=2, N=100)
    a, b, r = ratio(lambda: cpu_rate(problem, algorithm, 20_000), reference.playouts_per_cpu_second)
    return row(
        f"GNRPA (level 2, N = 100, tabu, bias), {board}, against plain C's random playouts",
        a,
        b,
        r,
        1.3,
    )


def own_problem() -> dict[str, Any]:
    from playout.problems import PROBLEMS

    problem = PROBLEMS.find(str(HERE.parent / "examples" / "knapsack.py") + ":Knapsack").default()
    algorithm = po.GNRPA(level=2)
    a, b, r = ratio(
        lambda: cpu_rate(problem, algorithm, 2_000),
        lambda: cpu_rate(problem, algorithm, 10, compiled=False),
    )
    return row(
        "a user's problem (examples/knapsack.py), compiled against interpreted", a, b, r, 100
    )


def wall_rate(seconds: float, **options: Any) -> float:
    problem, _ = board_one()
    algorithm = options.pop("algorithm", po.GNRPA(level=3))
    result = po.solve(problem, algorithm, po.Seconds(seconds), seed=1, **options)
    return result.playouts / result.seconds


def two_workers() -> dict[str, Any]:
    a, b, r = ratio(lambda: wall_rate(4, workers=2), lambda: wall_rate(4))
    return row("2 workers (root) against 1, playouts per second", a, b, r, 1.8)


def two_leaf_workers() -> dict[str, Any]:
    algorithm = po.GNRPA(level=3, P=8)
    a, b, r = ratio(
        lambda: wall_rate(4, workers=2, parallel="leaf", algorithm=algorithm),
        lambda: wall_rate(4, algorithm=algorithm),
    )
    return row("2 workers (leaf, P = 8) against 1, playouts per second", a, b, r, None)


def checkpoints() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        count = iter(range(100))

        def with_checkpoint() -> float:
            file = Path(folder) / f"checkpoint{next(count)}"
            return wall_rate(21, checkpoint=file, checkpoint_every=10)

        pairs = [(with_checkpoint(), wall_rate(21)) for _ in range(3)]
    a, b = median(p[0] for p in pairs), median(p[1] for p in pairs)
    r = median(p[0] / p[1] for p in pairs)
    return row("a checkpoint every 10 s against none, playouts per second", a, b, r, 0.97)


def command_seconds(*arguments: str, cache: str | None = None) -> float:
    environment = dict(os.environ) | ({"PLAYOUT_CACHE": cache} if cache else {})
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "playout", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
    )
    return time.perf_counter() - start


def help_time() -> dict[str, Any]:
    seconds = median(command_seconds("--help") for _ in range(ROUNDS))
    return row("playout --help, seconds", seconds, None, seconds, None, most=0.3)


def start_warm() -> dict[str, Any]:
    arguments = ("solve", "samegame", "--playouts", "1", "--seed", "1")
    command_seconds(*arguments)
    seconds = median(command_seconds(*arguments) for _ in range(ROUNDS))
    return row(
        "solve samegame --playouts 1, warm cache, seconds", seconds, None, seconds, None, 1.5
    )


def start_cold() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as cache:
        seconds = command_seconds("solve", "samegame", "--playouts", "1", cache=cache)
    return row("solve samegame --playouts 1, cold cache, seconds", seconds, None, seconds, None, 20)


def memory(seconds: float) -> dict[str, Any]:
    """Peak memory of GNRPA level 4, and its growth over the second half of the run."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "playout",
            "solve",
            "samegame",
            "-a",
            "gnrpa",
            "-o",
            "level=4",
            "--seconds",
            str(seconds),
            "--seed",
            "1",
            "--quiet",
        ],
        stdout=subprocess.DEVNULL,
    )
    samples = []
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        for line in status.read_text().splitlines() if status.exists() else ():
            if line.startswith("VmRSS"):
                samples.append(int(line.split()[1]) / 1024)
        time.sleep(0.5)
    peak, half = max(samples), max(samples[: len(samples) // 2])
    out = row(f"peak memory of GNRPA level 4 over {seconds:.0f} s, MB", peak, None, peak, None, 400)
    out["growth over the second half, MB"] = round(peak - half, 1)
    return out


ROWS: dict[str, Callable[[], dict[str, Any]]] = {
    "samegame-random": samegame_random,
    "samegame-gnrpa": samegame_gnrpa,
    "own-problem": own_problem,
    "two-workers": two_workers,
    "two-leaf-workers": two_leaf_workers,
    "checkpoints": checkpoints,
    "help": help_time,
    "start-warm": start_warm,
    "start-cold": start_cold,
    "memory": lambda: memory(60),
    "study-samegame": lambda: study.harness("samegame"),
    "study-tsptw": lambda: study.harness("tsptw"),
    "study-maximum": lambda: study.harness("maximum"),
    "report-all": lambda: study.report(all_of_it=True),
    "report-some": lambda: study.report(all_of_it=False),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", choices=ROWS, help="measure only this row")
    parser.add_argument("--long", action="store_true", help="memory over ten minutes, not one")
    args = parser.parse_args()
    for name, measure in ROWS.items():
        if args.only and name not in args.only:
            continue
        if name == "memory" and args.long:
            measure = lambda: memory(600)  # noqa: E731
        try:
            figures = measure()
        except LookupError as missing:
            print(f"{name:18s} skipped: {missing}", flush=True)
            continue
        bound = figures["least"] if figures["least"] is not None else figures["most"]
        sign = ">=" if figures["least"] is not None else "<="
        wanted = (
            "" if bound is None else f"({sign} {bound}: {'yes' if figures['reached'] else 'NO'})"
        )
        print(f"{name:18s} {figures['value']:9.3f} {wanted:16s} {figures['what']}", flush=True)
        for what in list(figures)[len(KEYS) :]:
            print(f"{'':18s} {figures[what]:9.2f} {'':16s} {what}", flush=True)
        store(f"speed {name}", figures)


if __name__ == "__main__":
    main()
