"""What Numba does beside its work, left undone: the machine code is the same.

Its module of array functions imports SciPy's linear algebra to see whether it is there, a sixth of
the time of a process that only loads machine code; SciPy is always there, and is imported when a
function that needs it is compiled. And of the objects that compiling makes by the million most stay
until it ends: Python's collector, which looks through them again and again, finds little. Flags are
compared, and the variables of instructions listed, a million times: both are told in shorter ways.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from typing import Any

from numba.core import dispatcher, ir
from numba.core.compiler_lock import global_compiler_lock
from numba.core.targetconfig import TargetConfig
from numba.np import linalg

_FunctionCompiler: Any = vars(dispatcher)["_FunctionCompiler"]  # which Numba's types leave out
_ensure_blas = linalg.ensure_blas
_compile = _FunctionCompiler.compile


def save_costs() -> None:
    """To be called once, before anything is compiled."""
    linalg.ensure_blas = _ensure_blas_later
    _FunctionCompiler.compile = _compile_uncollected
    flags: Any = TargetConfig
    flags.__hash__, flags.__eq__ = _hash_of_flags, _equal_flags
    vars(ir)["Inst"]._rec_list_vars = _variables_of


def _ensure_blas_later() -> None:
    # while that module is imported, it does not have this name yet
    if hasattr(sys.modules.get("numba.np.arraymath"), "_HAVE_BLAS"):
        _ensure_blas()


def _compile_uncollected(self: Any, args: Any, return_type: Any) -> Any:
    with global_compiler_lock:  # one thread at a time
        was_on = gc.isenabled()
        gc.disable()
        try:
            return _compile(self, args, return_type)
        finally:
            if was_on:
                gc.enable()


_flags_are_equal = TargetConfig.__eq__
_hashes: dict[type, int] = {}


def _hash_of_flags(self: Any) -> int:
    """Numba's own: of the names of the options, which are those of the class."""
    found = _hashes.get(type(self))
    if found is None:
        found = _hashes[type(self)] = hash(tuple(sorted(self.options)))
    return found


def _equal_flags(self: Any, other: object) -> Any:
    """What is set is the same, mostly; what is set to a default is looked at by Numba."""
    if isinstance(other, type(self)) and self._values == other._values:
        return True
    return _flags_are_equal(self, other)


_NOTHING, _VARIABLE, _INSTRUCTION, _SEVERAL, _NAMED = range(5)
_BY_CLASS: tuple[tuple[Any, int], ...] = (
    (ir.Var, _VARIABLE),
    (vars(ir)["Inst"], _INSTRUCTION),
    ((list, tuple), _SEVERAL),
    (dict, _NAMED),
)
_kinds: dict[type, int] = {}


def _variables_of(self: Any, value: Any) -> list[Any]:
    """The variables in a value of Numba's intermediate form, in their order."""
    found: list[Any] = []
    _gather((value,), found)
    return found


def _gather(values: Iterable[Any], found: list[Any]) -> None:
    for value in values:
        kind = _kinds.get(type(value))
        if kind is None:
            kind = _kinds[type(value)] = _kind_of(value)
        if kind == _VARIABLE:
            found.append(value)
        elif kind == _INSTRUCTION:
            found.extend(value.list_vars())
        elif kind == _SEVERAL:
            _gather(value, found)
        elif kind == _NAMED:
            _gather(value.values(), found)


def _kind_of(value: Any) -> int:
    kinds = (
        (ir.Var, _VARIABLE),
        (ir.Inst, _INSTRUCTION),
        ((list, tuple), _SEVERAL),
        (dict, _NAMED),
    )
    return next((number for kind, number in kinds if isinstance(value, kind)), _NOTHING)
