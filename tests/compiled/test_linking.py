"""What a kernel calls is linked into it and optimised there; Python's calls find what they need."""

from __future__ import annotations

import pytest
from numba import njit
from numba.core.codegen import JITCPUCodegen

from playout.compiled import Compiled, helper, kernel
from playout.compiled.linking import LinkedLibrary


@helper
def third(x):
    if x < 0:
        raise ValueError("below nothing")
    return x // 3


@kernel
def inner(x):
    return third(x) + 1


@kernel
def outer(x):
    return inner(x) * third(x)


class Halves(Compiled):
    """Two methods, one of which calls the other."""

    fields = ()

    def half(self, x):
        return x // 2

    def quarter(self, x):
        return self.half(self.half(x))


@kernel
def quarter_of(halves, x):
    return halves.quarter(x)


@njit
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@njit
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@pytest.fixture
def libraries(monkeypatch):
    """The libraries that are compiled meanwhile."""
    inner(1)  # Numba's own library is there then
    found = []

    class Seen(LinkedLibrary):
        def __init__(self, *args):
            super().__init__(*args)
            found.append(self)

    monkeypatch.setattr(JITCPUCodegen, "_library_class", Seen)
    return found


def test_only_the_kernel_becomes_machine_code(libraries, monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYOUT_CACHE", str(tmp_path))
    assert quarter_of(Halves(), 43) == 10
    coded = [library.name for library in libraries if not library.awaits_code]
    assert coded == ["quarter_of"]
    assert [library.name for library in libraries] == ["Halves.half", "Halves.quarter", *coded]


def test_a_kernel_that_another_calls_can_be_called_itself():
    assert outer(10) == 4 * 3
    assert inner(10) == 4


@pytest.mark.parametrize("function", [outer, inner])
def test_an_error_in_what_is_called_is_raised(function):
    with pytest.raises(ValueError, match="below nothing"):
        function(-1)


def test_functions_that_call_each_other_in_a_circle():
    assert [is_even(n) for n in range(4)] == [True, False, True, False]
    assert is_odd(7)
