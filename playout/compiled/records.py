"""States and moves as records: one block of memory each, the same in Python and compiled.

A record's field is read and written as an attribute (`state.score += 1`). NumPy's own records
have methods of many plain names (`item`, `take`, `size`, `max`, ...), which come first. In a
`Record` the fields come first, as in compiled code.

A move or a state may also be a plain number. Nobody can change a number in place: where a method is
to do so, it gets an array of one number. The functions here take that in place of a record.
"""

from __future__ import annotations

import copyreg
import struct
from functools import cache
from keyword import iskeyword
from operator import itemgetter
from typing import Any

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from playout.compiled.kernel import helper
from playout.errors import ProblemError

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
_KINDS = "biufcVO"  # of a field: numbers and records; `check_record` refuses objects
_TAKEN = ("data", "dtype", "view")  # NumPy and Numba read these of a record themselves
_dtype_of = np.void.dtype.__get__

# A Boolean is a byte in memory; Numba asks how wide the numbers of an array field are, and its
# Booleans alone do not say.
types.Boolean.bitwidth = 8


class _RecordType(type):
    """The type of record classes, which pickles them as the names of their fields."""


class Record(np.void, metaclass=_RecordType):  # type: ignore[misc]
    """A NumPy record whose fields come before NumPy's own attributes.

    Each set of names has a class, in which every field is a property.
    """

    __slots__ = ()


@cache
def _record_class(names: tuple[str, ...]) -> Any:
    """The class of records with these fields."""
    fields = {name: property(itemgetter(name), _setter(name)) for name in names}
    return _RecordType("Record", (Record,), {"__slots__": (), **fields})


def _setter(name: str) -> Any:
    """What writes a field, without a look at the name each time."""
    scope: dict[str, Any] = {"write": np.void.__setitem__}
    source = f"def field(record, value): write(record, {name!r}, value)"
    exec(compile(source, "<field>", "exec"), scope)
    return scope["field"]


def _reduced(cls: type) -> tuple[Any, ...]:
    names = (name for name, value in vars(cls).items() if isinstance(value, property))
    return _record_class, (tuple(names),)


copyreg.pickle(_RecordType, _reduced)


def record(**fields: Any) -> np.dtype:
    """A record type from names and NumPy types, an array field as `(type, shape)`.

    >>> record(score="f8", taken=("i1", 4)).itemsize
    12
    """
    parts: list[tuple] = []
    for name, kind in fields.items():
        part = (name, *kind) if isinstance(kind, tuple) else (name, kind)
        _check_part(part)
        parts.append(part)
    plain = check_record(np.dtype((Record, parts)))
    return np.dtype((_record_class(plain.names or ()), parts))


def _check_part(part: tuple) -> None:
    """Refuse what is no type of a field, with the field's name."""
    try:
        fit = np.dtype([part])[0].base.kind in _KINDS
    except (TypeError, ValueError):
        fit = False
    if not fit:
        name, *kind = part
        told = repr(tuple(kind)) if len(kind) > 1 else repr(kind[0]) if kind else "()"
        raise ProblemError(
            f"a record has a field {name!r} of type {told}: give NumPy's name of a number's type, "
            'such as "i8", "f8" or "?", and for an array (type, shape), such as ("i1", (3, 3))'
        )


def check_record(dtype: np.dtype, what: str = "a record") -> np.dtype:
    """Refuse what the two forms of a problem would see differently."""
    if dtype.names is None:
        raise ProblemError(f"{what} must have named fields, as playout.record(name=type) makes")
    for name in dtype.names:
        if not name.isidentifier() or iskeyword(name) or name.startswith("__"):
            raise ProblemError(
                f"{what} has a field named {name!r}, which is no name for an attribute in Python"
            )
        if name in _TAKEN:
            raise ProblemError(
                f"{what} has a field named {name!r}, which NumPy itself asks of every record: "
                "choose another name"
            )
        base = dtype[name].base
        if base.names is not None:
            check_record(base, f"{what}.{name}")
        elif base.hasobject:
            raise ProblemError(f"{what} has a field {name!r} of Python objects; use numbers")
    if not issubclass(dtype.type, Record):
        raise ProblemError(f"{what} must be a record type: make it with playout.record(...)")
    return dtype


def is_number(kind: Any) -> bool:
    """Whether a type of states or moves is one of plain numbers, such as "i8"."""
    return not isinstance(kind, np.dtype) or kind.names is None


def check_type(kind: Any, what: str) -> None:
    """Refuse a type of states or moves that is neither a record's nor a number's."""
    try:
        dtype = np.dtype(object if kind is None else kind)
    except (TypeError, ValueError):
        dtype = np.dtype(object)
    if dtype.names is not None:
        check_record(dtype, what)
    elif dtype.kind not in "biuf" or dtype.shape:
        raise ProblemError(
            f"{what} is {kind!r}; make it with playout.record(...), or give a number's type such "
            'as "i8"'
        )


# in plain Python only


