"""What the benchmarks share: where data is, the C reference, statistics, the store."""

from __future__ import annotations

import json
import math
import os
import platform
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

import playout
from playout.problems import SameGame

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
KEYS = ("what", "ours", "theirs", "value", "least", "most", "reached")


def data_folder() -> Path | None:
    """The public instances: `$PLAYOUT_DATA`, or `../shared/data` beside the project."""
    for folder in (os.environ.get("PLAYOUT_DATA"), HERE.parent.parent / "shared" / "data"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    return None


def board_one(**options: object) -> tuple[SameGame, str]:
    """Board 1 of the standard set, or a random board where the data is missing."""
    folder = data_folder()
    if folder is not None:
        return SameGame.read(folder / "samegame" / "boards.txt", **options)[0], "board 1"
    return SameGame.random(1, **options), "a random board"


class Reference:
    """The plain C SameGame program, built with gcc -O3 -march=native.

    Its source is `$PLAYOUT_REFERENCE`, or `../shared/spike/samegame_reference.c`.
    """

    def __init__(self) -> None:
        source = Path(
            os.environ.get("PLAYOUT_REFERENCE")
            or HERE.parent.parent / "shared" / "spike" / "samegame_reference.c"
        )
        if not source.is_file():
            raise LookupError("no samegame_reference.c ($PLAYOUT_REFERENCE)")
        if shutil.which("gcc") is None:
            raise LookupError("no gcc")
        self._folder = tempfile.TemporaryDirectory()
        self._program = Path(self._folder.name) / "reference"
        subprocess.run(
            ["gcc", "-O3", "-march=native", "-o", self._program, source], check=True, text=True
        )
        board, _ = board_one()
        self._board = Path(self._folder.name) / "board.txt"
        self._board.write_text("\n".join(" ".join(map(str, row)) for row in board.rows) + "\n")

    def playouts_per_cpu_second(self, playouts: int = 20_000) -> float:
        before = _children_cpu()
        subprocess.run(
            [self._program, str(playouts), self._board], check=True, stdout=subprocess.DEVNULL
        )
        return playouts / (_children_cpu() - before)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def interval(values: list[float]) -> tuple[float, float]:
    """Mean and half-width of its 95% interval (Student's t)."""
    n = len(values)
    if n < 2:
        return mean(values), math.nan
    z, df = 1.959964, n - 1
    # Cornish-Fisher: within 0.002 of the exact quantile from 5 degrees of freedom up
    t = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
    return mean(values), t * stdev(values) / math.sqrt(n)


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    name = platform.processor()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    import numba

    return {
        "processor": name,
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "playout": playout.__version__,
    }


def row(
    what: str,
    ours: float,
    theirs: float | None,
    value: float,
    least: float | None,
    most: float | None = None,
) -> dict[str, Any]:
    """A row of `bench.speed`; more keys behind these are further figures."""
    good = (least is None or value >= least) and (most is None or value <= most)
    values = (what, ours, theirs, round(value, 3), least, most, good)
    return dict(zip(KEYS, values, strict=True))


def store(section: str, figures: dict) -> None:
    """Put figures into `bench/results.json`, beside those of other sections."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results[section] = {"machine": machine(), **figures}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
