"""Numbers put together to 64 bits, as `view`, `seen`, `code` and `key` of a game return them."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import helper
from playout.compiled.records import mix

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # so that a zero more is another word


@helper
def stir(word: Any, number: Any) -> np.uint64:
    """A word with one number more in it: 64 bits that depend on all numbers and their order.

    Begin with any number. Fields of every width do, truths and numbers below zero, too.

    >>> stir(stir(0, -1), np.int8(5)) == stir(stir(0, np.int8(-1)), 5)
    np.True_
    >>> len({int(stir(stir(0, a), b)) for a in range(-2, 9) for b in range(-2, 9)})
    121
    """
    return mix((np.uint64(np.int64(word)) ^ np.uint64(np.int64(number))) + _GOLDEN)
