"""Exact solutions: value, moves played and CPU seconds of the solver, on one core.

Against T. Cazenave, Monte Carlo Game Solver, MCS 2020. The time of a Monte Carlo search that
orders the moves is included.

python -m bench.solvers                          # every row but the long ones
python -m bench.solvers nogo:7x3 atarigo:5x5     # these
python -m bench.solvers --long                   # the three that take minutes too
python -m bench.solvers --order                  # Monte Carlo order against none, moves played
python -m bench.solvers --seed 2                 # another Monte Carlo search
python -m bench.solvers --plain                  # the plain command beside the settings of the rows
python -m bench.solvers --grid OUT --cores 16    # mcsuccess with other weights, all rows; resumes
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.common import store
from playout.games import load_game
from playout.solvers.prover import Prover
from playout.solvers.solver import make_solver

REACH = 0.1  # of the paper's seconds


class Row(NamedTuple):
    """A game, the paper's moves and seconds, and the settings that we solve it with."""

    game: str
    moves: float
    seconds: float
    order: str
    settings: dict[str, Any]
    long: bool = False


LARGE = {"symmetry": True, "entries": 1 << 23, "tiers": 2}
HUGE = {"symmetry": True, "entries": 1 << 24, "tiers": 2}
HUGEST = {"symmetry": True, "entries": 1 << 25, "tiers": 2}
SMALL = {"symmetry": True, "entries": 1 << 20, "tiers": 2}
ROWS = [
    Row("atarigo:5x5", 3.956e6, 12.79, "mc:playouts=30000", SMALL),
    Row("atarigo:6x5", 329.8e6, 787.17, "mc:playouts=100000", LARGE, long=True),
    Row("nogo:7x3", 35.18e6, 49.72, "mc:playouts=30000,blend=2", SMALL),
    Row("nogo:5x4", 33.85e6, 74.77, "mc:playouts=30000,blend=2", LARGE),
    Row("go:3x3,komi=8.5,unfinished=draw", 6104, 0.16, "mc:playouts=1000", SMALL),
    Row("go:4x3,komi=3.5,unfinished=draw", 4.297e6, 96.63, "mc:playouts=100000", SMALL),
    Row("breakthrough:5x5", 3499e6, 9243.66, "mc:playouts=100000", HUGEST, long=True),
    Row("misere-breakthrough:4x5", 447.9e6, 1055.32, "mc:playouts=300000", LARGE),
    Row("knightthrough:6x6", 17.75e6, 102.6, "mc:playouts=300000", SMALL),
    Row("domineering:7x7", 29.80e6, 123.76, "mc:playouts=100000", SMALL),
    Row("misere-domineering:7x7", 72.73e6, 212.25, "success", {**HUGE, "ahead": 6}, long=True),
]

# boards on which the plain order comes to an end too
ORDERED = [
    "atarigo:4x4",
    "nogo:4x4",
    "go:3x3,komi=8.5,unfinished=draw",
    "breakthrough:4x5",
    "misere-breakthrough:3x5",
    "knightthrough:5x5",
    "domineering:6x6",
    "misere-domineering:6x5",
]


def solve(name: str, order: str, most: float, **settings: Any) -> tuple[Any, int, float]:
    """The value, None if it took more than so many CPU seconds; moves; CPU seconds."""
    few = "mc:playouts=50" if order.startswith("mc") else order
    return timed(name, most, {"order": few, **settings}, {"order": order, **settings})


def timed(
    name: str, most: float, compiles: dict[str, Any], settings: dict[str, Any]
) -> tuple[Any, int, float]:
    """As `solve`, after a prover with other settings of the same kind has compiled."""
    game = load_game(name)
    Prover(game, **compiles).compile()
    start = time.process_time()
    prover = Prover(game, **settings)
    while prover.value is None and time.process_time() - start < most:
        prover._step(200_000)
    return prover.value, prover.nodes, time.process_time() - start


def against_the_paper(names: list[str], long: bool, seed: int, most: float) -> dict[str, Any]:
    chosen = [row for row in ROWS if row.game in names or (not names and (long or not row.long))]
    titles = ("value", "moves", "seconds", "moves/s", "paper's s", "ratio")
    print(f"{'game':34}" + " ".join(f"{title:>12}" for title in titles))
    found = {}
    for row in chosen:
        order = f"{row.order},seed={seed}" if row.order.startswith("mc:") else row.order
        value, moves, seconds = solve(row.game, order, most, **row.settings)
        ratio = seconds / row.seconds
        print(
            f"{row.game:34}{value!s:>12} {moves:12,} {seconds:12.2f} {moves / seconds:12,.0f} "
            f"{row.seconds:12.2f} {ratio:12.3f}",
            flush=True,
        )
        found[row.game] = {
            "value": value,
            "moves": moves,
            "seconds": round(seconds, 2),
            "order": order,
            "paper's moves": row.moves,
            "paper's seconds": row.seconds,
            "ratio": round(ratio, 3),
            "reached": value is not None and ratio <= REACH,
        }
    return found


