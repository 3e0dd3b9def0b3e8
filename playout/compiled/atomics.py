"""Atomic operations on arrays of int64, for kernels that share arrays between threads.

All are sequentially consistent and never lock. As plain Python they are ordinary reads and writes,
which is right there: interpreted searches run in one thread. An index is not checked.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import basic_indexing, make_array, normalize_indices

_ORDER = "seq_cst"


def fetch_add(array: np.ndarray, index: Any, value: int) -> Any:
    """Add to `array[index]`; the value before. `index` is an int, or a tuple of them."""
    before = array[index]
    array[index] += value
    return before


def load(array: np.ndarray, index: Any) -> Any:
    """`array[index]`, as other threads have last written it."""
    return array[index]


def store(array: np.ndarray, index: Any, value: int) -> None:
    """Set `array[index]`; whoever reads the value sees all that was written before it."""
    array[index] = value


def compare_exchange(array: np.ndarray, index: Any, expected: int, value: int) -> bool:
    """Set `array[index]` to `value` if it is `expected`; whether it was."""
    if array[index] != expected:
        return False
    array[index] = value
    return True


def raise_to(array: np.ndarray, index: Any, value: float) -> None:
    """Set `array[index]`, a float64, to `value` if that is higher."""
    array[index] = max(array[index], value)


def fetch(array: np.ndarray, index: Any) -> None:
    """Tell the processor that `array[index]` is read soon; it changes nothing but the time."""


def pause() -> None:
    """Tell the processor that this is a loop that waits for another thread."""


def give_way() -> None:
    """Let another thread have the processor, if one is waiting for it."""


def nap() -> None:
    """Sleep for some fifty microseconds, when what is waited for is not about to come."""


def _is_place(array: Any, index: Any, dtype: Any = types.int64) -> bool:
    """Whether these types name one element of an array of int64, or of another type."""
    if not isinstance(array, types.Array) or array.dtype != dtype or not array.mutable:
        return False
    parts = list(index) if isinstance(index, types.BaseTuple) else [index]
    return len(parts) == array.ndim and all(isinstance(part, types.Integer) for part in parts)


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of an element, found as Numba itself does for `array[index]`."""
    array_type, index_type = signature.args[:2]
    array = make_array(array_type)(context, builder, args[0])
    if isinstance(index_type, types.BaseTuple):
        index_types = tuple(index_type)
        indices = cgutils.unpack_tuple(builder, args[1], len(index_types))
    else:
        index_types, indices = (index_type,), [args[1]]
    index_types, indices = normalize_indices(context, builder, index_types, indices)
    data, _, _ = basic_indexing(
        context, builder, array_type, array, index_types, indices, boundscheck=False
    )
    return data


@intrinsic
def _fetch_add(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    if not _is_place(array, index):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw(
            "add", _pointer(context, builder, signature, args), args[2], _ORDER
        )

    return types.int64(array, index, types.int64), codegen


@intrinsic
def _load(typingctx: Any, array: Any, index: Any) -> Any:
    if not _is_place(array, index):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, args), _ORDER, 8)

    return types.int64(array, index), codegen


@intrinsic
def _store(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    if not _is_place(array, index):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _pointer(context, builder, signature, args), _ORDER, 8)
        return context.get_dummy_value()

    return types.void(array, index, types.int64), codegen


@intrinsic
def _compare_exchange(typingctx: Any, array: Any, index: Any, expected: Any, value: Any) -> Any:
    if not _is_place(array, index):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature, args)
        outcome = builder.cmpxchg(place, args[2], args[3], _ORDER, _ORDER)
        return builder.extract_value(outcome, 1)

    return types.boolean(array, index, types.int64, types.int64), codegen


@intrinsic
def _fetch(typingctx: Any, array: Any, index: Any) -> Any:
    if not _is_place(array, index):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i32 = ir.IntType(32)
        place = builder.bitcast(
            _pointer(context, builder, signature, args), ir.IntType(8).as_pointer()
        )
        call = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [place.type], call)
        builder.call(hint, [place, i32(0), i32(3), i32(1)])  # to read, for all caches, data
        return context.get_dummy_value()

    return types.void(array, index), codegen


@intrinsic
def _raise_to(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    if not _is_place(array, index, types.float64):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature, args)
        builder.atomic_rmw("fmax", place, args[2], _ORDER)
        return context.get_dummy_value()

    return types.void(array, index, types.float64), codegen


def _function(builder: Any, kind: Any, name: str) -> Any:
    return cgutils.get_or_insert_function(builder.module, kind, name)


@intrinsic
def _pause(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # by LLVM's names for the instructions: Numba's LLVM has no assembler to ask
        triple, i32 = builder.module.triple, ir.IntType(32)
        if triple.startswith(("x86_64", "i686")):
            hint = ir.FunctionType(ir.VoidType(), [])
            builder.call(_function(builder, hint, "llvm.x86.sse2.pause"), [])
        elif triple.startswith(("aarch64", "arm64")):
            hint = ir.FunctionType(ir.VoidType(), [i32])
            builder.call(_function(builder, hint, "llvm.aarch64.hint"), [i32(1)])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def _give_way(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # by the system's own name: the linker finds it in the process
        name = "SwitchToThread" if os.name == "nt" else "sched_yield"
        call = ir.FunctionType(ir.IntType(32), [])
        builder.call(_function(builder, call, name), [])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def _nap(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name, amount = ("Sleep", 0) if os.name == "nt" else ("usleep", 20)  # and what waking takes
        i32 = ir.IntType(32)
        call = ir.FunctionType(ir.VoidType() if os.name == "nt" else i32, [i32])
        builder.call(_function(builder, call, name), [i32(amount)])
        return context.get_dummy_value()

    return types.void(), codegen


@overload(fetch_add, strict=False)
def _fetch_add_compiled(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _fetch_add(array, index, value)


@overload(load, strict=False)
def _load_compiled(array: Any, index: Any) -> Any:
    return lambda array, index: _load(array, index)


@overload(store, strict=False)
def _store_compiled(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _store(array, index, value)


@overload(compare_exchange, strict=False)
def _compare_exchange_compiled(array: Any, index: Any, expected: Any, value: Any) -> Any:
    return lambda array, index, expected, value: _compare_exchange(array, index, expected, value)


@overload(fetch, strict=False)
def _fetch_compiled(array: Any, index: Any) -> Any:
    return lambda array, index: _fetch(array, index)


@overload(pause, strict=False)
def _pause_compiled() -> Any:
    return lambda: _pause()


@overload(raise_to, strict=False)
def _raise_to_compiled(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _raise_to(array, index, value)


@overload(give_way, strict=False)
def _give_way_compiled() -> Any:
    return lambda: _give_way()


@overload(nap, strict=False)
def _nap_compiled() -> Any:
    return lambda: _nap()
