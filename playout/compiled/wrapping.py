"""Whole numbers that wrap round in plain Python, as they do in compiled code.

NumPy warns when a 64-bit number overflows; a hash overflows at every step, and is meant to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def wrapping() -> Iterator[None]:
    """Around rules, hashes and random numbers that run as plain Python."""
    with np.errstate(over="ignore"):
        yield
