"""The kernels' own `exp`, hashes and random numbers: right, and the same plain and compiled."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from playout.compiled import hash_record, kernel, record
from playout.compiled.maths import exp, exp_all
from playout.compiled.random import random_below, random_bits, random_unit, stream_of
from playout.compiled.records import mix

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

EXTREMES = [
    0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-17, 700.0, 699.999999, 700.1, -700.0, -700.1, 1e300,
    -1e300, math.inf, -math.inf, math.log(2) / 2, -math.log(2) / 2, 3 * math.log(2) / 2,
]  # fmt: skip


@kernel
def exponentials(x, out):
    for i in range(len(x)):
        out[i] = exp(x[i])


@kernel
def exponentials_in_place(x):
    exp_all(x, len(x))


@kernel
def hashes(items, out):
    for i in range(len(items)):
        out[i] = hash_record(items[i])


@kernel
def draws(rng, bits, below, units, n):
    for i in range(len(bits)):
        bits[i] = random_bits(rng)
        below[i] = random_below(rng, n)
        units[i] = random_unit(rng)


@kernel
def streams(seed, out):
    for i in range(len(out)):
        out[i] = stream_of(seed, i)


def bits_of(x: float) -> int:
    return struct.unpack("<q", struct.pack("<d", x))[0]


def test_exp_is_accurate():
    x = np.concatenate([np.linspace(-700, 700, 20_001), np.linspace(-2, 2, 20_001)])
    out = np.zeros_like(x)
    exponentials(x, out)
    exact = np.exp(x)
    assert np.max(np.abs(out - exact) / exact) < 1e-12


def test_exp_beyond_its_range_is_that_of_its_ends():
    assert exp(701.0) == exp(700.0) == exp(math.inf)
    assert exp(-701.0) == exp(-700.0) == exp(-math.inf)
    assert exp(0.0) == 1.0
    assert 0.0 < exp(-700.0) < 1e-300
    assert 1e300 < exp(700.0) < math.inf


def test_exp_is_the_same_bits_plain_and_compiled():
    random = np.random.default_rng(1)
    x = np.concatenate([EXTREMES, random.normal(0, 5, 2000), random.uniform(-750, 750, 2000)])
    out, again = np.zeros_like(x), x.copy()
    exponentials(x, out)
    exponentials_in_place(again)
    plain = np.array([exp(float(value)) for value in x])
    assert [bits_of(v) for v in out] == [bits_of(v) for v in plain]
    assert again.tobytes() == out.tobytes()


@pytest.mark.parametrize(
    "kind",
    [
        record(a="i1"),
        record(a="i8"),
        record(a="u1", b="f8", c="i2"),
        record(a=("i2", 7), b="f4"),
        record(a=(record(x="i1", y="u8"), 3)),
    ],
    ids=["one byte", "one word", "mixed", "array", "nested"],
)
def test_hash_record_is_the_same_plain_and_compiled(kind):
    size = kind.itemsize
    items = np.random.default_rng(2).integers(0, 256, (50, size), np.uint8).view(kind)[:, 0]
    out = np.zeros(50, np.uint64)
    hashes(items, out)
    assert out.tolist() == [int(hash_record(item)) for item in items]


def test_hash_record_sees_every_byte():
    kind = record(a=("u1", 11))
    items = np.zeros(12, kind)
    for i in range(11):
        items[i]["a"][i] = 1
    assert len({int(hash_record(item)) for item in items}) == 12


def test_random_bits_are_those_of_splitmix64():
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    rng = np.array([1234567], np.uint64)
    assert [int(random_bits(rng)) for _ in expected] == expected


def test_random_numbers_are_the_same_plain_and_compiled():
    results = []
    for run in (draws, draws.py_func):
        rng = np.array([99], np.uint64)
        bits, below, units = np.zeros(300, np.uint64), np.zeros(300, np.int64), np.zeros(300)
        run(rng, bits, below, units, 7)
        results.append((rng.tobytes(), bits.tobytes(), below.tobytes(), units.tobytes()))
    assert results[0] == results[1]
    out, plain = np.zeros(50, np.uint64), np.zeros(50, np.uint64)
    streams(np.uint64(5), out)
    streams.py_func(np.uint64(5), plain)
    assert out.tolist() == plain.tolist()


@pytest.mark.parametrize("n", [1, 2, 7, 100, 2**31 - 1, 2**32 - 1])
def test_random_below_stays_in_its_range_and_is_even(n):
    size = 40_000
    rng = np.array([n], np.uint64)
    bits, below, units = np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(size)
    draws(rng, bits, below, units, n)
    assert below.min() >= 0
    assert below.max() < n
    bins = min(n, 10)
    counts = np.bincount(below * bins // n, minlength=bins)
    weights = np.array([-(-(i + 1) * n // bins) - -(-i * n // bins) for i in range(bins)]) / n
    chi = ((counts - size * weights) ** 2 / (size * weights)).sum()
    assert chi < 40  # nine degrees of freedom or fewer: beyond one in 100,000


def test_random_units_and_bits_are_even():
    size = 40_000
    rng = np.array([3], np.uint64)
    bits, below, units = np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(size)
    draws(rng, bits, below, units, 10)
    assert units.min() >= 0.0
    assert units.max() < 1.0
    assert abs(units.mean() - 0.5) < 5 / math.sqrt(12 * size)
    ones = [(bits >> np.uint64(i) & np.uint64(1)).mean() for i in range(64)]
    assert max(abs(one - 0.5) for one in ones) < 5 * 0.5 / math.sqrt(size)


def test_streams_of_one_seed_are_apart():
    out, other = np.zeros(10_000, np.uint64), np.zeros(10_000, np.uint64)
    streams(np.uint64(0), out)
    streams(np.uint64(1), other)
    assert len({*out.tolist(), *other.tolist()}) == 20_000
    # the first draws of neighbouring streams are not alike either
    first = np.array([float(mix(start)) for start in out[:2000]]) / 2.0**64
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.12
