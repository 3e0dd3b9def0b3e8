"""Experiments: specifications of tables, the results store, the workers and the reports.

- `spec.py`, `plan.py`: what an experiment is, and what is to be run of it;
- `store.py`, `owner.py`: the SQLite file, and who may do which run;
- `conduct.py`, `pool.py`, `work.py`: running what is missing, on all cores;
- `kinds.py`, `learned.py`, `policies.py`, `proofs.py`: the kinds of runs;
- `reporting.py` with `curves.py`, `measures.py`, `statistics.py`: from runs to a report;
- `report.py`, `render_*.py`, `chart.py`: the report as data, text, Markdown and HTML;
- `compare.py`, `tune.py`, `export.py`: comparisons, tuning, raw data.

The papers' tables are in `playout/experiments`, one file a paper.
"""

from playout.study.kinds.runs import Choice, Color, Generations, Match, Prove, Scan, Solve, Train
from playout.study.specification import (
    Cell,
    Experiment,
    Figure,
    Table,
    curve_table,
    doubling,
    game_table,
    instance_table,
)

__all__ = [
    "Cell",
    "Choice",
    "Color",
    "Experiment",
    "Figure",
    "Generations",
    "Match",
    "Prove",
    "Scan",
    "Solve",
    "Table",
    "Train",
    "curve_table",
    "doubling",
    "game_table",
    "instance_table",
]
