"""Whole numbers that wrap round in plain Python, as they do in compiled code.

NumPy warns when a 64-bit number overflows; a hash overflows at every step, and is meant to.
"""

from __future__ import annotations

import numpy as np


def wrapping() -> np.errstate:
    """A context for rules, hashes and random numbers that run as plain Python."""
    return np.errstate(over="ignore")
