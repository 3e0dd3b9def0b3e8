"""The travelling salesman with time windows, 20 to 1,000 nodes: GNRPA, and one local search."""

from __future__ import annotations

import math

import playout as po
from bench.growth.measuring import Figures, choices, search_figures
from playout.problems import TSPTW

SIZES = (20, 100, 300, 1000)
SIZE = "nodes"
TOO_LARGE = 10_000
MOST_POLISHED = 300  # nodes; beyond, one polish takes minutes
FIT = {"nodes": ("GNRPA playouts/s", "polished playouts/s", "choices")}


def measure(size: int) -> Figures:
    """One instance."""
    problem = TSPTW.random(1, n=size)
    nested = search_figures(problem, po.GNRPA(level=2))
    polished = None
    if size <= MOST_POLISHED:
        polished = search_figures(problem, po.GNRPA(level=2, polish=True))
    moves, legal = choices(problem)
    return {
        "nodes": size,
        "moves": moves,
        "choices": legal,
        "GNRPA playouts/s": nested["playouts/s"],
        "polished playouts/s": polished["playouts/s"] if polished else math.nan,
        "ns a choice": 1e9 / nested["playouts/s"] / legal,
        "best": nested["best"],
        "best, polished": polished["best"] if polished else math.nan,
        "arrays MB": nested["arrays MB"],
    }
