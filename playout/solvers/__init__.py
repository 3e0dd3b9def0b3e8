"""Exact solvers for games of two players: who wins under perfect play, and how.

A new solver, or a new move order, is one class and one line here.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry

SOLVERS = Registry(
    "solver",
    "playout.solvers",
    {
        "auto": Entry("playout.solvers.solver:AutoSolver"),
        "alphabeta": Entry("playout.solvers.solver:AlphaBetaSolver"),
        "ids": Entry("playout.solvers.solver:DeepeningSolver"),
        "pn2": Entry("playout.solvers.solver:Pn2Solver"),
        "dfpn": Entry("playout.solvers.solver:DfPnSolver"),
        "jlpn": Entry("playout.solvers.solver:JobLevelSolver"),
    },
)

MOVE_ORDERS = Registry(
    "move order",
    "playout.move_orders",
    {
        "none": Entry("playout.solvers.move_orders:NoOrder"),
        "game": Entry("playout.solvers.move_orders:GameOrder"),
        "killer": Entry("playout.solvers.move_orders:Killer"),
        "history": Entry("playout.solvers.move_orders:History"),
        "success": Entry("playout.solvers.move_orders:Success"),
        "mc": Entry("playout.solvers.monte_carlo_order:MonteCarlo"),
        "latemc": Entry("playout.solvers.late_monte_carlo:LateMonteCarlo"),
        "mcsuccess": Entry("playout.solvers.monte_carlo_success:MonteCarloSuccess"),
    },
    base="playout.solvers.move_order:MoveOrder",
)
