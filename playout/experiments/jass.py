"""X. Servot, Improving MCTS (Jass): the time of 10,000 iterations, leaf and root parallel.

The program shares the iterations out among its threads, on a machine of eight; here the game is
Connect Four. Times are in milliseconds, and more threads than cores gain nothing.
"""

from __future__ import annotations

from playout.study import Cell, Choice, Experiment, Figure, Table

GAME = "connectfour"
ITERATIONS = 10_000
LEAF = {1: 170, 2: 172, 4: 117, 8: 94}
ROOT = {1: 170, 2: 91, 4: 54, 8: 50}


def _table(name: str, scheme: str, times: dict[int, int]) -> Table:
    return Table(
        name,
        f"{scheme} parallel: milliseconds for 10,000 simulations",
        tuple(_cell(scheme, threads, time) for threads, time in times.items()),
        seconds=float(ITERATIONS),
        playouts=ITERATIONS,
        runs=100,
        paper_runs=100,
        lower=True,
        unit=0.001,
        row_title="threads",
        by="playouts",
        note="the paper's times are of another game, in Java, on another machine",
    )


def _cell(scheme: str, threads: int, time: int) -> Cell:
    search = Choice(GAME, f"uct:parallel={scheme},workers={threads}")
    return Cell(f"{threads}", "MCTS", float(ITERATIONS), (search,), Figure(float(time)))


EXPERIMENT = Experiment(
    "jass",
    "Leaf and root parallelism: the time of a search",
    (_table("1", "leaf", LEAF), _table("2", "root", ROOT)),
    paper="X. Servot: Improving MCTS",
)
