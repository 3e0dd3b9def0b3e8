"""The runs of one search that count for a report, and what is shown of them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from playout.report.curves import Curves
from playout.study.store.row import crafted_is_damaged


@dataclass(frozen=True)
class FinishedRuns:
    """The runs of one search that count: of this version, one a seed, the longest of each."""

    curves: Curves
    budgets: np.ndarray
    playouts: np.ndarray
    details: list[str]  # JSON
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def went(self, mark: float) -> np.ndarray:
        """Whether each run went as far as a mark."""
        return self.budgets >= mark * (1 - 1e-9)

    def counted(self, name: str) -> np.ndarray:
        """What the search of each run has counted by a name; no number if it has not."""
        with crafted_is_damaged():
            return np.array([json.loads(text).get(name, math.nan) for text in self.details], float)

    def halves(self, marks: Sequence[float] | np.ndarray) -> np.ndarray:
        """Half-widths of the 95% intervals of a single run whose points are means; none: no number.

        With several runs the interval is of the mean over them.
        """
        with crafted_is_damaged():
            known = json.loads(self.details[0]).get("halves") if len(self.details) == 1 else None
            if known is None:
                return np.full(len(marks), np.nan)
            return np.array(known, float)[self.curves.last_points(marks)[:, 0]]
