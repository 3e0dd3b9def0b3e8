"""Inverse folding of random structures, 50 to 500 positions: GNRPA, a fold for every playout."""

from __future__ import annotations

import time

import playout as po
from bench.growth.measuring import SECONDS, Figures
from playout.problems import InverseFolding

SIZES = (50, 100, 200, 500)
SIZE = "positions"
TOO_LARGE = 5_000
FIT = {"positions": ("playouts/s",)}


def measure(size: int) -> Figures:
    """One structure."""
    problem = InverseFolding.random(1, n=size)
    po.solve(problem, po.GNRPA(level=2), po.Playouts(1), seed=1)
    n = 16
    while True:
        start = time.process_time()
        result = po.solve(problem, po.GNRPA(level=2), po.Playouts(n), seed=1)
        spent = time.process_time() - start
        if spent >= 2 * SECONDS:
            break
        n *= 2
    return {"positions": size, "playouts/s": n / spent, "best": result.score, "after": n}
