"""Results stores of made-up runs: `playout report` on an experiment of 1,000 runs among others."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.common import _children_cpu as children_cpu
from bench.growth.measuring import Figures
from bench.study import _command as command
from bench.study import large_store

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SIZE = "runs"
TOO_LARGE = 0
FIT = {"runs": ("report s", "MB")}
WANTED = 1_000


def measure(size: int) -> Figures:
    """One store."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        large_store(path, size, WANTED)
        before = children_cpu()
        command("report", "snrpa", "--store", str(path))
        return {
            "runs": size,
            "report s": children_cpu() - before,
            "MB": path.stat().st_size / 1e6,
        }
