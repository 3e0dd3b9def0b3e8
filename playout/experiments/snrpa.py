"""T. Cazenave, J.-B. Sevestre and M. Toulemont, Stabilized Nested Rollout Policy Adaptation.

Tables 1, 3 and 4: the mean score of 200 level-4 searches at times that double from 0.01 s.
Table 2: the best scores on the 20 boards of the standard SameGame set.
"""

from __future__ import annotations

from typing import Any

from playout.experiments.printed import printed
from playout.study import Experiment, Solve, Table, curve_table, doubling, instance_table

TIMES = doubling(0.01, 163.84)

# the paper's program played about 3,000 SameGame playouts a second
PLAYOUTS = 500_000


def _columns(problem: str, widths: tuple[int, ...], **settings: object) -> dict[str, Solve | None]:
    """NRPA, then SNRPA with each number of stabilised playouts."""
    columns: dict[str, Solve | None] = {
        "NRPA": Solve(problem, "nrpa", options={"level": 4}, **settings)  # type: ignore[arg-type]
    }
    for width in widths:
        options = {"level": 4, "P": width}
        columns[f"SNRPA({width})"] = Solve(problem, "snrpa", options=options, **settings)  # type: ignore[arg-type]
    return columns


def _by_time(name: str, title: str, columns: dict[str, Solve | None], **settings: Any) -> Table:
    """Mean scores of 200 searches, a line for each time."""
    return curve_table(
        name,
        title,
        columns,
        TIMES,
        playouts=PLAYOUTS,
        runs=200,
        paper_runs=200,
        paper=printed("snrpa", name),
        **settings,
    )


MAXIMUM = _by_time(
    "1",
    "Maximum, mean score by time",
    _columns("maximum", (2, 3, 4, 10)),
    unit=1e6,
    note="scores in millions; the paper does not print the size of the expression: 197 atoms here",
)

# a tile counts by the cell where it lies
CODES = {"codes": "cells"}

BOARDS = instance_table(
    "2",
    "SameGame, best scores on the 20 standard boards",
    {
        "NMCS": Solve("samegame", "nmcs", options={"level": 3}, problem_options=CODES),
        "SP-MCTS": Solve(
            "samegame",
            "uct",
            options={"deviation": True, "normalise": "none", "C": 0.5, "D": 10_000.0},
            problem_options=CODES,
        ),
        "NRPA": Solve("samegame", "nrpa", options={"level": 4}, problem_options=CODES),
        "SNRPA(4)": Solve("samegame", "snrpa", options={"level": 4, "P": 4}, problem_options=CODES),
        "js-games.de": None,
    },
    {str(number): f"standard/{number}" for number in range(1, 21)},
    seconds=327.68,
    playouts=1_000_000,
    runs=5,
    measure="best",
    total="Total",
    row_title="board",
    note="the paper's best are of whole level-4 searches and of other papers' programs, of unknown "
    "time and number of runs; js-games.de has records of unknown origin. NMCS is of level 3 here, "
    "and SP-MCTS is UCT with the deviation term, C = 0.5 and D = 10,000",
    paper=printed("snrpa", "2"),
)

TOUR = _by_time(
    "3",
    "TSPTW rc_204.1, mean score by time",
    _columns(
        "tsptw",
        (2, 3, 4, 10),
        instance="SolomonPotvinBengio/rc_204.1",
        problem_options={"selective": False},
    ),
    note="without the selective rule, as the paper's early scores suggest",
)

BOARD = _by_time(
    "4",
    "SameGame board 1, mean score by time",
    _columns("samegame", (2, 3, 4, 5, 6, 7, 10), instance="standard/1", problem_options=CODES),
)

EXPERIMENT = Experiment(
    "snrpa",
    "Stabilized NRPA: several playouts of a policy before it is adapted",
    (MAXIMUM, BOARDS, TOUR, BOARD),
    paper="T. Cazenave, J.-B. Sevestre, M. Toulemont: Stabilized Nested Rollout Policy Adaptation",
)