def few_of(name: str) -> dict[str, Any]:
    """`auto` with the order that it takes for a game, and few playouts: for compiling."""
    order = make_solver("auto").for_game(load_game(name)).order
    return {"solver": "auto", "order": f"{order}:playouts=50,later=0"}


def plain(names: list[str], long: bool, most: float) -> dict[str, Any]:
    """`auto`, which is what the plain command has, beside the settings chosen for each board."""
    print(f"{'game':34}" + " ".join(f"{t:>12}" for t in ("moves", "seconds", "chosen's", "ratio")))
    found = {}
    for row in ROWS:
        if row.game not in names and (names or (row.long and not long)):
            continue
        value, moves, seconds = timed(row.game, most, few_of(row.game), {"solver": "auto"})
        chosen, _, reference = solve(row.game, row.order, most, **row.settings)
        assert None in (value, chosen) or value == chosen
        print(
            f"{row.game:34}{moves:12,} {seconds:12.2f} {reference:12.2f} "
            f"{seconds / reference:12.2f}{'' if value is not None else ' not solved'}",
            flush=True,
        )
        found[row.game] = {
            "value": value,
            "moves": moves,
            "seconds": round(seconds, 2),
            "chosen settings' seconds": round(reference, 2),
        }
    return found


GRID = [
    f"mcsuccess:weight={weight},playouts={playouts}"
    for playouts in (30_000, 100_000)
    for weight in (0.5, 1, 2, 4, 8)
]


def grid_cell(cell: tuple[str, str, float]) -> dict[str, Any]:
    """One row with one order and all else as `auto` has it, as a record of the grid."""
    game, order, most = cell
    few = {"solver": "auto", "order": "mcsuccess:playouts=50,later=0"}
    if order == "chosen":
        row = next(row for row in ROWS if row.game == game)
        value, moves, seconds = solve(game, row.order, most, **row.settings)
    else:
        value, moves, seconds = timed(game, most, few, {"solver": "auto", "order": order})
    found = {"game": game, "order": order, "value": value, "moves": moves}
    return found | {"seconds": round(seconds, 2)}


def grid(out: Path, cores: int, most: float) -> None:
    """Every row with every order of the grid; what is in the file is not measured again."""
    done = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    known = {(found["game"], found["order"]) for found in done}
    cells = [
        (row.game, order, most)
        for row in sorted(ROWS, key=lambda row: not row.long)
        for order in ("chosen", *GRID)
        if (row.game, order) not in known
    ]
    for row in ROWS:  # compiled once, for all processes
        Prover(load_game(row.game), "auto", order="mcsuccess:playouts=50,later=0").compile()
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool, out.open("a") as file:
        for future in as_completed([pool.submit(grid_cell, cell) for cell in cells]):
            print(json.dumps(future.result()), file=file, flush=True)


def orders(most: float) -> dict[str, Any]:
    """Moves with the Monte Carlo order and without, the solver the same."""
    print(f"{'game':34}{'mc':>12} {'none':>12} {'times':>8}")
    found = {}
    for name in ORDERED:
        value, moves, _ = solve(name, "mc:playouts=30000", most)
        other, plain, _ = solve(name, "none", most)
        assert other is None or other == value
        more = "" if other is not None else ">"
        print(f"{name:34}{moves:12,} {more + f'{plain:,}':>12} {plain / moves:8.1f}", flush=True)
        found[name] = {"mc": moves, "none": plain, "none ended": other is not None}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--order", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--grid", type=Path, metavar="OUT")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=None, help="CPU seconds for each")
    given = parser.parse_args()
    if given.order:
        store("solvers: orders", {"rows": orders(given.most or 60)})
    elif given.grid:
        grid(given.grid, given.cores, given.most or 120)
    elif given.plain:
        found = plain(given.names, given.long, given.most or 300)
        if not given.names:
            store("solvers: plain", {"rows": found})
    else:
        found = against_the_paper(given.names, given.long, given.seed, given.most or 1000)
        if not given.names:
            store("solvers", {"rows": found})


if __name__ == "__main__":
    main()
