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
from playout.text.numbers import counted


class _StoredRun(NamedTuple):
    """What a report asks of a run: columns of the store, but the cell has its unit in front."""

    cell: str
    seed: int
    budget: float
    id: int
    package: str
    code: str
    problem: str
    verified: int
    machine: str
    python: str
    numba: str
    git_commit: str
    playouts: int
    curve: bytes
    details: str
    seconds: float

    def versions(self) -> tuple[str, str, str, str]:
        return self.package, self.git_commit, self.python, self.numba


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
    rows = store.runs(
        ("unit", *_StoredRun._fields),
        "experiment = ? AND unit IN (?, ?)",
        (plan.experiment.name, units[0], units[-1]),
    )
    stored = [_StoredRun(f"{unit} {cell}", *rest) for unit, cell, *rest in rows]
    shown = _shown_cells(plan)
    asked = {name: codes[key] for name, key in shown.items() if key in codes}
    counting = {**_newest_codes(stored), **asked}
    apart: Counter[str] = Counter()
    chosen: dict[str, dict[int, _StoredRun]] = {}
    machines: dict[str, None] = {}
    versions: dict[tuple[str, str, str, str], None] = {}
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
        cell: _finished([run for _, run in sorted(seeds.items())], cell.partition(" ")[0])
        for cell, seeds in chosen.items()
    }
    kept = tuple(f"{counted(count, 'run')} of {what}" for what, count in apart.items() if count)
    return Found(runs, machines, dict.fromkeys(map(_versions, versions)), kept, unverified)


def _finished(runs: list[_StoredRun], unit: str) -> FinishedRuns:
    return FinishedRuns(
        Curves([run.curve for run in runs], unit),
        np.array([run.budget for run in runs]),
        np.array([float(run.playouts) for run in runs]),
        [run.details for run in runs],
        np.array([run.seconds for run in runs]),
    )


def _versions(of: tuple[str, str, str, str]) -> str:
    package, commit, python, numba = of
    told = f", commit {commit}" if commit else ""
    return f"playout {package}{told}, Python {python}, Numba {numba}"


def _newest_codes(stored: list[_StoredRun]) -> dict[str, str]:
    """The state of its problem that each cell was last run with by this version."""
    newest: dict[str, _StoredRun] = {}
    for run in stored:
        if run.package == __version__:
            known = newest.get(run.cell)
            if known is None or known.id < run.id:
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
