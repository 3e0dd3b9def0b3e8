"""RNA inverse folding: the time that is not ViennaRNA's, and what a second worker brings.

python -m bench.rna            # both, and what they are wanted to be
python -m bench.rna outside    # or mending, or workers

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
from playout.problems.inverse_folding import folding
from playout.problems.inverse_folding.search_options import GNRPA_OPTIONS

LENGTH = 100
PLAYOUTS = 3000
ROUNDS = 5
SECONDS = 6.0
GNRPA = {**GNRPA_OPTIONS, "polish": False}


class Timed:
    """The library, with the CPU time inside it."""

    def __init__(self, library: Any) -> None:
        self.inside = 0.0
        for name in (
            "vrna_fold_compound",
            "vrna_params_subst",
            "vrna_mfe",
            "vrna_bp_distance",
            "vrna_eval_structure_pt",
            "vrna_fold_compound_free",
        ):
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
    inside, total = _times(GNRPA, PLAYOUTS)
    what = "CPU time outside ViennaRNA, GNRPA, 100 nt"
    return row(what, total, inside, 1 - inside / total, None, 0.05)


def mending() -> dict[str, Any]:
    """The same with sequences that are mended, as `playout rna` does."""
    inside, total = _times(GNRPA_OPTIONS, PLAYOUTS // 20)
    what = "CPU time outside ViennaRNA, GNRPA with mending, 100 nt"
    return row(what, total, inside, 1 - inside / total, None)


def _times(options: dict[str, Any], playouts: int) -> tuple[float, float]:
    """CPU seconds inside ViennaRNA, and of the whole run."""
    target = problem()
    po.solve(target, po.GNRPA(**options), po.Playouts(40), seed=1)  # compiled, loaded
    timed = Timed(folding._library())
    for folder in (target.folder, *(part.folder for part in target.walk.parts)):
        folder._library = timed
    start = time.process_time()
    po.solve(target, po.GNRPA(**options), po.Playouts(playouts), seed=1)
    return timed.inside, time.process_time() - start


def workers() -> dict[str, Any]:
    """Folds per second of two root workers against those of one."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    target = problem()
    for _ in range(ROUNDS):
        for number in (1, 2):
            result = po.solve(
                target, po.GNRPA(**GNRPA), po.Seconds(SECONDS), seed=1, workers=number
            )
            # the table of sequences has those that were folded, each once
            rates[number].append(len(target._known) / result.seconds)
    two, one = median(rates[2]), median(rates[1])
    return row("folds per second, 2 workers against 1", two, one, two / one, 1.8)


FIGURES = {"outside": outside, "mending": mending, "workers": workers}


def main() -> None:
    names = sys.argv[1:] or list(FIGURES)
    found = [FIGURES[name]() for name in names]
    for figures in found:
        wanted = f" (under {figures['most']})" if figures["most"] else ""
        if figures["least"]:
            wanted = f" (at least {figures['least']})"
        print(f"{figures['what']}: {figures['value']}{wanted}")
    for name, figures in zip(names, found, strict=True):
        store(f"rna-{name}", figures)


if __name__ == "__main__":
    main()
