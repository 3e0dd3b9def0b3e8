"""Quality: what the searches reach in a given time, over several seeds, with 95% intervals.

    python -m bench.quality samegame                 # board 1, GNRPA, 20 seeds of 164 s
    python -m bench.quality tsptw                    # rc_204.1, GNRPA, 20 seeds of 164 s
    python -m bench.quality tsptw30                  # 30 instances, 5 seeds of 60 s each
    python -m bench.quality maximum                  # SNRPA's P at equal playouts

Each run has a process and a core of its own; `--processes` says how many run at once. `-o` gives an
option of the algorithm, `-p` one of the problem; figures with `-p` or `--values` are stored under a
name of their own.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

import playout as po
from bench.common import board_one, data_folder, interval, store
from playout.algorithms import ALGORITHMS
from playout.problems import TSPTW, Maximum, SameGame
from playout.problems.instances import parse_options

MARKS = (1_000, 3_000, 10_000, 30_000, 50_000, 100_000, 200_000, 300_000, 1_000_000)
VALUES = "1,2,3,4,10"
TIMES = (2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68, 655.36)

# the options that the quality figures use, apart from those given with -o
SAMEGAME = {"level": "4", "N": "50"}
TSPTW_OPTIONS = {"level": "3", "tau": "1.4", "P": "4", "repetitions": "10"}

CLASSES = {"samegame": SameGame, "tsptw": TSPTW, "maximum": Maximum}


def problem_of(task: dict[str, Any]) -> Any:
    options = parse_options(CLASSES[task["problem"]], task["problem_options"])
    if task["problem"] == "samegame":
        return board_one(**options)[0]
    if task["problem"] == "tsptw":
        return TSPTW.read(tsptw_folder() / "SolomonPotvinBengio" / task["instance"], **options)[0]
    return Maximum.default(**options)


def tsptw_folder() -> Path:
    folder = data_folder()
    if folder is None:
        raise SystemExit("the TSPTW instances are missing: set PLAYOUT_DATA")
    return folder / "tsptw"


def run(task: dict[str, Any]) -> dict[str, Any]:
    algorithm = ALGORITHMS.find(task["algorithm"]).from_text(task["options"])
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
    # compile before the clocks run: the size of a state depends on the instance
    for task in {(task["problem"], task.get("instance")): task for task in tasks}.values():
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
        "problem": problem,
        "instance": "rc_204.1.txt",
        "algorithm": args.algorithm,
        "options": options,
        "problem_options": args.problem_options,
        "seconds": seconds,
    }

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        print(f"{problem} {args.problem_options}, {args.algorithm} {options}, ", end="")
        print(f"{runs} runs of {seconds} s")
        figures: dict[str, Any] = {
            "options": options,
            "problem_options": args.problem_options,
            "runs": runs,
        }
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
    known = best_known()
    # the largest first, so that no core is left with long runs at the end; a run ends when it has
    # reached the best known cost, which is for checking only
    tasks = [
        {
            "problem": "tsptw",
            "instance": name,
            "algorithm": args.algorithm,
            "options": options,
            "problem_options": args.problem_options,
            "seconds": seconds,
            "seed": seed,
            "target": -cost - 0.005,
        }
        for name, (cost, _) in sorted(known.items(), key=lambda item: -item[1][1])
        for seed in range(1, runs + 1)
    ]

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        print(f"tsptw {args.problem_options}, {args.algorithm} {options}, ", end="")
        print(f"best of {runs} runs of {seconds} s")
        rows = {}
        for name, (cost, _) in known.items():
            own = [r for r in results if r["instance"] == name]
            best = min(-r["score"] for r in own)
            times = [r["seconds"] for r in own if -r["score"] <= cost + 0.005]
            took = round(sum(times) / len(times), 2) if times else None
            rows[name.removesuffix(".txt")] = [round(best, 4), cost, len(times), took]
            print(f"  {name[:-4]:9s} {best:10.2f}  known {cost:8.2f}  {len(times)}/{runs}", end="")
            print(f"  mean time {took:6.2f} s" if times else "")
        reached = sum(hits > 0 for _, _, hits, _ in rows.values())
        print(f"  best known reached on {reached} of {len(known)}, ", end="")
        print(f"in {sum(row[2] for row in rows.values())} of {len(results)} runs")
        return {
            "options": options,
            "problem_options": args.problem_options,
            "seconds": seconds,
            "runs": runs,
            "reached": reached,
            "instances": rows,
        }

    return tasks, report


def best_known() -> dict[str, tuple[float, int]]:
    """The best known travel cost and the number of customers of each instance's file."""
    file = tsptw_folder() / "best_known" / "SolomonPotvinBengio.traveltime.txt"
    lines = (line.split("#")[0].split() for line in file.read_text().splitlines())
    # file, cost, violations, tour
    return {words[0]: (float(words[1]), len(words) - 3) for words in lines if words}


