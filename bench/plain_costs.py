"""What the plain command costs: racing, the first playouts of a new problem, repeated evaluations.

    python -m bench.plain_costs racing [PROBLEM ...]    # playouts of others before the best score
    python -m bench.plain_costs later [PROBLEM ...]     # the same by seconds: how much later it is
    python -m bench.plain_costs first      # CPU seconds to the first improvement, empty cache
    python -m bench.plain_costs cache      # evaluations of the feature problem that are saved

Racing and cache count playouts and evaluations: they are the same on every machine, busy or not.
Later wants an idle core.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from statistics import mean

import playout as po
from bench.plain_problems.features import Features
from bench.plain_sets import TUNED
from playout.algorithms import ALGORITHMS
from playout.statistics import mean_interval

PLAYOUTS = 60_000
SECONDS = 6.0
EARLIEST = 0.5  # seconds: what is found before is luck
SEEDS = range(1, 6)
FIRST = """
import sys, time, playout as po
from bench.plain_problems.{module} import {name}
def progress(seen):
    if seen.playouts and not told:
        told.append(1)
        print(time.process_time(), time.perf_counter() - began, flush=True)
told, began = [], time.perf_counter()
po.solve({name}(), {algorithm!r}, 0.5, seed=1, progress=progress)
"""


def racing() -> None:
    """Where the first guess found the best score: how many playouts of others came before."""
    print(f"{'problem':24}{'runs':>5}{'first guess':>12}{'playouts of others':>20}")
    everywhere = []
    wanted = sys.argv[2:] or list(TUNED)
    for name in wanted:
        problem = TUNED[name]()
        guess = ALGORITHMS["auto"]().settings(problem)[1].text()
        shares = []
        for seed in SEEDS:
            result = po.solve(problem, "auto", po.Playouts(PLAYOUTS), seed=seed)
            raced = result.curve[-1][1]
            if result.found_by == guess and raced > PLAYOUTS / 100:  # not by luck at the start
                shares.append(1 - result.found_at / raced)
        everywhere += shares
        text = f"{mean(shares):.1%}" if shares else "-"
        print(f"{name:24}{len(SEEDS):5}{len(shares):12}{text:>20}", flush=True)
    _tell_mean(everywhere)


def later() -> None:
    """Where the first guess found the best score in a race by seconds: how much sooner alone."""
    print(f"{'problem':24}{'runs':>5}{'first guess':>12}{'time of others':>20}")
    everywhere = []
    for name in sys.argv[2:] or list(TUNED):
        problem = TUNED[name]()
        members = ALGORITHMS["auto"]().settings(problem)
        guess = members[1].text()
        for member in members:  # a race compiles in the background what it has not yet needed
            po.solve(problem, member, po.Playouts(1), seed=1)
        shares = []
        for seed in SEEDS:
            raced = po.solve(problem, "auto", po.Seconds(SECONDS), seed=seed)
            if raced.found_by == guess and raced.curve[-1][0] > EARLIEST:
                shares.append(1 - _alone(problem, guess, seed, raced) / raced.curve[-1][0])
        everywhere += shares
        text = f"{mean(shares):.1%}" if shares else "-"
        print(f"{name:24}{len(SEEDS):5}{len(shares):12}{text:>20}", flush=True)
    _tell_mean(everywhere)


def _alone(problem: po.Problem, guess: str, seed: int, raced: po.Result) -> float:
    """The seconds after which the first guess has the race's best score without the others.

    It has a budget of seconds, too: a step ends as late after what it finds as one of the race.
    """
    alone = po.solve(problem, guess, po.Seconds(raced.curve[-1][0] + 1), seed=seed)
    (found,) = [point for point in alone.curve if point[1] == raced.found_at]
    assert found[2] == raced.score
    return found[0]


def _tell_mean(shares: list[float]) -> None:
    if not shares:
        print("the first guess found none of the best scores")
        return
    middle, half = mean_interval(shares)
    noise = "" if half is None else f" +-{half:.1%}"
    print(f"mean {middle:.1%}{noise} over {len(shares)} runs")


def first() -> None:
    """A process with an empty cache for each problem, until the first improvement is shown."""
    problems = {"snake": "Snake", "jobshop": "JobShop", "maxsat": "MaxSat"}
    for module in sys.argv[2:] or problems:
        name = problems[module]
        for algorithm in (None, "gnrpa"):
            with tempfile.TemporaryDirectory() as cache:
                code = FIRST.format(module=module, name=name, algorithm=algorithm)
                environment = {**os.environ, "PLAYOUT_CACHE": cache}
                done = subprocess.run(
                    [sys.executable, "-c", code], env=environment, capture_output=True, text=True
                )
            cpu, wall = map(float, done.stdout.split()[:2])
            called = algorithm or "plain"
            print(f"{name:12}{called:8}{cpu:6.1f} s of CPU, {wall:5.1f} s by the clock", flush=True)


def cache() -> None:
    """Evaluations of states that had been evaluated before: asked again, or saved."""
    for algorithm in ("auto", "gnrpa", "nmcs"):
        seen: set[bytes] = set()
        asked = [0, 0]

        class Counted(Features):
            def evaluate(self, states, seen=seen, asked=asked):
                for state in states:
                    asked[state.tobytes() in seen] += 1
                    seen.add(state.tobytes())
                return super().evaluate(states)

        result = po.solve(Counted(), algorithm, po.Playouts(3000), seed=1)
        again = asked[1] - 2  # the replay at the end asks twice
        saved = result.counters["repeated"]
        share = saved / max(1, saved + again)
        print(
            json.dumps(
                {
                    "algorithm": algorithm,
                    "playouts": 3000,
                    "sets": asked[0],
                    "repeated": saved + again,
                    "saved": round(share, 4),
                }
            )
        )


if __name__ == "__main__":
    {"racing": racing, "later": later, "first": first, "cache": cache}[sys.argv[1]]()
