"""The plain command on the public TSPTW instances: feasible, and as good as the best known?

    PLAYOUT_DATA=FOLDER python -m bench.plain_tsptw run --out FILE         # resumable
    PLAYOUT_DATA=FOLDER python -m bench.plain_tsptw report --out FILE

Nothing was tuned on these but SolomonPesant/rc204.1, which is left out. The travel cost counts.
A run ends when it has the best known cost: what it does before does not depend on it.
"""

from __future__ import annotations

import argparse
import math
import os
import random
from pathlib import Path
from typing import Any

from bench.many_runs import Runs, rows
from playout.statistics import wilson

SETS = ("SolomonPotvinBengio", "SolomonPesant", "AFG", "GendreauDumasExtended", "Langevin")
TUNED_ON = {"SolomonPesant/rc204.1"}
INFEASIBLE = 1e5  # costs from here on have violations in them


def best_known() -> dict[str, float]:
    """The best known travel cost of each instance, by the name that `playout solve` takes."""
    folder = Path(os.environ.get("PLAYOUT_DATA", "data")) / "tsptw" / "best_known"
    known: dict[str, float] = {}
    for collection in SETS:
        for line in (folder / f"{collection}.traveltime.txt").read_text().splitlines():
            words = line.split("#")[0].split()
            if words:
                known[f"{collection}/{words[0].removesuffix('.txt')}"] = float(words[1])
    return {name: cost for name, cost in known.items() if name not in TUNED_ON}


def highest(best: float) -> float:
    """The highest cost that is the best known one: it is told with few digits."""
    return best * (1 + 1e-6) + 0.01


def solve(task: tuple[str, str, float, float]) -> dict[str, Any]:
    """Run one instance by one algorithm."""
    import playout as po

    instance, algorithm, seconds, best = task
    stop = po.Seconds(seconds) | po.Target(-highest(best))
    result = po.solve("tsptw", algorithm, stop, seed=1, instance=instance)
    return {
        "instance": instance,
        "algorithm": algorithm,
        "seconds": seconds,
        "cost": -result.score,
        "took": result.seconds,
        "playouts": result.playouts,
        "found by": result.found_by,
        "verified": result.verified,
    }


def run(given: argparse.Namespace) -> None:
    out = Path(given.out)
    done = {(row["instance"], row["algorithm"]) for row in rows(out)}
    known = best_known()
    tasks = [
        (instance, algorithm, given.seconds, known[instance])
        for algorithm in given.algorithm or ["auto"]
        for instance in sorted(known)
        if (instance, algorithm) not in done
    ]
    random.Random(1).shuffle(tasks)  # what is done in time stands for all
    with Runs(given.workers, given.minutes, longest=given.seconds + 2) as runs:
        runs.perform(solve, tasks, out)


def report(given: argparse.Namespace) -> None:
    known = best_known()
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows(Path(given.out)):
        instance, cost = row["instance"], row["cost"]
        for place in (instance.partition("/")[0], "all"):
            found.setdefault((row["algorithm"], place), []).append((cost, known[instance]))
    print(
        f"{'algorithm':28}{'set':24}{'runs':>5}{'infeasible':>11}{'best known':>22}{'above it':>10}"
    )
    for (algorithm, place), costs in sorted(found.items()):
        feasible = [(cost, best) for cost, best in costs if cost < INFEASIBLE]
        reached = sum(cost <= highest(best) for cost, best in feasible)
        low, high = wilson(reached, len(costs))
        above = sum(cost / best - 1 for cost, best in feasible) / max(1, len(feasible))
        share = f"{reached} [{low:.0%}, {high:.0%}]"
        missing = len(costs) - len(feasible)
        print(f"{algorithm:28}{place:24}{len(costs):5}{missing:11}{share:>22}{above:10.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--algorithm", action="append")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    (run if given.what == "run" else report)(given)


if __name__ == "__main__":
    main()
