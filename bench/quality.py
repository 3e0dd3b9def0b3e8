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

MARKS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
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
        file = folder / "tsptw" / "SolomonPotvinBengio" / f"{task['instance']}.txt"
        return TSPTW.read(file, **task.get("problem_options", {}))[0]
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


def after(curve: list[list[float]], playouts: float) -> float:
    """The best score by a number of playouts."""
    return max((score for _, n, score in curve if n <= playouts), default=float("-inf"))


def run_all(tasks: list[dict[str, Any]], processes: int) -> list[dict[str, Any]]:
    for problem in {task["problem"] for task in tasks}:  # compile once, before the clocks run
        task = next(task for task in tasks if task["problem"] == problem)
        run({**task, "playouts": 1})
    context = multiprocessing.get_context("spawn")
    results = []
    with context.Pool(processes) as pool:
        for result in pool.imap_unordered(run, tasks):
            results.append(result)
            print(f"\r{len(results)}/{len(tasks)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    assert all(result["verified"] for result in results)
    return results


def samegame(args: Any) -> tuple[list[dict[str, Any]], Any]:
    return curve_suite(args, "samegame", SAMEGAME)


def tsptw(args: Any) -> tuple[list[dict[str, Any]], Any]:
    return curve_suite(args, "tsptw", TSPTW_OPTIONS)


def curve_suite(args: Any, problem: str, usual: dict[str, str]) -> tuple[list, Any]:
    """Mean score by time."""
    seconds, runs, options = args.seconds or 163.84, args.runs or 20, usual | args.options
    task = {
        "problem": problem, "instance": "rc_204.1", "algorithm": args.algorithm,
        "options": options, "seconds": seconds,
    }  # fmt: skip

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        print(f"{problem}, {args.algorithm} {options}, {runs} runs of {seconds} s")
        figures: dict[str, Any] = {"options": options, "runs": runs}
        for t in [t for t in TIMES if t <= seconds + 1e-9]:
            m, half = interval([at(r["curve"], t) for r in results])
            print(f"  {t:8.2f} s  {m:12.2f} +- {half:.2f}")
            figures[f"{t}"] = [round(m, 3), round(half, 3)]
        figures["best"] = max(r["score"] for r in results)
        played, took = sum(r["playouts"] for r in results), sum(r["seconds"] for r in results)
        figures["playouts_per_second"] = round(played / took)
        print(f"  best {figures['best']:.2f}, {played / took:,.0f} playouts/s")
        return figures

    return [{**task, "seed": seed} for seed in range(1, runs + 1)], report


def tsptw30(args: Any) -> tuple[list[dict[str, Any]], Any]:
    """All Solomon-Potvin-Bengio instances against the best known travel costs."""
    seconds, runs, options = args.seconds or 60.0, args.runs or 5, TSPTW_OPTIONS | args.options
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
        {
            "problem": "tsptw", "instance": name, "algorithm": args.algorithm,
            "options": options, "seconds": seconds, "seed": seed, "target": -cost - 0.005,
        }
        for seed in range(1, runs + 1)
        for name, cost in known.items()
    ]  # fmt: skip

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        print(f"tsptw, {args.algorithm} {options}, best of {runs} runs of {seconds} s")
        rows = {}
        for name, cost in sorted(known.items()):
            scores = [-r["score"] for r in results if r["instance"] == name]
            hits = sum(score <= cost + 0.005 for score in scores)
            rows[name] = [round(min(scores), 4), cost, hits]
            print(f"  {name:9s} {min(scores):10.2f}  known {cost:8.2f}  {hits}/{len(scores)}")
        reached = sum(hits > 0 for _, _, hits in rows.values())
        print(f"  best known reached on {reached} of {len(known)}")
        return {
            "options": options, "seconds": seconds, "runs": runs, "reached": reached,
            "instances": rows,
        }  # fmt: skip

    return tasks, report


def maximum(args: Any) -> tuple[list[dict[str, Any]], Any]:
    """SNRPA's P at equal playouts."""
    runs = args.runs or 20
    tasks = [
        {
            "problem": "maximum", "algorithm": "snrpa", "playouts": args.playouts, "seed": seed,
            "options": {"level": "3", "P": str(P)} | args.options,
        }
        for P in (1, 2, 3, 4, 10)
        for seed in range(1, runs + 1)
    ]  # fmt: skip

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        figures: dict[str, Any] = {"runs": runs, "playouts": args.playouts}
        marks = [m for m in MARKS if m <= args.playouts]
        print(f"maximum, snrpa, mean score of {runs} runs after so many playouts")
        print("  " + "".join(f"{m:>22,}" for m in marks))
        for P in (1, 2, 3, 4, 10):
            own = [r for r in results if r["options"]["P"] == str(P)]
            row = [interval([after(r["curve"], m) for r in own]) for m in marks]
            print(f"  P = {P:2d}" + "".join(f"{m:12.4g} +- {h:.1g}".rjust(22) for m, h in row))
            figures[f"P={P}"] = {str(m): list(v) for m, v in zip(marks, row, strict=True)}
        return figures

    return tasks, report


SUITES = {"samegame": samegame, "tsptw": tsptw, "tsptw30": tsptw30, "maximum": maximum}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="+", choices=SUITES)
    parser.add_argument("-a", "--algorithm", default="gnrpa")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--playouts", type=int, default=300_000, help="of each run, for maximum")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    args.options = dict(text.split("=", 1) for text in args.option)
    suites = {name: SUITES[name](args) for name in args.what}
    tasks = [{**task, "suite": name} for name, (tasks, _) in suites.items() for task in tasks]
    results = run_all(tasks, args.processes)
    for name, (_, report) in suites.items():
        figures = report([result for result in results if result["suite"] == name])
        store(f"quality {name}", figures)


if __name__ == "__main__":
    main()
