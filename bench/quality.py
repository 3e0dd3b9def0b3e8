"""Quality: what the searches reach in a given time, over several seeds, with 95% intervals.

    python -m bench.quality samegame                 # board 1, GNRPA, 20 seeds of 164 s
    python -m bench.quality tsptw                    # rc_204.1, GNRPA, 20 seeds of 164 s
    python -m bench.quality tsptw30                  # 30 instances, 5 seeds of 60 s each
    python -m bench.quality maximum                  # SNRPA's P at equal playouts

Each run has a process and a core of its own; `--processes` says how many run at once.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from typing import Any

import playout as po
from bench.common import board_one, data_folder, interval, store
from playout.problems import TSPTW, Maximum
from playout.search import algorithm_class

TIMES = (2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68, 655.36)

# the options that the quality figures use, apart from those given with -o
SAMEGAME = {"level": "4", "N": "50"}
TSPTW_OPTIONS = {"level": "3", "tau": "1.4", "P": "4"}


def problem_of(task: dict[str, Any]) -> Any:
    if task["problem"] == "samegame":
        return board_one()[0]
    if task["problem"] == "tsptw":
        folder = data_folder()
        if folder is None:
            raise SystemExit("the TSPTW instances are missing: set PLAYOUT_DATA")
        return TSPTW.read(folder / "tsptw" / "SolomonPotvinBengio" / f"{task['instance']}.txt")[0]
    return Maximum.default()


def run(task: dict[str, Any]) -> dict[str, Any]:
    algorithm = algorithm_class(task["algorithm"]).from_text(task["options"])
    stop: Any = po.Playouts(task["playouts"]) if "playouts" in task else po.Seconds(task["seconds"])
    if "target" in task:
        stop = stop | po.Target(task["target"])
    result = po.solve(problem_of(task), algorithm, stop, seed=task["seed"])
    return {
        **task,
        "score": result.score,
        "verified": result.verified,
        "curve": result.curve,
        "playouts": result.playouts,
        "seconds": result.seconds,
    }


def at(curve: list[list[float]], seconds: float) -> float:
    """The best score by a time."""
    return max((score for t, _, score in curve if t <= seconds), default=float("-inf"))


def run_all(tasks: list[dict[str, Any]], processes: int) -> list[dict[str, Any]]:
    run({**tasks[0], "seconds": 0.1, "playouts": 1})  # compile once, before the clocks run
    context = multiprocessing.get_context("spawn")
    results = []
    with context.Pool(processes) as pool:
        for result in pool.imap_unordered(run, tasks):
            results.append(result)
            print(f"\r{len(results)}/{len(tasks)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    assert all(result["verified"] for result in results)
    return results


def curve_table(results: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    figures: dict[str, Any] = {"runs": len(results)}
    for t in [t for t in TIMES if t <= seconds + 1e-9]:
        m, half = interval([at(r["curve"], t) for r in results])
        print(f"  {t:8.2f} s  {m:12.2f} +- {half:.2f}")
        figures[f"{t}"] = [round(m, 3), round(half, 3)]
    best = max(r["score"] for r in results)
    print(f"  best {best:.2f}")
    figures["best"] = best
    figures["playouts_per_second"] = round(
        sum(r["playouts"] for r in results) / sum(r["seconds"] for r in results)
    )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("samegame", "tsptw", "tsptw30", "maximum"))
    parser.add_argument("-a", "--algorithm", default="gnrpa")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--playouts", type=int, default=100_000, help="of each run, for maximum")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    given = dict(text.split("=", 1) for text in args.option)
    base = {"problem": args.what, "algorithm": args.algorithm}

    if args.what in ("samegame", "tsptw"):
        seconds, runs = args.seconds or 163.84, args.runs or 20
        usual = SAMEGAME if args.what == "samegame" else TSPTW_OPTIONS
        base |= {"options": usual | given, "seconds": seconds, "instance": "rc_204.1"}
        print(f"{args.what}, {args.algorithm} {base['options']}, {runs} runs of {seconds} s")
        results = run_all([{**base, "seed": seed} for seed in range(1, runs + 1)], args.processes)
        figures = curve_table(results, seconds)
    elif args.what == "tsptw30":
        seconds, runs = args.seconds or 60.0, args.runs or 5
        base |= {"problem": "tsptw", "options": TSPTW_OPTIONS | given, "seconds": seconds}
        figures = thirty(base, seconds, runs, args.processes)
    else:
        runs = args.runs or 20
        figures = {"runs": runs, "playouts": args.playouts}
        print(f"maximum, snrpa, {runs} runs of {args.playouts} playouts")
        for P in (1, 2, 3, 4, 10):
            options = {"level": "3", "P": str(P)} | given
            task = {**base, "algorithm": "snrpa", "options": options, "playouts": args.playouts}
            results = run_all([{**task, "seed": s} for s in range(1, runs + 1)], args.processes)
            m, half = interval([r["score"] for r in results])
            print(f"  P = {P:2d}  {m:.6g} +- {half:.3g}")
            figures[f"P={P}"] = [m, half]
    store(f"quality {args.what}", {"options": base.get("options", given), **figures})


def thirty(base: dict[str, Any], seconds: float, runs: int, processes: int) -> dict[str, Any]:
    """All Solomon-Potvin-Bengio instances against the best known travel costs."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("the TSPTW instances are missing: set PLAYOUT_DATA")
    known = {}
    lines = (folder / "tsptw" / "best_known" / "SolomonPotvinBengio.traveltime.txt").read_text()
    for line in lines.splitlines():
        words = line.split("#")[0].split()
        if words:
            known[words[0].removesuffix(".txt")] = float(words[1])
    # a run ends when it has reached the best known cost: these are for checking only
    tasks = [
        {**base, "instance": name, "seed": seed, "target": -cost - 0.005}
        for seed in range(1, runs + 1)
        for name, cost in known.items()
    ]
    results = run_all(tasks, processes)
    reached = 0
    rows = {}
    for name, cost in sorted(known.items()):
        scores = [-r["score"] for r in results if r["instance"] == name]
        hits = sum(score <= cost + 0.005 for score in scores)
        reached += hits > 0
        rows[name] = [min(scores), cost, hits]
        print(f"  {name:10s} best {min(scores):12.2f}  known {cost:8.2f}  {hits}/{len(scores)}")
    print(f"  best known reached on {reached} of {len(known)} within {seconds} s, best of {runs}")
    return {"seconds": seconds, "runs": runs, "reached": reached, "instances": rows}


if __name__ == "__main__":
    main()
