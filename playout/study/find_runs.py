"""What the store has of an experiment: the runs that count for a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from playout._version import __version__
from playout.report.curves import Curves
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Kind
from playout.study.plan import Plan
from playout.study.store.results_store import Store
from playout.study.store.row import GOOD
from playout.text.numbers import counted

QUERY = f"""
SELECT unit || ' ' || cell, seed, budget, package, code, id, problem, verified, machine, python,
       numba, git_commit, playouts, curve, details, seconds
FROM runs WHERE experiment = ? AND unit IN (?, ?) AND {GOOD}
"""


class _StoredRun(NamedTuple):
    """A line of the query; the cell has its unit in front."""

    cell: str
    seed: int
    budget: float
    package: str
    code: str
    number: int
    problem: str
    verified: int
    machine: str
    python: str
    numba: str
    commit: str
    playouts: int
    curve: bytes
    details: str
    seconds: float

    def versions(self) -> str:
        commit = f", commit {self.commit}" if self.commit else ""
        return f"playout {self.package}{commit}, Python {self.python}, Numba {self.numba}"


@dataclass
class Found:
    """What the store has of an experiment."""

    runs: dict[str, FinishedRuns]
    machines: dict[str, None]
    versions: dict[str, None]
    kept_apart: tuple[str, ...]
    unverified: int


def find(store: Store, plan: Plan, codes: Mapping[str, str]) -> Found:
    """The runs of an experiment; `codes` as `make_report` has them."""
    units = sorted({table.unit for table in plan.tables})
    store.tell_damaged(plan.experiment.name)
    rows = store.rows(QUERY, (plan.experiment.name, units[0], units[-1]))
    stored = [_StoredRun(*row) for row in rows]
    shown = _shown_cells(plan)
    asked = {name: codes[key] for name, key in shown.items() if key in codes}
    counting = {**_newest_codes(stored), **asked}
    apart: Counter[str] = Counter()
    chosen: dict[str, dict[int, _StoredRun]] = {}
    machines: dict[str, None] = {}
    versions: dict[str, None] = {}
    unverified = 0
    for run in stored:
        here = run.cell in shown
        if run.package != __version__:
            apart[f"version {run.package}"] += here
        elif run.code != counting[run.cell]:
            apart[f"{run.problem} or its algorithm in another state"] += here
        elif not run.verified:
            unverified += here
        else:
            seeds = chosen.setdefault(run.cell, {})
            if run.seed not in seeds or seeds[run.seed].budget < run.budget:
                seeds[run.seed] = run
            if here:
                machines[run.machine] = None
                versions[run.versions()] = None
    runs = {
        cell: FinishedRuns(
            Curves([run.curve for run in seeds.values()], cell.partition(" ")[0]),
            np.array([run.budget for run in seeds.values()]),
            np.array([float(run.playouts) for run in seeds.values()]),
            [run.details for run in seeds.values()],
            np.array([run.seconds for run in seeds.values()]),
        )
        for cell, seeds in chosen.items()
    }
    kept = tuple(f"{counted(count, 'run')} of {what}" for what, count in apart.items() if count)
    return Found(runs, machines, versions, kept, unverified)


def _newest_codes(stored: list[_StoredRun]) -> dict[str, str]:
    """The state of its problem that each cell was last run with by this version."""
    newest: dict[str, _StoredRun] = {}
    for run in stored:
        if run.package == __version__:
            known = newest.get(run.cell)
            if known is None or known.number < run.number:
                newest[run.cell] = run
    return {cell: run.code for cell, run in newest.items()}


def _shown_cells(plan: Plan) -> dict[str, str]:
    """What the report is about: the names of the runs, and their searches' keys."""
    return {
        name_of(search, table.unit, place.mark): search.key()
        for table in plan.tables
        for place in table.cells
        if place.mark is not None
        for search in place.cell.searches
    }


def name_of(search: Kind, unit: str, budget: float) -> str:
    """What the runs of a search are known by here."""
    return f"{unit} {search.cell(unit, budget)}"
