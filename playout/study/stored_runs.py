"""What the store has of an experiment: the runs that count, and what is shown of them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout._version import __version__
from playout.report.curves import Curves
from playout.study.kinds.proofs import figures
from playout.study.kinds.runs import Prove, Run, Solve
from playout.study.plan import Plan
from playout.study.specification import Table
from playout.study.store.results_store import Store
from playout.text.numbers import counted

QUERY = """
SELECT unit || ' ' || cell, seed, budget, package, code, id, problem, verified, machine, python,
       numba, git_commit, playouts, curve, details
FROM runs WHERE experiment = ? AND unit IN (?, ?)
"""


@dataclass(frozen=True)
class Runs:
    """The runs of one search that count: of this version, one a seed, the longest of each."""

    curves: Curves
    budgets: np.ndarray
    playouts: np.ndarray
    details: list[str]  # JSON

    def at(self, mark: float, search: Run, table: Table) -> np.ndarray:
        """What is shown of the runs that went so far: the scores by a mark, or what else it is."""
        shares = table.measure in ("success", "solved")
        found = self.curves.reached(mark) if shares else self.curves.at(mark)
        far = self.budgets >= mark * (1 - 1e-9)
        if isinstance(search, Prove):
            found = figures(search, self.curves, mark)
        elif isinstance(search, Solve) and search.shows == "playouts":
            found = self.playouts
        elif isinstance(search, Solve) and search.shows != "score":
            counts = [json.loads(text).get(search.shows, math.nan) for text in self.details]
            found = np.array(counts, float)
            far &= ~np.isnan(found)  # a run that has not counted it
        return found[far]

    def halves(self, marks: Sequence[float] | np.ndarray) -> np.ndarray:
        """Half-widths of the 95% intervals of a single run whose points are means; none: no number.

        With several runs the interval is of the mean over them.
        """
        known = json.loads(self.details[0]).get("halves") if len(self.details) == 1 else None
        if known is None:
            return np.full(len(marks), np.nan)
        return np.array(known, float)[self.curves.last_points(marks)[:, 0]]


@dataclass
class Found:
    """What the store has of an experiment."""

    runs: dict[str, Runs]
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
        cell: Runs(
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


def name_of(search: Run, unit: str, budget: float) -> str:
    """What the runs of a search are known by here."""
    return f"{unit} {search.cell(unit, budget)}"
