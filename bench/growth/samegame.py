"""SameGame boards of 5 colours, 5 to 50 a side: random playouts and GNRPA."""

from __future__ import annotations

import playout as po
from bench.growth.measuring import Figures, choices, search_figures
from playout.problems import SameGame

SIZES = (5, 10, 15, 30, 50)
SIZE = "side"
TOO_LARGE = 500
FIT = {"cells": ("random playouts/s", "GNRPA playouts/s", "choices")}


def measure(size: int) -> Figures:
    """One board."""
    problem = SameGame.random(1, rows=size, columns=size)
    uniform = search_figures(problem, po.Random())
    nested = search_figures(problem, po.GNRPA(level=2))
    moves, legal = choices(problem)
    return {
        "cells": size * size,
        "moves": moves,
        "choices": legal,
        "random playouts/s": uniform["playouts/s"],
        "GNRPA playouts/s": nested["playouts/s"],
        "ns a choice": 1e9 / nested["playouts/s"] / legal,
        "best": nested["best"],
        "arrays MB": nested["arrays MB"],
    }
