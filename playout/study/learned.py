"""Runs that train networks: the figures of zoNNscan. They need the extra `learn`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.errors import OptionError, nearest
from playout.study.spec import Scan

KNOWN = {
    "classifier": ("mlp", "cnn", "irnn"),
    "what": ("accuracy", "index", "ordinary", "corner", "corner-p", "mark-p"),
}


def scan(search: Scan, samples: int, seed: int, over: Callable[[], bool]) -> dict[str, Any]:
    """One figure of zoNNscan; what the store keeps of it."""
    from playout.learn.zone_uses import measure
    from playout.study.kinds import Stopped

    one_thread()

    def look() -> None:
        if over():
            raise Stopped

    began = time.perf_counter()
    figure = measure(
        search.data, search.classifier, search.what, samples, seed, radius=search.radius, look=look
    )
    return {
        "problem": search.data,
        "instance": "",
        "problem_options": "{}",
        "algorithm": f"zonnscan {search.what} {search.classifier}",
        "options": json.dumps({"kind": search.kind, "radius": search.radius}),
        "score": figure,
        "playouts": samples,
        "seconds": time.perf_counter() - began,
        "verified": 1,
        "stopped_by": "playouts",
        "curve": np.array([[0.0, 0.0, figure]], "<f8").tobytes(),
        "moves": "[]",
        "records": "[]",
    }


def one_thread() -> None:
    """A worker is one of several: its networks compute in one thread on the CPU."""
    from playout.learn.torch import need_torch

    need_torch().set_num_threads(1)


def check_scan(search: Scan) -> None:
    """Refuse names that there are not."""
    for name, values in KNOWN.items():
        value = getattr(search, name)
        if value not in values:
            raise OptionError(f"{name} {value!r}; {nearest(value, values)}")
