"""P. Agrawal, Parallelization of Monte Carlo Tree Search in Dots-and-Boxes.

Figures 7 and 8: how often the first player wins (draws count as nothing) against a player with
5,000 simulations a move, and how often his first move on 2x2 boxes is an outside line, which wins.
The work prints curves and no numbers, and of its slow tree that it did worse than one worker:
Tables 2 and 3 have the runs of Table 1 beside theirs. Tables 3 to 6 are what it left open: slow-
tree parallelism with other numbers of levels, intervals and workers, with and without symmetry.
"""

from __future__ import annotations

from playout.study import Choice, Experiment, Match, Solve, Table, curve_table

# the work's C of 1 stands before sqrt(2 ln N / n)
UCT = "uct:C=1.414,graph=uct1"
SLOW = "uct:C=1.414,graph=uct3,parallel=slow-tree"
RIVAL = f"{UCT},simulations=5000"

SIMULATIONS = (100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 400_000)

OUTSIDE = ("a1-a2", "a1-b1", "a2-a3", "a3-b3", "b1-c1", "b3-c3", "c1-c2", "c2-c3")


def _columns(search: str) -> dict[str, Solve | Match | Choice | None]:
    return {
        **{
            f"{size} wins": Match(f"dotsandboxes:{size}", search, RIVAL, swap=False, wins_only=True)
            for size in ("2x2", "3x3", "4x4")
        },
        "2x2 good first moves": Choice("dotsandboxes:2x2", search, OUTSIDE),
    }


def _beside_one(search: str) -> dict[str, Solve | Match | Choice | None]:
    """The columns of a search, and those of one worker."""
    alone = {f"{name}, one worker": run for name, run in _columns(UCT).items()}
    return {**_columns(search), **alone}


def _table(
    name: str, title: str, columns: dict[str, Solve | Match | Choice | None], compared: bool
) -> Table:
    return curve_table(
        name,
        title,
        columns,
        SIMULATIONS,
        playouts=SIMULATIONS[-1],
        runs=50,
        unit=0.01,
        row_title="simulations",
        by="playouts",
        compared=compared,
    )


ALONE = _table("1", "one worker: percent by simulations (Figures 7 and 8)", _columns(UCT), False)

SHARED = _table(
    "2",
    "slow-tree, two workers, three levels every 1,000 simulations",
    _beside_one(f"{SLOW},levels=3,interval=1000,workers=2"),
    False,
)

SYMMETRIC = _table(
    "3",
    "the same with symmetric positions merged",
    _beside_one(f"{SLOW},levels=3,interval=1000,workers=2,symmetry=true"),
    False,
)


def _wins(search: str) -> Match:
    return Match("dotsandboxes:3x3", search, RIVAL, swap=False, wins_only=True)


LEVELS = _table(
    "4",
    "3x3 wins with other numbers of levels shared, every 1,000 simulations, two workers",
    {
        f"{n} level{'s' * (n != 1)}": _wins(f"{SLOW},levels={n},interval=1000,workers=2")
        for n in (0, 1, 2, 3)
    },
    True,
)

INTERVALS = _table(
    "5",
    "3x3 wins with other intervals, three levels, two workers",
    {
        f"every {n:,}": _wins(f"{SLOW},levels=3,interval={n},workers=2")
        for n in (100, 1_000, 10_000)
    },
    True,
)

WORKERS = _table(
    "6",
    "3x3 wins with other numbers of workers, three levels every 1,000 simulations",
    {
        f"{n} worker{'s' * (n > 1)}": _wins(f"{SLOW},levels=3,interval=1000,workers={n}")
        for n in (1, 2, 4, 8, 16)
    },
    True,
)

EXPERIMENT = Experiment(
    "slowtree",
    "Slow-tree parallelism in Dots-and-Boxes",
    (ALONE, SHARED, SYMMETRIC, LEVELS, INTERVALS, WORKERS),
    paper="P. Agrawal: Parallelization of Monte Carlo Tree Search in Dots-and-Boxes",
)
