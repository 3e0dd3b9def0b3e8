"""The plain command: `auto` against every setting of a grid, at equal time, on many problems.

    python -m bench.plain run --out FILE --minutes 8.5    # most valuable runs first; resumable
    python -m bench.plain run --out FILE --only auto      # these algorithms alone
    python -m bench.plain report --out FILE               # the regret of auto and of gnrpa

All is compiled before the first run, and is not in a run's seconds. A score is normalised: 0 is
what random playouts find in the same time, 1 the mean of the best setting of the grid. Regret is
what is missing to 1. The best of many settings by few runs is a lucky one: "fair" is the regret
against settings that are chosen by the other seeds.
"""

from __future__ import annotations

import argparse
import math
import os
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

from bench.many_runs import Runs, rows
from bench.plain_sets import FILES, HELD_OUT, PROBLEMS, TUNED, grid, path_of
from playout.algorithms import ALGORITHMS
from playout.statistics import half_width, mean_interval, standard_error

LIKELY = 4  # settings whose further runs come before those of the others
Found = dict[str, dict[str, dict[int, float]]]  # problem, algorithm, seed: score, higher is better


def solve(task: tuple[str, str, int, float]) -> dict[str, Any]:
    """Run one cell with one seed."""
    import playout as po

    name, algorithm, seed, seconds = task
    problem = PROBLEMS[name]()
    if algorithm == "auto":  # which else reads it while it searches
        compile_all(name)
    result = po.solve(problem, algorithm, po.Seconds(seconds), seed=seed)
    return {
        "problem": name,
        "algorithm": algorithm,
        "seed": seed,
        "seconds": seconds,
        "sense": problem.sense,
        "score": result.score,
        "playouts": result.playouts,
        "found by": result.found_by,
        "curve": result.curve,
    }


@cache
def compile_all(name: str) -> None:
    """Have at hand what the runs of a problem need, and on the disk for other processes."""
    import playout as po

    problem = PROBLEMS[name]()
    members = ALGORITHMS["auto"]().settings(problem)
    for algorithm in ("auto", "gnrpa", "random", *members, *grid(problem)):
        po.solve(problem, algorithm, po.Playouts(1), seed=1)


def run(given: argparse.Namespace) -> None:
    out = Path(given.out)
    asked = given.problem or list(PROBLEMS)
    names = [name for name in asked if name not in FILES or path_of(name).exists()]
    for name in set(asked) - set(names):
        print(f"skipped: {name} (no {path_of(name)})")
    with Runs(given.workers, given.minutes, longest=given.seconds + 1) as runs:
        runs.prepare(compile_all, names)
        runs.perform(solve, _tasks(given, names, out), out)


def _tasks(
    given: argparse.Namespace, names: list[str], out: Path
) -> Iterator[tuple[str, str, int, float]]:
    """The runs that are not made yet, each taken when a process is free for it."""
    asked = {(row["problem"], row["algorithm"], row["seed"]) for row in rows(out)}
    for name, algorithm, seed in _wanted(given.likely, given.seeds, names, out):
        if (not given.only or algorithm in given.only) and (name, algorithm, seed) not in asked:
            asked.add((name, algorithm, seed))
            yield name, algorithm, seed, given.seconds


def _wanted(likely: int, seeds: int, names: list[str], out: Path) -> Iterator[tuple[str, str, int]]:
    """All runs, the most valuable first."""
    held_out, tuned = ([name for name in names if name in some] for some in (HELD_OUT, TUNED))
    for some in (held_out, tuned):
        yield from ((name, "auto", seed) for seed in range(1, likely + 1) for name in some)
    for some in (held_out, tuned):
        yield from ((name, other, 1) for other in ("gnrpa", "random") for name in some)
    for some in (held_out, tuned):
        settings = {name: grid(PROBLEMS[name]()) for name in some}
        longest = max(map(len, settings.values()), default=0)
        for turn in range(longest):
            for name in some:
                yield from ((name, setting, 1) for setting in settings[name][turn : turn + 1])
        for seed in range(2, likely + 1):
            yield from ((name, other, seed) for other in ("gnrpa", "random") for name in some)
            for name in some:
                yield from ((name, setting, seed) for setting in _likely(name, out))
    for seed in range(1, seeds + 1):
        for name in names:
            for algorithm in ("auto", "gnrpa", "random", *grid(PROBLEMS[name]())):
                yield name, algorithm, seed


def _likely(name: str, out: Path) -> list[str]:
    """The settings of the grid that were best on a problem by now."""
    means = {
        algorithm: mean(scores.values())
        for algorithm, scores in found(out)[name].items()
        if algorithm not in ("auto", "random")
    }
    return sorted(means, key=lambda algorithm: -means[algorithm])[:LIKELY]


