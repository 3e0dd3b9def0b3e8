"""The tables of T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, on Eterna100.

How many of the 100 puzzles are solved: Table 1 by whole searches of one level, Tables 3, 4 and 6
by time. Version 1 of the puzzles with Turner's parameters of 1999 and dangles 1 stands for the
paper's ViennaRNA 1.8.5. A run ends when its puzzle is solved, so that a table takes much less than
its times say. Lines with threads have two here, where the paper has 8 (Table 3) or 20 (Table 6):
run these with `--workers 1`, one run at a time.

Tables V1 and V2 are not the paper's: what `playout rna` does with both versions of the benchmark,
on two cores. The programs beside it in V2 had one run of each puzzle, without a limit of time
(published benchmark of the Eterna100, ViennaRNA 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from playout.experiments.printed import printed
from playout.problems.inverse_folding.search_options import GNRPA_OPTIONS
from playout.study import Experiment, Solve, doubling
from playout.study.specification import Cell, Figure, Table, printed_table

PUZZLES = tuple(f"eterna100/{number}" for number in range(1, 101))
V1 = {"version": "v1", "model": "turner1999", "dangles": 1}
V2 = {"version": "v2", "model": "default", "dangles": 2}
MINUTES = doubling(60.0, 3840.0)
RATE = 100  # playouts a second, about: what stands for the paper's times and the other way round
SOLVED: dict[str, Any] = {"measure": "solved", "target": 1.0, "runs": 1, "paper_runs": 1}


def _search(algorithm: str, version: Mapping[str, Any] = V1, **options: Any) -> Solve:
    """A search of a puzzle that is filled in later; threads and sharing are options here too."""
    settings = {name: options.pop(name) for name in ("workers", "parallel") if name in options}
    return Solve("inversefolding", algorithm, "", options, version, target=1.0, **settings)


def _all(search: Solve) -> tuple[Solve, ...]:
    return tuple(replace(search, instance=puzzle) for puzzle in PUZZLES)


def _gnrpa(
    level: int = 2, bias: bool = True, P: int = 1, beam: int = 1, H: int = 0, **more: Any
) -> Solve:
    options = {"level": level, "bias": bias, "P": P, "beam": beam, "history": H, **more}
    if beam > 1:
        options["diversity"] = "score"
    return _search("gnrpa", **options)


def _by_time(
    name: str,
    title: str,
    columns: Mapping[str, Solve | None],
    times: tuple[float, ...],
    paper: str,
    **settings: Any,
) -> Table:
    figures = {float(label) * 60: values for label, values in printed_table(paper).items()}
    cells = []
    for time in times:
        theirs = figures.get(time, [None] * len(columns))
        for (column, search), figure in zip(columns.items(), theirs, strict=True):
            searches = () if search is None else _all(search)
            cells.append(Cell(f"{time / 60:g}", column, time, searches, figure))
    return Table(
        name,
        title,
        tuple(cells),
        seconds=max(times),
        playouts=int(RATE * max(times)),
        row_title="minutes",
        **{**SOLVED, **settings},
    )


def _whole_searches() -> Table:
    cells = []
    for line in printed("inversefolding", "1").splitlines()[1:]:
        biased = "yes" in line
        level, P, beam, H, solved = map(int, line.replace("yes", "").replace("no", "").split())
        label = f"level {level}{'' if biased else ', no bias'}, P {P}, beam {beam}, H {H}"
        search = _gnrpa(level, biased, P, beam, H)
        playouts = 100**level * P * beam
        cells.append(Cell(label, "solved", playouts / RATE, _all(search), Figure(solved)))
    longest = max(cell.mark for cell in cells)
    return Table(
        "1",
        "puzzles solved by one search",
        tuple(cells),
        seconds=longest,
        playouts=int(RATE * longest),
        row_title="options",
        note="one search is 100^level P beam playouts: --by playouts gives each line that many; by "
        f"seconds they are taken at {RATE} playouts a second",
        **SOLVED,
    )


PARALLEL: dict[str, Any] = {
    "P": 4,
    "beam": 8,
    "H": 1,
    "start_learning": 4,
    "workers": 2,
    "parallel": "leaf",
}

BY_OPTIONS = _by_time(
    "3",
    "puzzles solved by time, GNRPA's options one after the other",
    {
        "no bias": _gnrpa(bias=False),
        "bias": _gnrpa(),
        "P 4, beam 4": _gnrpa(P=4, beam=4),
        "beam 8": _gnrpa(P=4, beam=8),
        "H 1": _gnrpa(P=4, beam=8, H=1),
        "start 4": _gnrpa(P=4, beam=8, H=1, start_learning=4),
        "leaf": _gnrpa(**PARALLEL),
        "restarts": _gnrpa(**PARALLEL, N=0, restart_length=3.0),
    },
    MINUTES,
    paper=printed("inversefolding", "3"),
    note="the last two with 8 threads in the paper, with 2 here",
)

BY_ALGORITHM = _by_time(
    "4",
    "puzzles solved by time, other algorithms",
    {
        "UCT(0.4)": _search("uct", C=0.4, bias=True),
        "Nested(1)": _search("nmcs", level=1, bias=True),
        "Nested(2)": _search("nmcs", level=2, bias=True),
        "Diversity GNRPA(5.1)": _gnrpa(beam=5),
    },
    MINUTES,
    paper=printed("inversefolding", "4"),
    note="playouts follow NEMO's weights, as NEMO's do; the paper does not say it of its own",
)

BY_ROOT = _by_time(
    "6",
    "puzzles solved by time, root parallel GNRPA",
    {"root": _gnrpa(**{**PARALLEL, "parallel": "root"}, N=0, restart_length=3.0)},
    MINUTES,
    paper=printed("inversefolding", "6"),
    note="20 processes in the paper, 2 threads here",
)


def _ours(name: str, version: Mapping[str, Any], others: Mapping[str, float]) -> Table:
    """What the command `playout rna` reaches, with what others did beside it."""
    search = _search("gnrpa", version, **GNRPA_OPTIONS, workers=2)
    times = (1.0, 5.0, 10.0, 60.0, 600.0)
    cells = [Cell(f"{time:g}", "playout rna", time, _all(search)) for time in times]
    cells += [
        Cell(f"{times[-1]:g}", program, times[-1], (), Figure(solved))
        for program, solved in others.items()
    ]
    return Table(
        name,
        f"Eterna100 {name}, two threads",
        tuple(cells),
        seconds=max(times),
        playouts=int(RATE * max(times)),
        row_title="seconds",
        **SOLVED,
    )


EXPERIMENT = Experiment(
    "inversefolding",
    "Monte Carlo Inverse Folding: RNA sequences for the structures of Eterna100",
    (
        _whole_searches(),
        BY_OPTIONS,
        BY_ALGORITHM,
        BY_ROOT,
        _ours("V1", V1, {"NEMO": 92, "SentRNA": 77, "LEARNA": 71, "RNAinverse": 18}),
        _ours("V2", V2, {"NEMO": 86, "SentRNA": 71, "LEARNA": 72, "RNAinverse": 20}),
    ),
    paper="T. Cazenave, T. Fournier: Monte Carlo Inverse Folding",
)
