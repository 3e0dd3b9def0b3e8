"""What the plain command costs: racing, the first playouts of a new problem, repeated evaluations.

    python -m bench.plain_costs racing [PROBLEM ...]    # playouts of others before the best score
    python -m bench.plain_costs later [PROBLEM ...] --seeds 3    # seconds of others before it
    python -m bench.plain_costs first      # CPU seconds to the first improvement, empty cache
    python -m bench.plain_costs cache      # evaluations of the feature problem that are saved

Racing and cache count playouts and evaluations: they are the same on every machine, busy or not.
Later wants an idle core.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile

import playout as po
from bench.plain_problems.features import Features
from bench.plain_sets import FILES, PROBLEMS, TUNED, path_of
from playout.algorithms import ALGORITHMS
from playout.run.auto import Auto
from playout.run.portfolio import Portfolio
from playout.statistics import mean_interval

PLAYOUTS = 60_000
TOO_EARLY = 1 / 100  # of the playouts: what is found before is luck
SECONDS = 6.0
EARLIEST = 0.5  # seconds, the same
SEEDS = 5
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


def racing(names: list[str], seeds: range) -> None:
    """Where the first guess found the best score: how many playouts of others came before."""
    print(f"{'problem':24}{'runs':>5}{'first guess':>12}    playouts of others")
    everywhere = []
    for name in names:
        problem = PROBLEMS[name]()
        guess = ALGORITHMS["auto"]().settings(problem)[1].text()
        shares = []
        for seed in seeds:
            result = po.solve(problem, "auto", po.Playouts(PLAYOUTS), seed=seed)
            raced = result.curve[-1][1]
            if result.found_by == guess and raced > PLAYOUTS * TOO_EARLY:
                shares.append(1 - result.found_at / raced)
        everywhere += shares
        _tell(name, seeds, shares)
    _tell_mean(everywhere)


def later(names: list[str], seeds: range) -> None:
    """Where the first guess found the best score in a race by seconds: what was not its time.

    By the clock of the race itself: two runs of a second differ by more than what is looked for.
    """
    print(f"{'problem':24}{'runs':>5}{'first guess':>12}    time of others")
    everywhere = []
    for name in names:
        problem = PROBLEMS[name]()
        members = Auto().settings(problem)
        for member in members:  # a race compiles in the background what it has not yet needed
            po.solve(problem, member, po.Playouts(1), seed=1)
        shares = []
        for seed in seeds:
            auto = Watched()
            raced = po.solve(problem, auto, po.Seconds(SECONDS), seed=seed)
            if raced.found_by == members[1].text() and raced.curve[-1][0] > EARLIEST:
                shares.append(1 - auto.until_best() / raced.curve[-1][0])
        everywhere += shares
        _tell(name, seeds, shares)
    _tell_mean(everywhere)


class Watched(Auto):
    """A race that tells after how many of its own seconds the first guess had its best score."""

    def start(self, problem: po.Problem, seed: int) -> Portfolio:
        portfolio = super().start(problem, seed)
        ran, seen = portfolio.race.ran, self._seen()

        def noted(number: int, effort: float, best: float, improved: float) -> None:
            ran(number, effort, best, improved)
            if number == 1:
                seen.append((best, -effort))

        portfolio.race.ran = noted  # type: ignore[method-assign]
        return portfolio

    def _seen(self) -> list[tuple[float, float]]:
        return self.__dict__.setdefault("seen", [])

    def until_best(self) -> float:
        """Seconds of the first guess alone."""
        return -max(self._seen())[1]


def _tell(name: str, seeds: range, shares: list[float]) -> None:
    each = ", ".join(f"{share:.1%}" for share in shares) or "-"
    print(f"{name:24}{len(seeds):5}{len(shares):12}    {each}", flush=True)


def _tell_mean(shares: list[float]) -> None:
    if not shares:
        print("the first guess found none of the best scores")
        return
    middle, half = mean_interval(shares)
    noise = "" if half is None else f" +-{half:.1%}"
    print(f"mean {middle:.1%}{noise} over {len(shares)} runs")


def first(modules: list[str]) -> None:
    """A process with an empty cache for each problem, until the first improvement is shown."""
    problems = {"snake": "Snake", "jobshop": "JobShop", "maxsat": "MaxSat"}
    for module in modules or problems:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("racing", "later", "first", "cache"))
    parser.add_argument("names", nargs="*", metavar="PROBLEM")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args()
    there = [name for name in TUNED if name not in FILES or path_of(name).exists()]
    if given.what == "cache":
        cache()
    elif given.what == "first":
        first(given.names)
    else:
        work = racing if given.what == "racing" else later
        work(given.names or there, range(1, given.seeds + 1))


if __name__ == "__main__":
    main()
