"""java.util.Random, so that a game draws what GVGAI draws, in the same order.

D. Knuth, The Art of Computer Programming, volume 2, section 3.2.1, with the constants of the Java
documentation. The generator's 48 bits are the one word `luck` of the state.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper

_BITS = np.uint64((1 << 48) - 1)
_FACTOR = np.uint64(0x5DEECE66D)


def seeded(seed: int) -> np.uint64:
    """The word of `new Random(seed)`."""
    return np.uint64((seed ^ 0x5DEECE66D) & ((1 << 48) - 1))


@helper
def next_bits(luck, bits):
    """The next `bits` random bits, at most 31."""
    word = (luck[0] * _FACTOR + np.uint64(11)) & _BITS
    luck[0] = word
    return np.int64(word >> np.uint64(48 - bits))


@helper
def next_below(luck, n):
    """A random whole number from 0 to n - 1 (nextInt)."""
    bits = next_bits(luck, 31)
    if n & (n - 1) == 0:
        return (n * bits) >> 31
    value = bits % n
    while bits - value + (n - 1) >= 2147483648:
        bits = next_bits(luck, 31)
        value = bits % n
    return value


@helper
def next_float(luck):
    """A random number in [0, 1) with 24 random bits (nextFloat)."""
    return next_bits(luck, 24) / 16777216.0


@helper
def next_double(luck):
    """A random number in [0, 1) with 53 random bits (nextDouble)."""
    high = next_bits(luck, 26) << 27
    return (high + next_bits(luck, 27)) * 1.1102230246251565e-16
