"""Sets of cells as bits of a 64-bit word: what games need of them, at one instruction each.

The words are `np.uint64`. Mixed with signed numbers Numba would make them something else, so
write `np.uint64(1) << np.uint64(cell)`, or keep such words and shifts as fields of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from playout.compiled.kernel import helper


def lowest_bit(word: Any) -> int:
    """The number of the lowest bit that is set; the word must not be 0.

    >>> lowest_bit(np.uint64(0b1000))
    3
    """
    bits = int(word)
    return (bits & -bits).bit_length() - 1


def count_bits(word: Any) -> int:
    """How many bits are set.

    >>> count_bits(np.uint64(0b1011))
    3
    """
    return int(word).bit_count()


@helper
def bit(number: int) -> np.uint64:
    """The word in which bit `number`, from 0 to 63, is set.

    >>> bit(3)
    np.uint64(8)
    """
    return np.uint64(1) << np.uint64(number)


@helper
def without_lowest(word: np.uint64) -> np.uint64:
    """The word without its lowest bit; 0 stays 0.

    >>> without_lowest(np.uint64(0b1100))
    np.uint64(8)
    """
    return word & (word - np.uint64(1))


@intrinsic
def _trailing_zeros(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def _population(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@overload(lowest_bit, strict=False)
def _lowest_bit_compiled(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _trailing_zeros(np.uint64(word))

    return implementation


@overload(count_bits, strict=False)
def _count_bits_compiled(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _population(np.uint64(word))

    return implementation
