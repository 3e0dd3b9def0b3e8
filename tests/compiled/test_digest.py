"""The digest of a class changes with anything that its compiled form depends on."""

from __future__ import annotations

import numpy as np
import pytest

from playout.compiled import Compiled, digest_of_class

SIX, SEVEN = 6, 7


def with_method(function):
    return type("Part", (Compiled,), {"f": function})


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (lambda self, x: x in {1, 2}, lambda self, x: x in {1, 3}),
        (lambda self, x=1: x, lambda self, x=2: x),
        (lambda self, *, x=1: x, lambda self, *, x=2: x),
        (lambda self, x: SIX, lambda self, x: SEVEN),
        (lambda self, x: np.sin(x), lambda self, x: np.cos(x)),
        (lambda self, x: [y + 1 for y in x], lambda self, x: [y + 2 for y in x]),
        (lambda self, x: (1, 2.0), lambda self, x: (1, 2)),
    ],
    ids=["set", "default", "keyword default", "global", "numpy function", "inner code", "types"],
)
def test_the_digest_sees(one, two):
    assert digest_of_class(with_method(one)) != digest_of_class(with_method(two))
    assert digest_of_class(with_method(one)) == digest_of_class(with_method(one))


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("convert", "np.int32", "np.int64"),
        ("convert", "np.sin", "np.cos"),
        ("convert", "math.sin", "math.cos"),
        ("convert", "np.array([1, 2])", "np.array([1, 3])"),
        ("convert", "enum.IntEnum('E', {'A': 1})", "enum.IntEnum('E', {'A': 2})"),
        ("convert", "enum.Enum('E', {'A': 1})", "enum.Enum('E', {'A': 2})"),
        ("convert", "numba.int32", "numba.int64"),
        ("convert", "numba.njit(f)", "numba.njit(fastmath=True)(f)"),
        ("convert", "np.dtype('i4')", "np.dtype('i8')"),
    ],
)
def test_the_digest_sees_what_a_global_stands_for(name, one, two):
    import enum
    import math

    import numba

    def f(x):
        return x

    digests = []
    for value in (one, two, one):
        names = {"np": np, "math": math, "enum": enum, "numba": numba, "f": f}
        scope = {name: eval(value, names)}
        exec(f"def method(self, x): return {name}(x)", scope)
        digests.append(digest_of_class(with_method(scope["method"])))
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]
