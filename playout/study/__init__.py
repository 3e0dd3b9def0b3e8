"""Experiments: specifications of tables, the results store, the workers and the reports.

- `specification.py`, `plan.py`: what an experiment is, and what is to be run of it;
- `kinds/`: the kinds of run, a file each behind `Kind`;
- `store/`: the SQLite file, what a row of it is, and who may do which run;
- `conduct.py`, `performing.py`, `standing.py`: what is missing is run by all workers;
- `find_runs.py`, `finished_runs.py`, `cell_figures.py`, `make_report.py`: from runs to a report,
  which `playout/report` shows;
- `compare.py`, `tune.py`, `export.py`, `training_rows.py`: comparisons, tuning, raw data, training.

The papers' tables are in `playout/experiments`, one file a paper.
"""

from playout.study.kinds.choice import Choice
from playout.study.kinds.color import Color
from playout.study.kinds.generations import Generations
from playout.study.kinds.match import Match
from playout.study.kinds.prove import Prove
from playout.study.kinds.scan import Scan
from playout.study.kinds.solve import Solve
from playout.study.kinds.train import Train
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
