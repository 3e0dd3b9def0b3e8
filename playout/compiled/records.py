"""States and moves as records: one block of memory each, the same in Python and compiled.

A record's field is read and written as an attribute (`state.score += 1`), so its name must
not be one that NumPy's scalars already have (`size`, `data`, `max`, ...): plain Python would
read the wrong thing without a word. `record` refuses those names.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from playout.compiled.kernel import helper
from playout.errors import ProblemError

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


def record(**fields: Any) -> np.dtype:
    """A record type from names and NumPy types, an array field as `(type, shape)`.

    >>> record(score="f8", taken=("i1", 4)).itemsize
    12
    """
    parts: list[tuple] = []
    for name, kind in fields.items():
        if isinstance(kind, tuple) and not isinstance(kind, np.dtype):
            parts.append((name, *kind))
        else:
            parts.append((name, kind))
    return check_record(np.dtype((np.record, parts)))


def check_record(dtype: np.dtype, what: str = "a record") -> np.dtype:
    """Refuse what the two forms of a problem would see differently."""
    if dtype.names is None:
        raise ProblemError(f"{what} must have named fields, as playout.record(name=type) makes")
    for name in dtype.names:
        if hasattr(np.record, name):
            raise ProblemError(
                f"{what} has a field named {name!r}, which NumPy records already use for "
                "something else: choose another name"
            )
        base = dtype[name].base
        if base.names is not None:
            check_record(base, f"{what}.{name}")
        elif base.hasobject:
            raise ProblemError(f"{what} has a field {name!r} of Python objects; use numbers")
    if dtype.type is not np.record:
        raise ProblemError(f"{what} must be a record type: make it with playout.record(...)")
    return dtype


@intrinsic
def _pointer(typingctx: Any, item: Any) -> Any:
    if not isinstance(item, types.Record):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], cgutils.voidptr_t)

    return types.voidptr(item), codegen


@helper
def mix(value: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    z = np.uint64(value)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@helper
def lower_words(words: Any, others: Any) -> bool:
    """Whether words come before others of the same number."""
    for i in range(len(words)):
        if words[i] != others[i]:
            return words[i] < others[i]
    return False


def copy_record(source: Any, target: Any) -> None:
    """Write one record over another of the same type."""
    for name in source.dtype.names:
        target[name] = source[name]


@overload(copy_record, strict=False)
def _copy_record_compiled(source: Any, target: Any) -> Any:
    if not isinstance(source, types.Record) or source != target:
        return None
    length = source.size

    def implementation(source: Any, target: Any) -> Any:
        data = carray(_pointer(source), length, np.uint8)
        out = carray(_pointer(target), length, np.uint8)
        for i in range(length):
            out[i] = data[i]

    return implementation


def same_record(one: Any, other: Any) -> bool:
    """Whether two records of the same type are the same bytes."""
    return bool(one.tobytes() == other.tobytes())


@overload(same_record, strict=False)
def _same_record_compiled(one: Any, other: Any) -> Any:
    if not isinstance(one, types.Record) or one != other:
        return None
    length = one.size

    def implementation(one: Any, other: Any) -> Any:
        a = carray(_pointer(one), length, np.uint8)
        b = carray(_pointer(other), length, np.uint8)
        same = True
        for i in range(length):
            same &= a[i] == b[i]
        return same

    return implementation


def hash_record(item: Any) -> np.uint64:
    """A 64-bit hash of a record's bytes: the default `code` and `key`."""
    # with Python's own integers, ten times as fast as with NumPy's
    data = item.tobytes()
    value = _GOLDEN
    for i in range(0, len(data), 8):
        z = value ^ int.from_bytes(data[i : i + 8], "little")
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        value = z ^ (z >> 31)
    return np.uint64(value)


@overload(hash_record, strict=False)
def _hash_record_compiled(item: Any) -> Any:
    if not isinstance(item, types.Record):
        return None
    length = item.size

    def implementation(item: Any) -> Any:
        data = carray(_pointer(item), length, np.uint8)
        value = np.uint64(_GOLDEN)
        for i in range(0, length, 8):
            word = np.uint64(0)
            for j in range(min(8, length - i)):
                word |= np.uint64(data[i + j]) << np.uint64(8 * j)
            value = mix(value ^ word)
        return value

    return implementation


def record_words(item: Any, out: Any) -> None:
    """Write a record's bytes into an array of 64-bit words, zeros behind the last."""
    data = item.tobytes()
    for i in range(len(out)):
        out[i] = int.from_bytes(data[8 * i : 8 * i + 8], "little")


@overload(record_words, strict=False)
def _record_words_compiled(item: Any, out: Any) -> Any:
    if not isinstance(item, types.Record):
        return None
    length = item.size

    def implementation(item: Any, out: Any) -> Any:
        data = carray(_pointer(item), length, np.uint8)
        for i in range(len(out)):
            word = np.uint64(0)
            for j in range(8 * i, min(8 * i + 8, length)):
                word |= np.uint64(data[j]) << np.uint64(8 * (j - 8 * i))
            out[i] = word

    return implementation
