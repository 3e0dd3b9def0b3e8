"""What colouring searches reach: the paper's NRPA column, and HEAD's with polish and with ours.

    python -m bench.colors --seconds 300 --runs 5 --processes 2
    python -m bench.colors HEAD --seconds 600
    python -m bench.colors NRPA --only queen10_10
    python -m bench.colors GNRPA+polish --seconds 60 -o N=20

For each graph of Tables 1 to 3 (NRPA: 1 and 2), runs of one core lower the number of colours until
the paper's is reached or their time is over: first one run of each, then the others of those that
have not reached it. No run of a graph begins when its number was reached.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from bench.common import data_folder, store
from playout.algorithms import ALGORITHMS
from playout.algorithms.algorithm import Algorithm
from playout.cli.arguments import assignment
from playout.experiments.coloring import COLUMNS, DIFFICULT, EASY, HARD
from playout.problems import GraphColoring
from playout.stop import Seconds, Target
from playout.tasks import color
from playout.tasks.fewest_colors import NAMED

TABLES = {
    "NRPA": (EASY, HARD),
    "GNRPA+polish": (EASY, HARD, DIFFICULT),
    "HEAD": (EASY, HARD, DIFFICULT),
}


def wanted(column: str) -> Iterator[tuple[str, int]]:
    """The graphs of a column and the paper's numbers of colours."""
    for table in TABLES[column]:
        for cell in table.cells:
            if cell.column != column or cell.paper is None:
                continue
            if file_of(cell.row) is not None:
                yield cell.row, round(cell.paper.value)
            else:
                print(f"{cell.row} is not in the data")


def file_of(graph: str) -> Path | None:
    """The file of a graph of the DIMACS collection, if the data has it."""
    folder = data_folder()
    assert folder is not None
    for end in (".col", ".col.gz"):
        if (file := folder / "coloring/graphs" / (graph + end)).exists():
            return file
    return None


def one(
    column: str,
    graph: str,
    goal: int,
    seed: int,
    seconds: float,
    changes: dict[str, str],
    polish_steps: int | None,
) -> tuple[int, float]:
    """One run: the number of colours, and the seconds that it took."""
    file, setup = file_of(graph), COLUMNS[column]
    assert file is not None
    assert setup is not None
    options = {**{name: str(value) for name, value in setup.options.items()}, **changes}
    algorithm: Algorithm | str = setup.algorithm
    if setup.algorithm not in NAMED:
        algorithm = ALGORITHMS.find(setup.algorithm).from_text(options)
    problem = GraphColoring.read(file, k=1)[0]
    stop = Seconds(seconds) | Target(-goal)
    found = color(problem.graph, algorithm, stop, seed=seed, polish_steps=polish_steps)
    assert found.verified
    assert found.colors is not None
    return found.colors, found.seconds


def main() -> None:
    """Run, print and store."""
    parser = argparse.ArgumentParser(prog="python -m bench.colors")
    parser.add_argument("columns", nargs="*", choices=[[], *TABLES], default=[])
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", default=[], metavar="GRAPH")
    parser.add_argument("-o", dest="options", type=assignment, action="append", default=[])
    parser.add_argument("--polish-steps", type=int)
    chosen = parser.parse_args()
    columns = chosen.columns or list(TABLES)
    goals = {
        (column, graph): goal
        for column in columns
        for graph, goal in wanted(column)
        if not chosen.only or graph in chosen.only
    }
    found: dict[tuple[str, str], list[tuple[int, float]]] = {key: [] for key in goals}
    seeds = range(chosen.first, chosen.first + chosen.runs)
    with ProcessPoolExecutor(chosen.processes) as pool:
        for some in (seeds[:1], seeds[1:]):
            tasks = {
                pool.submit(
                    one,
                    *key,
                    goal,
                    seed,
                    chosen.seconds,
                    dict(chosen.options),
                    chosen.polish_steps,
                ): (key, seed)
                for seed in some
                for key, goal in goals.items()
                if all(number > goal for number, _ in found[key])
            }
            for task in as_completed(tasks):
                if task.cancelled():
                    continue
                key, seed = tasks[task]
                number, seconds = task.result()
                found[key].append((number, seconds))
                reached = number <= goals[key]
                if reached:
                    for other, (its, _) in tasks.items():
                        if its == key:
                            other.cancel()
                print(
                    f"{key[0]:13} {key[1]:15} seed {seed}: {number:4} [{goals[key]}] "
                    f"{seconds:7.1f} s  {'reached' if reached else ''}",
                    flush=True,
                )
            report(columns, goals, found, chosen)


def report(
    columns: list[str],
    goals: dict[tuple[str, str], int],
    found: dict[tuple[str, str], list[tuple[int, float]]],
    chosen: argparse.Namespace,
) -> None:
    """Print and store what was reached so far."""
    for column in columns:
        keys = [key for key in goals if key[0] == column]
        best = [key for key in keys if min(found[key])[0] <= goals[key]]
        print(f"{column}: {len(best)} of {len(keys)} reached", end="; not ")
        print(", ".join(f"{k[1]} {min(found[k])[0]} [{goals[k]}]" for k in keys if k not in best))
        if chosen.only or chosen.options or chosen.polish_steps:
            continue
        rows = [
            {"graph": key[1], "wanted": goals[key], "found": min(found[key])[0], "runs": found[key]}
            for key in keys
        ]
        figures = {
            "seconds": chosen.seconds,
            "most runs": chosen.runs,
            "reached": len(best),
            "of": len(keys),
        }
        store(f"colors {column}", {**figures, "rows": rows})


if __name__ == "__main__":
    main()
