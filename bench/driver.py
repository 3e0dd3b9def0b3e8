"""What the driver costs with many workers: `python -m bench.driver --workers 100,1000,10000`.

Nobody searches. Each step takes two seconds by the clock and no CPU time, as if it were made on
another machine; what is measured is the driver's own loop, which is all that runs here.
"""

from __future__ import annotations

import argparse
import heapq
import time

import numpy as np

import playout as po
from playout.problems import Maximum
from playout.run.driver import Driver
from playout.run.hands import Ended, Hands, Worker

STEP = 2.0  # seconds
PLAYOUTS = 40_000  # of a step
COLLECT = 0.02  # seconds for which reports are collected, as those of nodes are


class PretendedHands(Hands):
    """Steps that end two seconds after they were begun, begun at different times."""

    def __init__(self, workers: list[Worker]) -> None:
        super().__init__(workers)
        self.reports = 0
        self.lost = 0.0  # seconds between the end of a step and the report of it
        self._due: list[tuple[float, int]] = []
        self._offsets = list(np.random.default_rng(1).random(len(workers)))

    def prepare(self) -> None:
        pass

    def begin(self, number: int, playouts: int, seconds_left: float) -> None:
        first, self._offsets[number] = self._offsets[number], 1.0
        heapq.heappush(self._due, (time.perf_counter() + STEP * first, number))

    def ended(self, seconds: float) -> list[Ended]:
        now = time.perf_counter()
        if self._due and self._due[0][0] > now:
            time.sleep(min(seconds, self._due[0][0] - now + COLLECT))
            now = time.perf_counter()
        found: list[Ended] = []
        while self._due and self._due[0][0] <= now:
            due, number = heapq.heappop(self._due)
            self.workers[number].search.head[0].playouts += PLAYOUTS
            self.lost += now - due
            self.reports += 1
            found.append((number, STEP, None))
        return found


def measure(workers: int, seconds: float) -> None:
    """Drive so many pretended workers for so long, and print what it costs."""
    problem = Maximum(5)
    team = [Worker(po.Random().start(problem, 1), lambda *_: 0, None) for _ in range(workers)]
    hands = PretendedHands(team)
    driver = Driver(team, po.Seconds(seconds) | po.Target(1e9), hands)
    driver.prepare()
    cpu = time.process_time()
    driver.go(lambda _: None, 0.1)
    cpu = time.process_time() - cpu
    took = driver.seconds()
    print(
        f"{workers:6} workers: {100 * cpu / took:6.2f}% of a core, "
        f"{1e6 * cpu / max(hands.reports, 1):4.0f} us a report, "
        f"{100 * hands.lost / (hands.reports * STEP):5.2f}% of the workers' time lost"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", default="100,1000,10000")
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    for workers in options.workers.split(","):
        measure(int(workers), options.seconds)


if __name__ == "__main__":
    main()
