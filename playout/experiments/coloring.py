"""T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring.

Tables 1 to 4: the fewest colours found for graphs of the DIMACS collection. The paper lowers the
number of colours as long as one of five searches of 30 minutes finds a colouring; here each of five
runs lowers it within its time in all, and the best of them counts.

UBI is DSatur's colouring, with which all begin. The paper's HEAD is a memetic algorithm; its
figures stand beside ours, and beside GNRPA whose playouts are improved by tabu search.
"""

from __future__ import annotations

from playout.experiments.printed import printed
from playout.study import Color, Experiment, Table, instance_table

SECONDS = 1800.0
PLAYOUTS = 1_000_000

COLUMNS: dict[str, Color | None] = {
    "UBI": Color("dsatur"),
    "NMCS": Color("nmcs", options={"level": 10, "rising": True}),
    "NRPA": Color("nrpa", options={"level": 7, "adapt": "all"}),
    "SAT": Color("sat"),
    "GNRPA+polish": Color("gnrpa", options={"level": 3, "N": 50, "polish": True}),
    "HEAD": Color("head"),
}


def _table(name: str, title: str) -> Table:
    paper = printed("coloring", name)
    # HEAD's figures, the last, are beside two of our columns
    paper = "\n".join(f"{line} {line.split()[-1]}" for line in paper.splitlines())
    graphs = {line.split()[0]: f"dimacs/{line.split()[0]}" for line in paper.splitlines()}
    return instance_table(
        name,
        title,
        COLUMNS,
        graphs,
        seconds=SECONDS,
        playouts=PLAYOUTS,
        runs=5,
        measure="best",
        unit=-1.0,
        lower=True,
        row_title="graph",
        paper=paper,
        note="number of colours, the best of the runs; the paper's figures beside GNRPA+polish are "
        "HEAD's; its searches have 30 minutes for each number of colours, ours for all of them",
    )


EASY = _table("1", "the easy graphs (NP-m)")
HARD = _table("2", "the hard graphs (NP-h)")
DIFFICULT = _table("3", "the difficult graphs (NP-?)")
OPEN = _table("4", "the very difficult graphs (NP-?), whose chromatic number is not known")

EXPERIMENT = Experiment(
    "coloring",
    "Graph colouring by NMCS and NRPA, with DSatur, a SAT solver, tabu search and HEAD beside them",
    (EASY, HARD, DIFFICULT, OPEN),
    paper="T. Cazenave, B. Negrevergne, F. Sikora: Monte Carlo Graph Coloring",
)
