"""A. Jaouen and E. Le Merrer, zoNNscan: A Boundary-Entropy Index for Zone Inspection of Neural
Models.

The three uses of section 3, on scikit-learn's digits (extra: digits) and, where the data folder has
it, on MNIST, as in the paper: the index around a digit 6 as the radius grows (Figure 2), around
test inputs and around corner cases (Table 1), and what the Kolmogorov-Smirnov test says of corner
cases against test inputs (Figure 3) and of a watermarked against the original classifier. A run
trains the three classifiers with its seed. The paper's test has 100 indices for each input of a
watermark's key; ours has one, so that the values are independent.
"""

from __future__ import annotations

from playout.study import Cell, Experiment, Figure, Scan, Table

CLASSIFIERS = {"MLP": "mlp", "CNN": "cnn", "IRNN": "irnn"}
SAMPLES = 1000
RADII = (0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0)

# Table 1
PAPER = {
    "test inputs": {"MLP": 0.3709, "CNN": 0.3457, "IRNN": 0.2403},
    "corner cases": {"MLP": 0.6857, "CNN": 0.6564, "IRNN": 0.2989},
}


def _table(
    name: str,
    title: str,
    data: str,
    rows: dict[str, tuple[str, float]],
    runs: int,
    **settings: object,
) -> Table:
    cells = []
    for row, (what, radius) in rows.items():
        for column, classifier in CLASSIFIERS.items():
            search = Scan(data, classifier, what, radius)
            figure = None
            if data == "mnist" and row in PAPER:
                figure = Figure(PAPER[row][column])
            cells.append(Cell(row, column, float(SAMPLES), (search,), figure))
    return Table(
        name,
        title,
        tuple(cells),
        float(SAMPLES),
        SAMPLES,
        runs,
        by="playouts",
        compared=False,
        **settings,  # type: ignore[arg-type]
    )


def _tables(data: str, first: int, runs: int) -> list[Table]:
    return [
        _table(
            str(first),
            f"{data}: the mean index at radius 0.025 (Table 1), and the accuracy",
            data,
            {
                "test inputs": ("ordinary", 0),
                "corner cases": ("corner", 0),
                "accuracy": ("accuracy", 0),
            },
            runs,
        ),
        _table(
            str(first + 1),
            f"{data}: -log10 of the Kolmogorov-Smirnov test's p; the paper's are all over 3",
            data,
            {"corner cases": ("corner-p", 0), "watermark": ("mark-p", 0)},
            runs,
        ),
        _table(
            str(first + 2),
            f"{data}: the index around a digit 6 by radius (Figure 2)",
            data,
            {f"{radius:g}": ("index", radius) for radius in (0.0, *RADII)},
            runs,
            row_title="radius",
        ),
    ]


EXPERIMENT = Experiment(
    "zonnscan",
    "zoNNscan: uncertainty around inputs, corner cases, watermarks",
    (*_tables("digits", 1, 10), *_tables("mnist", 4, 3)),
    paper="A. Jaouen and E. Le Merrer: zoNNscan",
)