def found(out: Path) -> Found:
    """Scores by problem, algorithm and seed, made so that higher is better."""
    scores: Found = defaultdict(lambda: defaultdict(dict))
    for row in rows(out):
        score = -row["score"] if row["sense"] == "min" else row["score"]
        if row["problem"] == "maximum":  # whose scores grow exponentially
            score = math.log(max(score, 1.0))
        scores[row["problem"]][row["algorithm"]][row["seed"]] = score
    return scores


def regrets(runs: dict[str, dict[int, float]]) -> dict[str, Any] | None:
    """The regrets of one problem; None while auto, random or the grid has no run."""
    settings = {name: seeds for name, seeds in runs.items() if name not in ("auto", "random")}
    if not settings or "auto" not in runs or "random" not in runs:
        return None
    most = max(len(seeds) for seeds in settings.values())
    tried = {name: seeds for name, seeds in settings.items() if len(seeds) == most}
    means = {name: mean(seeds.values()) for name, seeds in settings.items()}
    best = max(tried, key=lambda name: means[name])
    zero = mean(runs["random"].values())
    scale = means[best] - zero

    def missing(score: float, to: float) -> float:
        return (to - score) / scale if scale > 0 else 0.0

    auto = list(runs["auto"].values())
    return {
        "auto": [missing(score, means[best]) for score in auto],
        "fair": missing(mean(auto), _fair(tried, means[best])),
        "gnrpa": [missing(score, means[best]) for score in settings.get("gnrpa", {}).values()],
        "best": best,
        "runs": most,
        "settings": len(settings),
    }


def _fair(tried: dict[str, dict[int, float]], otherwise: float) -> float:
    """What settings find with a seed that are the best with the other seeds."""
    seeds = sorted(set.intersection(*(set(scores) for scores in tried.values())))
    if len(seeds) < 2:
        return otherwise
    chosen = []
    for seed in seeds:
        before = {name: mean(s for k, s in tried[name].items() if k != seed) for name in tried}
        highest = max(before.values())
        chosen.append(mean(tried[name][seed] for name in tried if before[name] == highest))
    return mean(chosen)


def _interval(values: list[float]) -> str:
    """A mean and its 95% interval, as far as so many values have one."""
    middle, half = mean_interval(values)
    return f"{middle:.1%}" if half is None else f"{middle:.1%} +-{half:.1%}"


def report(given: argparse.Namespace) -> None:
    scores = found(Path(given.out))
    print(f"{'problem':32}{'seeds':>6}{'regret of auto':>20}{'fair':>8}{'of gnrpa':>20}", end="")
    print("  the best of how many settings, each so many seeds")
    for which, some in (("held out", HELD_OUT), ("tuned on", TUNED)):
        known = {name: regrets(scores[name]) for name in some if name in scores}
        shown = {name: row for name, row in known.items() if row is not None}
        for name, row in shown.items():
            print(
                f"{name:32}{len(row['auto']):6}{_interval(row['auto']):>20}{row['fair']:8.1%}",
                end="",
            )
            print(f"{_interval(row['gnrpa']) if row['gnrpa'] else '-':>20}", end="")
            print(f"  {row['best']} of {row['settings']}, {row['runs']}{_worse(row)}")
        if shown:
            means = {name: mean(row["auto"]) for name, row in shown.items()}
            fair = [row["fair"] for row in shown.values()]
            usual = [mean(row["gnrpa"]) for row in shown.values() if row["gnrpa"]]
            worst = max(means, key=lambda name: means[name])
            print(f"{which}, {len(shown)} problems: auto {_interval(list(means.values()))}", end="")
            print(f", worst {means[worst]:.1%} ({worst}); fair {_interval(fair)}", end="")
            print(f"; gnrpa {_interval(usual) if usual else '-'}")


def _worse(row: dict[str, Any]) -> str:
    """A mark where auto is behind gnrpa by more than the noise of both."""
    auto, usual = row["auto"], row["gnrpa"]
    if len(auto) < 2 or len(usual) < 2:
        return ""
    error = math.hypot(standard_error(auto), standard_error(usual))
    noise = half_width(error, min(len(auto), len(usual)) - 1)
    return "  WORSE THAN GNRPA" if mean(auto) - mean(usual) > noise + 1e-9 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--likely", type=int, default=3, help="seeds of auto and the best settings")
    parser.add_argument("--seeds", type=int, default=3, help="seeds of all others")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--problem", action="append", choices=PROBLEMS, metavar="NAME")
    parser.add_argument("--only", action="append")
    given = parser.parse_args()
    (run if given.what == "run" else report)(given)


if __name__ == "__main__":
    main()
