"""java.util.Random: the numbers that Java prints for the seed 42."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.javarandom import next_below, next_bits, next_double, next_float, seeded
from playout.compiled import wrapping


def luck(seed: int = 42) -> np.ndarray:
    return np.array([seeded(seed)], np.uint64)


def test_the_first_draws_are_javas():
    with wrapping():
        assert next_bits(luck(), 31) == 1562431130
        assert next_double(luck()) == 0.7275636800328681
        assert next_float(luck()) == np.float32(0.72756366)
        word = luck()
        assert [next_below(word, 10) for _ in range(5)] == [0, 3, 8, 4, 0]


def test_a_power_of_two_takes_the_high_bits():
    with wrapping():
        assert next_below(luck(), 4) == 1562431130 >> 29