def bytes_of(item: Any) -> bytes:
    """The bytes of a record or a number, whatever its fields are called."""
    return np.generic.tobytes(item)


def copy_of(item: Any) -> Any:
    """A record of its own with the same contents; a number is one already."""
    return np.generic.copy(item)


def copy_of_states(states: np.ndarray) -> np.ndarray:
    """An array of states of its own: bytes, where NumPy would copy field by field."""
    if not _is_block(states):
        return states.copy()
    copied = np.empty_like(states)
    copied.view(np.uint8)[:] = states.view(np.uint8)
    return copied


def put_states(states: np.ndarray, source: np.ndarray) -> None:
    """Write states over as many others of the same type."""
    if states.dtype == source.dtype and _is_block(states) and _is_block(source):
        states.view(np.uint8)[:] = source.view(np.uint8)
    else:
        states[:] = source


def _is_block(states: np.ndarray) -> bool:
    return bool(states.flags.c_contiguous) and not states.dtype.hasobject


# in both forms


@intrinsic
def _pointer(typingctx: Any, item: Any) -> Any:
    if not isinstance(item, types.Record):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], cgutils.voidptr_t)

    return types.voidptr(item), codegen


def in_place(items: Any, i: int) -> Any:
    """What a method may change to change `items[i]`: the record, or an array of one number."""
    item = items[i]
    return item if isinstance(item, np.void | np.ndarray) else items[i : i + 1]


@overload(in_place, strict=False)
def _in_place_compiled(items: Any, i: Any) -> Any:
    if isinstance(items.dtype, types.Record):
        return lambda items, i: items[i]
    return lambda items, i: items[i : i + 1]


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


def _is_number(item: Any) -> bool:
    return isinstance(item, types.Integer | types.Float | types.Boolean)


def _is_one_number(item: Any) -> bool:
    return isinstance(item, types.Array) and item.ndim == 1 and _is_number(item.dtype)


def copy_record(source: Any, target: Any) -> None:
    """Write one record over another of the same type."""
    if isinstance(target, np.ndarray):
        target[:] = source
    else:
        for name in _dtype_of(source).names:
            target[name] = source[name]


@overload(copy_record, strict=False)
def _copy_record_compiled(source: Any, target: Any) -> Any:
    if _is_one_number(target):
        return _fill
    if not isinstance(source, types.Record) or source != target:
        return None
    length = source.size

    def implementation(source: Any, target: Any) -> Any:
        data = carray(_pointer(source), length, np.uint8)
        out = carray(_pointer(target), length, np.uint8)
        for i in range(length):
            out[i] = data[i]

    return implementation


def _fill(source: Any, target: Any) -> None:
    target[:] = source


def same_record(one: Any, other: Any) -> bool:
    """Whether two records of the same type are the same bytes, or two numbers equal."""
    if isinstance(one, np.void):
        return isinstance(other, np.void) and bytes_of(one) == bytes_of(other)
    return isinstance(other, int | float | np.generic) and bool(one == other)


@overload(same_record, strict=False)
def _same_record_compiled(one: Any, other: Any) -> Any:
    if _is_number(one) and _is_number(other):
        return lambda one, other: one == other
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


def _number_word(number: Any) -> Any:
    """The 64 bits of a number, the same however wide its type is."""
    if isinstance(number, float | np.floating):
        return int.from_bytes(struct.pack("<d", number), "little")
    return int(number) & _WORD


@overload(_number_word, strict=False)
def _number_word_compiled(number: Any) -> Any:
    if isinstance(number, types.Float):
        return lambda number: np.float64(number).view(np.uint64)
    return lambda number: np.uint64(np.int64(number))


def _plain_bytes(item: Any) -> bytes:
    if isinstance(item, np.void):
        return bytes_of(item)
    number = item[0] if isinstance(item, np.ndarray) else item
    return int(_number_word(number)).to_bytes(8, "little")


def hash_record(item: Any) -> np.uint64:
    """A 64-bit hash of a record's bytes: the default `code` and `key`."""
    # with Python's own integers, ten times as fast as with NumPy's
    data = _plain_bytes(item)
    value = _GOLDEN
    for i in range(0, len(data), 8):
        z = value ^ int.from_bytes(data[i : i + 8], "little")
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        value = z ^ (z >> 31)
    return np.uint64(value)


@overload(hash_record, strict=False)
def _hash_record_compiled(item: Any) -> Any:
    if _is_number(item):
        return lambda item: mix(np.uint64(_GOLDEN) ^ _number_word(item))
    if _is_one_number(item):
        return lambda item: mix(np.uint64(_GOLDEN) ^ _number_word(item[0]))
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
    data = _plain_bytes(item)
    for i in range(len(out)):
        out[i] = int.from_bytes(data[8 * i : 8 * i + 8], "little")


@overload(record_words, strict=False)
def _record_words_compiled(item: Any, out: Any) -> Any:
    if _is_one_number(item):
        return _write_number
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


def _write_number(item: Any, out: Any) -> None:
    out[:] = 0
    out[0] = _number_word(item[0])
