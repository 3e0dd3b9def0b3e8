"""RNA inverse folding: the time that is not ViennaRNA's, and what a second worker brings.

python -m bench.rna            # both, and what they are wanted to be
python -m bench.rna outside    # or workers

The share outside is of CPU time, each call into the library timed by itself, so that what the
timing costs counts as outside. Folds per second of two workers are compared with those of one in
turns; they need two idle cores.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Any

import playout as po
from bench.common import row, store
from playout.problems import InverseFolding
from playout.problems import rna_fold as folding
from playout.problems.rna_search import SEARCH

LENGTH = 100
PLAYOUTS = 3000
ROUNDS = 5
SECONDS = 6.0


class Timed:
    """The library, with the CPU time inside it."""

    def __init__(self, library: Any) -> None:
        self.inside = 0.0
        for name in ("vrna_fold_compound", "vrna_params_subst", "vrna_mfe", "vrna_bp_distance",
                     "vrna_eval_structure_pt", "vrna_fold_compound_free"):  # fmt: skip
            setattr(self, name, self._timed(getattr(library, name)))

    def _timed(self, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            start = time.thread_time()
            result = function(*arguments)
            self.inside += time.thread_time() - start
            return result

        return call


class Unsolved(InverseFolding):
    """A target that is never solved, so that a run is as long as it is told to be."""

    def _score(self, fold: folding.Fold) -> float:
        return min(0.99, super()._score(fold))


def problem() -> Unsolved:
    """A random target of 100 nt."""
    return Unsolved(InverseFolding.random(4, n=LENGTH).target)


def outside() -> dict[str, Any]:
    """The share of a GNRPA run's CPU time that is not ViennaRNA's."""
    target = problem()
    po.solve(target, po.GNRPA(**SEARCH), po.Playouts(40), seed=1)  # compiled, loaded
    timed = Timed(folding._library())
    target.folder._library = timed
    start = time.process_time()
    po.solve(target, po.GNRPA(**SEARCH), po.Playouts(PLAYOUTS), seed=1)
    total = time.process_time() - start
    share = 1 - timed.inside / total
    return row("CPU time outside ViennaRNA, GNRPA, 100 nt", total, timed.inside, share, None, 0.05)


def workers() -> dict[str, Any]:
    """Folds per second of two root workers against those of one."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    target = problem()
    for _ in range(ROUNDS):
        for number in (1, 2):
            result = po.solve(
                target, po.GNRPA(**SEARCH), po.Seconds(SECONDS), seed=1, workers=number
            )
            # the table of sequences has those that were folded, each once
            rates[number].append(len(target._known) / result.seconds)
    two, one = median(rates[2]), median(rates[1])
    return row("folds per second, 2 workers against 1", two, one, two / one, 1.8)


FIGURES = {"outside": outside, "workers": workers}


def main() -> None:
    names = sys.argv[1:] or list(FIGURES)
    found = [FIGURES[name]() for name in names]
    for figures in found:
        wanted = f"at least {figures['least']}" if figures["least"] else f"under {figures['most']}"
        print(f"{figures['what']}: {figures['value']} ({wanted})")
    for name, figures in zip(names, found, strict=True):
        store(f"rna-{name}", figures)


if __name__ == "__main__":
    main()
