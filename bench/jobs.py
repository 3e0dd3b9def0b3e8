"""Job-level proof-number search: what it costs to give out jobs before others have ended.

python -m bench.jobs --game nogo:4x4 --job 20000 --workers 1,2,4,8,16

The moves and the jobs of a proof do not depend on who does them, so threads of any machine show
what as many nodes would need. `at once` is the moves over those of the longest way: the jobs that
had to wait for one another, if each took as long as its moves and every worker were free at once.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from playout.games import load_game
from playout.solvers.prover import Prover


@dataclass
class Simulated:
    """Workers that do jobs one after another here, and end when as many moves have passed."""

    workers: int
    clock: int = 0
    _under_way: list[tuple[int, int, Any, Any]] = field(default_factory=list)

    def each(self, recipe: Any, items: Iterable[Any]) -> Generator[Any]:
        """Do jobs; the one that would end first is handed over first."""
        work, left = recipe.make(), iter(items)
        self._under_way = []
        while True:
            while len(self._under_way) < self.workers and (job := next(left)) is not None:
                outcome = work(job, lambda: False)
                end = self.clock + outcome.nodes
                heapq.heappush(self._under_way, (end, job.number, job, outcome))
            if self._under_way:
                self.clock, _, job, outcome = heapq.heappop(self._under_way)
                yield job, outcome
            else:
                yield None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="nogo:4x4")
    parser.add_argument("--order", default="game")
    parser.add_argument("--job", type=int, default=20_000)
    parser.add_argument("--workers", default="1,2,4,8,16")
    options = parser.parse_args()
    alone = Prover(load_game(options.game), "pn2", order=options.order)
    alone.run()
    print(
        f"{options.game}, order {options.order}: pn2 {alone.nodes:,} moves, value {alone.value:g}"
    )
    first = 0
    for workers in map(int, options.workers.split(",")):
        crew = Simulated(workers)
        solver = f"jlpn:job={options.job}"
        prover = Prover(load_game(options.game), solver, order=options.order, crew=crew)
        prover.run()
        assert prover.value == alone.value
        first = first or crew.clock
        print(
            f"{workers:3} workers: {prover.nodes:,} moves, time {crew.clock:,} moves, "
            f"{first / crew.clock:.2f} times as fast as with {options.workers.split(',')[0]}, "
            f"{alone.nodes / crew.clock:.2f} times as pn2",
            flush=True,
        )


if __name__ == "__main__":
    main()
