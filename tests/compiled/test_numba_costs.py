"""What Numba does beside its work is left undone, and linear algebra is compiled as ever."""

from __future__ import annotations

import gc
import subprocess
import sys
from unittest import mock

import numpy as np
from numba.core import ir
from numba.core.compiler import Flags, run_frontend

from playout.algorithms.nested_policy import NestedPolicySearch
from playout.compiled import kernel

FIRST_PLAYOUT = """
import sys
import playout as po
po.solve("maximum:n=9", "random", "5 playouts", seed=1)
assert "numba.np.arraymath" in sys.modules
assert "scipy.linalg" not in sys.modules
"""


def test_a_first_playout_needs_no_linear_algebra():
    subprocess.run([sys.executable, "-c", FIRST_PLAYOUT], check=True)


def test_linear_algebra_is_there_when_it_is_needed():
    @kernel
    def product(a, b):
        return np.dot(a, b)

    assert product(np.arange(3.0), np.arange(3.0)) == 5.0
    assert "scipy.linalg" in sys.modules


def test_the_collector_is_as_it_was():
    @kernel
    def twice(number):
        return 2 * number

    for is_on in (True, False):
        (gc.enable if is_on else gc.disable)()
        try:
            assert twice(1 if is_on else 1.5) == (2 if is_on else 3.0)
            assert gc.isenabled() == is_on
        finally:
            gc.enable()


def test_the_variables_of_instructions_are_those_that_numba_lists():
    """All kinds of instructions, of functions of Numba's own and of the package."""
    inst = vars(ir)["Inst"]
    seen = 0
    for function in (_everything, NestedPolicySearch.playout, NestedPolicySearch.retrace):
        blocks = run_frontend(function).blocks
        for instruction in (one for block in blocks.values() for one in block.body):
            listed = instruction.list_vars()
            with mock.patch.object(inst, "_rec_list_vars", _rec_list_vars):
                assert listed == instruction.list_vars()
            seen += len(listed)
    assert seen > 100


def _everything(values, more):
    """Calls, loops, tuples, keywords, slices, unpacking, raising."""
    found = [(one, two) for one, two in zip(values[1:-1], more, strict=True) if one != two]
    for place, (one, two) in enumerate(found):
        values[place], more[place] = max(one, two, key=abs), {"a": one, "b": two}
        del one
    if not found:
        raise ValueError(values, more)
    return sorted(found, key=None, reverse=place > 1)


def _rec_list_vars(self, val):
    """Numba's rule in the plainest form."""
    if isinstance(val, ir.Var):
        return [val]
    if isinstance(val, vars(ir)["Inst"]):
        return val.list_vars()
    if isinstance(val, dict):
        val = list(val.values())
    if isinstance(val, list | tuple):
        return [one for part in val for one in _rec_list_vars(self, part)]
    return []


def test_flags_are_equal_if_all_their_values_are():
    plain, same, default, other = Flags(), Flags(), Flags(), Flags()
    default.nrt = Flags().nrt  # set, to what it is anyway
    other.nrt = not Flags().nrt
    assert plain == same == default != other
    assert hash(plain) == hash(same) == hash(default)
    assert plain != 1
    assert len({plain, default, other}) == 2
