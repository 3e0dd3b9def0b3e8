"""`exp` as a polynomial: the same bits on every processor, and fast over an array.

The argument is split as k ln 2 + r with |r| <= ln 2 / 2 (Cody and Waite) and e^r is a Taylor
polynomial of degree 10, whose relative error is below 1e-12. There is no branch and no fused
multiply-add, so that LLVM makes vector instructions of the loop without changing a bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from playout.compiled.kernel import helper

_MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer
_LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10

# the exponentials of differences to the highest number are 1 at most; of NaN, and of differences of
# infinite numbers, exp makes more than this
SUM_OF_NONSENSE = 1e300


@intrinsic
def _float_to_bits(typingctx: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), codegen


@intrinsic
def _bits_to_float(typingctx: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


def _power_of_two(shifted: float) -> float:
    """2^k, where `shifted` is k + _MAGIC."""
    return 2.0 ** (shifted - _MAGIC)


@overload(_power_of_two)
def _power_of_two_compiled(shifted: Any) -> Any:
    def implementation(shifted: Any) -> Any:
        return _bits_to_float((_float_to_bits(shifted) + 1023) << 52)

    return implementation


@helper
def exp(x: float) -> float:
    """e^x; arguments beyond +-700 count as +-700, and NaN as 700."""
    x = x if x < 700.0 else 700.0
    x = x if x > -700.0 else -700.0
    shifted = x * _LOG2E + _MAGIC
    k = shifted - _MAGIC
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return p * _power_of_two(shifted)


@helper
def exp_all(x: np.ndarray, n: int) -> None:
    """Replace the first n values of x by their exponentials."""
    for i in range(n):
        x[i] = exp(x[i])
