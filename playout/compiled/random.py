"""Random numbers for kernels: splitmix64, one 64-bit word of state in an array.

Each playout has a stream of its own, numbered by the playout (`stream_of`), so that a result
does not depend on the size of a step or on the number of threads that share out the playouts.

G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from playout.compiled.kernel import helper
from playout.compiled.records import mix


@helper
def stream_of(seed: np.uint64, number: int) -> np.uint64:
    """The start of stream `number` of a seed."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    return mix(mix(np.uint64(seed) + golden) ^ (np.uint64(number) * golden + golden))


@helper
def random_bits(rng: np.ndarray) -> np.uint64:
    """64 random bits; `rng` is an array of one uint64, which advances."""
    state = rng[0] + np.uint64(0x9E3779B97F4A7C15)
    rng[0] = state
    return mix(state)


@helper
def random_below(rng: np.ndarray, n: int) -> np.int64:
    """A random integer from 0 to n - 1, for n below 2^32."""
    return np.int64(((random_bits(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@helper
def random_unit(rng: np.ndarray) -> float:
    """A random number in [0, 1), with 53 random bits."""
    return np.float64(np.int64(random_bits(rng) >> np.uint64(11))) * 1.1102230246251565e-16
