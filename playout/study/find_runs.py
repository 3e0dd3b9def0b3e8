"""What the store has of an experiment: the runs that count for a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout._version import __version__
from playout.report.curves import Curves
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Kind
from playout.study.plan import Plan
from playout.study.store.results_store import Store
from playout.text.numbers import counted

QUERY = """
SELECT unit || ' ' || cell, seed, budget, package, code, id, problem, verified, machine, python,
       numba, git_commit, playouts, curve, details
FROM runs WHERE experiment = ? AND unit IN (?, ?)
"""


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
    rows = store.rows(QUERY, (plan.experiment.name, units[0], units[-1]))
    shown = _shown_cells(plan)
    asked = {name: codes[key] for name, key in shown.items() if key in codes}
    counting = {**_newest_codes(rows), **asked}
    apart: Counter[str] = Counter()
    chosen: dict[str, dict[int, tuple[float, int, bytes, str]]] = {}
    machines: dict[str, None] = {}
    versions: dict[str, None] = {}
    unverified = 0
    for (
        cell, seed, budget, package, code, _, problem, verified, machine, python, numba, git,
        playouts, curve, details,
    ) in rows:  # fmt: skip
        here = cell in shown
        if package != __version__:
            apart[f"version {package}"] += here
        elif code != counting[cell]:
            apart[f"{problem} or its algorithm in another state"] += here
        elif not verified:
            unverified += here
        else:
            seeds = chosen.setdefault(cell, {})
            if seed not in seeds or seeds[seed][0] < budget:
                seeds[seed] = budget, playouts, curve, details
            if here:
                machines[machine] = None
                commit = f", commit {git}" if git else ""
                versions[f"playout {package}{commit}, Python {python}, Numba {numba}"] = None
    runs = {
        cell: FinishedRuns(
            Curves([curve for _, _, curve, _ in seeds.values()], cell.partition(" ")[0]),
            np.array([budget for budget, *_ in seeds.values()]),
            np.array([float(playouts) for _, playouts, *_ in seeds.values()]),
            [details for *_, details in seeds.values()],
        )
        for cell, seeds in chosen.items()
    }
    kept = tuple(f"{counted(count, 'run')} of {what}" for what, count in apart.items() if count)
    return Found(runs, machines, versions, kept, unverified)


def _newest_codes(rows: list[tuple[Any, ...]]) -> dict[str, str]:
    """The state of its problem that each cell was last run with by this version."""
    newest: dict[str, tuple[int, str]] = {}
    for cell, _, _, package, code, number, *_ in rows:
        if package == __version__ and number > newest.get(cell, (-1, ""))[0]:
            newest[cell] = number, code
    return {cell: code for cell, (_, code) in newest.items()}


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
