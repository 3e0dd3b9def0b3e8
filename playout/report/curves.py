"""Anytime curves of many runs at once: best score by a mark, and the mean with its band.

A search always ends its first playout, so before that the score of a run is the first one's; but
what counts runs that reach a target by a mark counts none that had no playout by then.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

AXES = {"seconds": 0, "playouts": 1}


class Curves:
    """The curves of several runs, from the store's blobs."""

    def __init__(self, blobs: Sequence[bytes], unit: str) -> None:
        self.lengths = np.array([len(blob) // 24 for blob in blobs], np.int64)
        points = np.frombuffer(b"".join(blobs), "<f8").reshape(-1, 3)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.points = points
        self.x = points[:, AXES[unit]]
        self.scores = points[:, 2]

    def at(self, mark: float) -> np.ndarray:
        """The best score of each run by a mark."""
        by_then = np.add.reduceat(self.x <= mark * (1 + 1e-9), self.starts, dtype=np.int64)
        return self.scores[self.starts + np.maximum(by_then, 1) - 1]

    def reached(self, mark: float) -> np.ndarray:
        """The same, but minus infinity for a run whose first playout ended after the mark."""
        late = self.x[self.starts] > mark * (1 + 1e-9)
        return np.where(late, -np.inf, self.at(mark))

    def last_by(self, mark: float) -> np.ndarray:
        """The last point of each run, with no numbers in it if that was after a mark."""
        last = self.starts + self.lengths - 1
        late = self.x[last] > mark * (1 + 1e-9)
        return np.where(late[:, None], np.nan, self.points[last])

    def at_each(self, marks: Sequence[float] | np.ndarray) -> np.ndarray:
        """The best score of each run by several marks in rising order: a line for each mark."""
        # a curve only improves: the last point by the mark has the best score
        return self.scores[self.starts + self.last_points(marks)]

    def last_points(self, marks: Sequence[float] | np.ndarray) -> np.ndarray:
        """Which point of each run is the last by each mark, the first if there is none."""
        limits = np.asarray(marks, float) * (1 + 1e-9)
        runs, wide = len(self.lengths), len(limits) + 1
        owners = np.repeat(np.arange(runs) * wide, self.lengths)
        # how many points each run has between two marks, then by each mark
        between = np.bincount(owners + np.searchsorted(limits, self.x), minlength=runs * wide)
        reached = between.reshape(runs, wide)[:, :-1].cumsum(axis=1)
        return np.maximum(reached.T, 1) - 1
