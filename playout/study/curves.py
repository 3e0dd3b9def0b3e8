"""Anytime curves of many runs at once: best score by a mark, and the mean with its band.

A search always ends its first playout, so before that the score of a run is the first one's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

AXES = {"seconds": 0, "playouts": 1}


class Curves:
    """The curves of several runs, from the store's blobs."""

    def __init__(self, blobs: Sequence[bytes], unit: str) -> None:
        lengths = np.array([len(blob) // 24 for blob in blobs], np.int64)
        points = np.frombuffer(b"".join(blobs), "<f8").reshape(-1, 3)
        self.ends = np.cumsum(lengths)
        self.starts = self.ends - lengths
        self.x = points[:, AXES[unit]]
        self.scores = points[:, 2]

    def at(self, mark: float) -> np.ndarray:
        """The best score of each run by a mark."""
        # a curve only improves: the last point by the mark has the best score
        by_mark = np.concatenate([[0], np.cumsum(self.x <= mark * (1 + 1e-9))])
        reached = by_mark[self.ends] - by_mark[self.starts]
        last = self.starts + np.maximum(reached, 1) - 1
        return self.scores[last]
