"""Races replayed on recorded curves: what another rule of the race would have found, and cost.

    python -m bench.plain_replay record --out FILE --seconds 6    # each member alone; resumable
    python -m bench.plain_replay FILE                             # the race as it is
    python -m bench.plain_replay FILE --set SHARE=0.05             # with another number
    python -m bench.plain_replay FILE --budgets 1,3,6 --draws 16
    python -m bench.plain_replay FILE --playouts 60000            # a race by playouts

It is the race of the package (`playout/run/race.py`). Each draw takes for every member the curve of
one of its seeds. Regret is as in `bench.plain`, against the best member at the budget by the mean
of its seeds. Cost is the part of the effort that others had before the best score, where the first
guess found it and not at once. Switching and loading cost nothing
here. Members without a curve do not take part; the curves of `bench.plain run` will do, too.
"""

from __future__ import annotations

import argparse
import json
import math
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import playout as po
from bench.many_runs import rows
from bench.plain_costs import EARLIEST, TOO_EARLY
from bench.plain_sets import PROBLEMS, TUNED
from playout.algorithms import ALGORITHMS
from playout.run import race as rules
from playout.run.portfolio import CHUNK, UNIT_SECONDS, UNIT_SHARE
from playout.statistics import mean_interval

Curve = tuple[list[float], list[float]]  # efforts, best scores; higher is better


@dataclass(frozen=True)
class Replayed:
    """What a race has found, after which effort, by whom, and that of others until then."""

    score: float
    at: float
    by: int
    others: float


def members(name: str) -> list[str]:
    """Whom `auto` races on a problem; the first one only stands in."""
    return [one.text() for one in ALGORITHMS["auto"]().settings(PROBLEMS[name]())]


def record(given: argparse.Namespace) -> None:
    """Run each member alone, one seed of all before the next."""
    out = Path(given.out)
    made = {(row["problem"], row["algorithm"], row["seed"]) for row in rows(out)}
    with out.open("a") as file:
        for seed in range(1, given.seeds + 1):
            for name in given.problem or TUNED:
                for algorithm in members(name):
                    if (name, algorithm, seed) in made:
                        continue
                    problem = PROBLEMS[name]()
                    po.solve(problem, algorithm, po.Playouts(1), seed=1)  # to compile
                    found = po.solve(problem, algorithm, po.Seconds(given.seconds), seed=seed)
                    row = {"problem": name, "algorithm": algorithm, "seed": seed}
                    row |= {"seconds": given.seconds, "sense": problem.sense, "curve": found.curve}
                    print(json.dumps(row), file=file, flush=True)


def curves(path: Path, by_playouts: bool) -> dict[str, dict[str, list[Curve]]]:
    """The recorded curves by problem and algorithm."""
    known: dict[str, dict[str, list[Curve]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(path):
        sign = -1.0 if row["sense"] == "min" else 1.0
        times = [point[by_playouts] for point in row["curve"]]
        known[row["problem"]][row["algorithm"]].append(
            (times, [sign * score for _, _, score in row["curve"]])
        )
    return known


def at(curve: Curve, effort: float) -> tuple[float, float]:
    """The best score of a curve by then, and when it was found."""
    last = bisect_right(curve[0], effort) - 1
    return (curve[1][last], curve[0][last]) if last >= 0 else (-math.inf, 0.0)


def replay(own: list[Curve], budget: float, unit: float, chunk: float) -> Replayed:
    """A race of members that find what their curves say; the first one stands in and never runs."""
    race = rules.Race(len(own), unit)
    race.expect(budget)
    ready = np.ones(len(own), bool)
    total, found = 0.0, Replayed(-math.inf, 0.0, 1, 0.0)
    while total < budget:
        number, until = race.turn(ready)
        had = float(race.runners[number].effort)
        effort = min(until, had + chunk, had + budget - total)
        if effort <= had:  # rounding
            break
        score, when = at(own[number], effort)
        if score > found.score:
            moment = total + max(when - had, 0.0)
            first = when if number == 1 else float(race.runners[1].effort)
            found = Replayed(score, moment, number, moment - first)
        total += effort - had
        # as the portfolio tells it: the effort at the end of a step that found something
        race.ran(number, effort, score, effort)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", metavar="record|FILE")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budgets", default="1,2,4,6")
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--problem", action="append", choices=PROBLEMS, metavar="NAME")
    given = parser.parse_args()
    if given.what == "record":
        record(given)
        return
    for setting in given.set:
        name, number = setting.split("=")
        setattr(rules, name, type(getattr(rules, name))(float(number)))
    tell(curves(Path(given.what), given.playouts is not None), given)


def tell(known: dict[str, dict[str, list[Curve]]], given: argparse.Namespace) -> None:
    """Print regret by budget and cost, in the mean of the problems."""
    random = np.random.default_rng(1)
    budgets = given.playouts or given.budgets
    for budget in map(float, str(budgets).split(",")):
        unit, chunk = (budget // UNIT_SHARE, budget) if given.playouts else (UNIT_SECONDS, CHUNK)
        early = budget * TOO_EARLY if given.playouts else EARLIEST
        regrets: dict[str, float] = {}
        costs: list[float] = []
        for name, own in known.items():
            names = members(name)
            names = [each for each in names if each in own]
            if (given.problem and name not in given.problem) or len(names) < 3:
                continue
            means = {each: mean(at(curve, budget)[0] for curve in own[each]) for each in names}
            zero, best = means[names[0]], max(means.values())
            found = []
            for draw in range(given.draws):
                drawn = [own[each][random.integers(len(own[each]))] for each in names]
                drawn[1] = own[names[1]][draw % len(own[names[1]])]
                found.append(replay(drawn, budget, unit, chunk))
            scale = best - zero
            regrets[name] = mean((best - one.score) / scale if scale > 0 else 0.0 for one in found)
            costs += [one.others / one.at for one in found if one.by == 1 and one.at > early]
        print(f"{budget:g}: {_text(regrets, costs)}", flush=True)


def _text(regrets: dict[str, float], costs: list[Any]) -> str:
    if not regrets:
        return "no problem has curves of its members: record them first"
    worst = max(regrets, key=lambda name: regrets[name])
    text = f"regret {mean(regrets.values()):.1%} over {len(regrets)} problems"
    text += f", worst {regrets[worst]:.1%} ({worst})"
    if costs:
        middle, half = mean_interval(costs)
        text += f"; cost {middle:.1%}" + ("" if half is None else f" +-{half:.1%}")
    return f"{text} over {len(costs)} races"


if __name__ == "__main__":
    main()
