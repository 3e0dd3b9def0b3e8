"""Whole numbers that wrap round in plain Python, as they do in compiled code.

NumPy warns when a 64-bit number overflows; a hash overflows at every step, and is meant to.
`with wrapping():` goes around rules, hashes and random numbers that run as plain Python.
"""

from __future__ import annotations

from functools import partial

import numpy as np

wrapping = partial(np.errstate, over="ignore")
