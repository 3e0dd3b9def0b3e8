"""The lines of the solver paper's tables that its claims compare, by moves and CPU seconds.

The paper's settings: Monte Carlo order of 100,000 playouts, a table of 1,048,575 entries, no
symmetry. A line with Monte Carlo order is proved to the end. The one that it is compared with is
broken off when it has taken more than `--times` as many moves, and as many seconds: how much more
it would have taken is then not known, but that it is more.

python -m bench.solver_lines OUT 4 9           # Tables 4 and 9; what is in OUT is not done again
python -m bench.solver_lines OUT 7 --size 6x6  # the first board of Table 7 alone
python -m bench.solver_lines OUT --take        # into bench/papers/solver.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bench.papers import results as files
from bench.papers.results import Cell, Ours, Source
from bench.papers.take import next_key
from playout.experiments.solver import EXPERIMENT
from playout.games import load_game
from playout.solvers.prover import Prover
from playout.study import Prove

STEP = 200_000  # moves between two looks at the clock
KEY = "L"  # the source of these figures, those of another machine have one of their own
MACHINE = "one core of an AMD EPYC with 2"


class Line(NamedTuple):
    """A line of a table for one game, and which line it is compared with."""

    table: str
    name: str
    than: str
    size: str
    search: Prove
    rival: Prove


def lines() -> Iterator[Line]:
    """The better line of each claim about an order, for each game of its table."""
    known = files.read(EXPERIMENT.name)
    for table in EXPERIMENT.tables:
        about = known.table(table.name)
        claims = [claim for claim in about.claims if claim.kind == "order"] if about else []
        cells = {(cell.row, cell.column): cell.searches for cell in table.cells}
        for claim in claims:
            for (row, column), searches in cells.items():
                if row == claim.better and column.endswith(" moves"):
                    search, rival = searches[0], cells[claim.than, column][0]
                    assert isinstance(search, Prove)
                    assert isinstance(rival, Prove)
                    size = column.removesuffix(" moves")
                    yield Line(table.name, row, claim.than, size, search, rival)


def proved(
    search: Prove, seconds: float, moves: float = 0.0, least: float = float("inf")
) -> dict[str, Any]:
    """A proof; broken off after so many CPU seconds, or so many moves and `least` CPU seconds."""
    game = load_game(search.game)
    few = "mc:playouts=50" if search.order.startswith("mc") else search.order
    Prover(game, search.solver, order=few).compile()
    start = time.process_time()
    prover = Prover(game, search.solver, order=search.order, seed=1)
    while prover.value is None:
        spent = time.process_time() - start
        if spent > seconds or (prover.nodes > moves and spent > least):
            break
        prover._step(STEP)
    spent = time.process_time() - start
    return {"value": prover.value, "moves": prover.nodes, "seconds": round(spent, 2)}


def measure(out: Path, tables: list[str], size: str, seconds: float, times: float) -> None:
    """Both lines of each game of these tables, as records of a file; of one size if it is given."""
    done = _records(out)
    with out.open("a") as file:
        for line in lines():
            if line.table not in tables or size not in ("", line.size):
                continue
            place = {"table": line.table, "size": line.size}
            found = done.get((line.table, line.name, line.size))
            if found is None:
                found = {**place, "row": line.name, **proved(line.search, seconds)}
                print(json.dumps(found), file=file, flush=True)
            if found["value"] is None or (line.table, line.than, line.size) in done:
                continue
            bounds = times * found["moves"], times * found["seconds"]
            other = proved(line.rival, seconds, *bounds)
            assert other["value"] in (None, found["value"])
            print(json.dumps({**place, "row": line.than, **other}), file=file, flush=True)


def take(out: Path, note: str, machine: str = MACHINE) -> int:
    """Put what was measured into the paper's file; how many cells it was."""
    paper, count = files.read(EXPERIMENT.name), 0
    key = KEY if machine == MACHINE else next_key(paper)
    source = Source(
        "`python -m bench.solver_lines OUT TABLE...`",
        f"{machine}{f', {note}' if note else ''}; CPU seconds",
        "whole proofs with Monte Carlo order, one seed; the others until they end, or are known "
        "to take more",
    )
    paper = replace(paper, sources={**paper.sources, key: source})
    for (name, row, size), found in _records(out).items():
        table = paper.table(name)
        assert table is not None
        cells = {(cell.row, cell.column): cell for cell in table.cells}
        for what in ("moves", "seconds"):
            place = row, f"{size} {what}"
            ours = Ours(value=found[what], runs=1, over=found["value"] is None)
            cells[place] = replace(cells.get(place, Cell(*place)), ours=ours, source=key)
            count += 1
        paper = paper.with_table(replace(table, cells=tuple(cells.values())))
    files.write(paper)
    return count


def _records(out: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    """What a file has, by table, line and size."""
    texts = out.read_text().splitlines() if out.exists() else []
    records = map(json.loads, texts)
    return {(found["table"], found["row"], found["size"]): found for found in records}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--size", default="", help="that of the one game to prove")
    parser.add_argument("--most", type=float, default=600, help="CPU seconds for each")
    parser.add_argument("--times", type=float, default=2)
    parser.add_argument("--take", action="store_true")
    parser.add_argument("--machine", default=MACHINE, help="where it was measured")
    parser.add_argument("--note", default="", help="what else is to be known of the machine")
    given = parser.parse_args()
    if given.take:
        print(f"{take(given.out, given.note, given.machine)} cells")
    else:
        measure(given.out, given.tables, given.size, given.most, given.times)


if __name__ == "__main__":
    main()
