"""The bridge to Numba: the disk cache is used when it may be and never stale, across processes.

Each test edits files in a folder of its own and runs them in new processes with a cache of
their own. What is compiled is a tiny kernel over a tiny class, which takes under a second.
"""

from __future__ import annotations

import copy
import gc
import os
import pickle
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

from playout.compiled import Compiled, CompileError, friendly, kernel

# in this process: the digest, the fields and the references to them


@kernel
def total(part, x):
    return part.f(x)


class Table(Compiled):
    """A class with an array, numbers and a part of its own."""

    fields = ("table", "wide", "scale", "flag", "pair")

    def __init__(self):
        self.table = np.arange(1000, dtype=np.float64)
        self.wide = np.ones((3, 4), np.int8)[:, ::2]
        self.scale = 2.0
        self.flag = True
        self.pair = (3, 4.5)

    def f(self, x):
        view = self.table[x:]
        if self.flag:
            return view[0] * self.scale + self.wide[1, 1] + self.pair[1]
        return 0.0


def test_fields_of_every_kind_are_read():
    part = Table()
    assert total(part, 7) == part.f(7) == 7 * 2.0 + 1 + 4.5
    part.scale, part.table = 3.0, part.table + 1
    assert total(part, 7) == part.f(7)


def test_no_reference_leaks():
    part = Table()
    total(part, 1)
    gc.collect()
    things = [part, part.table, part.wide, part.pair]
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(1000):
        total(part, 1)
    assert [sys.getrefcount(thing) for thing in things] == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_memory_does_not_grow():
    part = Table()

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    for _ in range(2000):
        total(part, 1)
    before = resident()
    for _ in range(20_000):
        total(part, 1)
    assert resident() - before < 20_000 * 40  # a leaked meminfo has some 50 bytes, an array 8,000


def test_the_memory_of_an_array_is_given_back():
    part = Table()
    total(part, 1)
    table = weakref.ref(part.table)
    total(part, 1)
    part.table = np.ones(10)
    total(part, 1)
    gc.collect()
    assert table() is None


class Holder(Compiled):
    """A part within a part."""

    fields = ("inner",)

    def __init__(self, inner):
        self.inner = inner

    def f(self, x):
        return self.inner.f(x) + 1


def test_a_field_may_be_another_compiled_object():
    assert total(Holder(Table()), 7) == Table().f(7) + 1


def test_keyword_arguments_and_defaults_of_a_method():
    class Keyed(Compiled):
        def f(self, x):
            return self.g(x, c=5) * 1000 + self.g(1, 2, 3)

        def g(self, a, b=10, c=20):
            return a + b + c

    assert total(Keyed(), 1) == Keyed().f(1) == 16006


def bad_field(value):
    class Bad(Compiled):
        fields = ("thing",)

        def __init__(self):
            self.thing = value

        def f(self, x):
            return x

    return Bad()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"a": 1}, "Bad.thing is a dict"),
        ("text", "Bad.thing is a str"),
        ([1, 2], "Bad.thing is a list"),
        ((1, "x"), "Bad.thing is a tuple"),
        ((np.ones(2),), "Bad.thing is a tuple"),
        (np.array([None]), "array of Python objects"),
        (object(), "Bad.thing is a object"),
        (2**80, "Bad.thing is a int"),
    ],
    ids=["dict", "str", "list", "mixed tuple", "tuple of arrays", "objects", "object", "huge int"],
)
def test_a_field_that_cannot_be_read_is_refused_plainly(value, says):
    with pytest.raises(CompileError, match=says), friendly():
        total(bad_field(value), 1)


def test_a_field_that_is_made_anew_at_each_access_is_refused():
    class Fleeting(Compiled):
        fields = ("table",)

        @property
        def table(self):
            return np.ones(3)

        def f(self, x):
            return self.table[x]

    with pytest.raises(CompileError, match="made anew at each access"), friendly():
        total(Fleeting(), 1)


def test_a_copy_and_a_pickle_do_not_carry_the_digest_along():
    part = Table()
    total(part, 1)
    assert part.__dict__["_memory"]
    again = pickle.loads(pickle.dumps(part))
    assert not again.__dict__["_memory"]
    assert total(again, 7) == total(copy.deepcopy(part), 7) == part.f(7)