def maximum(args: Any) -> tuple[list[dict[str, Any]], Any]:
    """SNRPA's P at equal playouts."""
    runs = args.runs or 20
    tasks = [
        {
            "problem": "maximum",
            "algorithm": "snrpa",
            "playouts": args.playouts,
            "seed": seed,
            "options": {"level": "3", "P": str(P)} | args.options,
            "problem_options": args.problem_options,
        }
        for seed in range(1, runs + 1)
        for P in args.values
    ]

    def report(results: list[dict[str, Any]]) -> dict[str, Any]:
        figures: dict[str, Any] = {"runs": runs, "playouts": args.playouts}
        marks = [m for m in MARKS if m <= args.playouts]
        print(f"maximum, snrpa, mean score of {runs} runs after so many playouts")
        print("  " + "".join(f"{m:>22,}" for m in marks))
        for P in args.values:
            own = [r for r in results if r["options"]["P"] == str(P)]
            row = [interval([after(r["curve"], m) for r in own]) for m in marks]
            print(f"  P = {P:2d}" + "".join(f"{m:12.4g} +- {h:.1g}".rjust(22) for m, h in row))
            figures[f"P={P}"] = {str(m): list(v) for m, v in zip(marks, row, strict=True)}
        for mark in marks:
            print(f"  {mark:9,} playouts: {ordering(figures, args.values, str(mark))}")
        return figures

    return tasks, report


def ordering(figures: dict[str, Any], values: list[int], mark: str) -> str:
    """The values of P from the lowest mean up, and the pairs that are not told apart.

    Two are told apart if the 95% interval of the difference of their means is without 0.
    """
    rows = sorted((figures[f"P={P}"][mark], P) for P in values)
    equal = [
        f"{P} and {Q}"
        for i, ((m, h), P) in enumerate(rows)
        for (k, g), Q in rows[i + 1 :]
        if k - m <= math.hypot(h, g)
    ]
    order = " < ".join(str(P) for _, P in rows)
    return f"P = {order}; not told apart: {', '.join(equal) or 'none'}"


SUITES = {"samegame": samegame, "tsptw": tsptw, "tsptw30": tsptw30, "maximum": maximum}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="+", choices=SUITES)
    parser.add_argument("-a", "--algorithm", default="gnrpa")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("-p", "--problem-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--playouts", type=int, default=300_000, help="of each run, for maximum")
    parser.add_argument("--values", default=VALUES, help="of P, for maximum")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    args.options = dict(text.split("=", 1) for text in args.option)
    args.problem_options = dict(text.split("=", 1) for text in args.problem_option)
    special = args.problem_option + ([f"P={args.values}"] if args.values != VALUES else [])
    args.values = [int(P) for P in args.values.split(",")]
    suites = {name: SUITES[name](args) for name in args.what}
    tasks = [{**task, "suite": name} for name, (tasks, _) in suites.items() for task in tasks]
    results = run_all(tasks, args.processes)
    for name, (_, report) in suites.items():
        figures = report([result for result in results if result["suite"] == name])
        store(" ".join(["quality", name, *special]), figures)


if __name__ == "__main__":
    main()
