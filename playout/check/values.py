"""How `check_problem` compares values and shows them to a person."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_TOLERANCE = (
    1e-9  # the library's sums and logarithms differ from the compiled ones in the last bits
)


def is_finite(value: Any) -> bool:
    """Whether a value is a real number, neither infinite nor NaN."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        return False
    return not isinstance(value, np.complexfloating) and math.isfinite(value)


def close(a: Any, b: Any) -> bool:
    """Whether two results are the same but for rounding."""
    if not is_finite(a) or not is_finite(b):
        return bool(a == b) or (a != a and b != b)
    return math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def same_bytes(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are equal bit for bit."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def shown(value: Any) -> str:
    """A value and its type, short."""
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} (a {type(value).__name__})"


def difference(
    before: np.ndarray, after: np.ndarray, what: str = "", rounding: bool = False
) -> str:
    """The first field in which two arrays of one record differ, in words; empty if in none.

    `what` is a name for the record. With `rounding`, floating-point fields may differ in their
    last bits.
    """
    if before.dtype.names is not None:
        return _difference(before[0], after[0], f"{what}." if what else "", rounding)
    one, other = before.flat[0], after.flat[0]
    if one.tobytes() == other.tobytes() or (rounding and close(one, other)):
        return ""
    return f"{what or 'it'} is {one} and {other}"


def _difference(a: Any, b: Any, prefix: str, rounding: bool) -> str:
    for name in a.dtype.names:
        one, two = a[name], b[name]
        if np.asarray(one).tobytes() == np.asarray(two).tobytes():
            continue
        base = a.dtype[name].base
        if base.names is not None:
            ones, twos = np.ravel(one), np.ravel(two)
            for i in range(len(ones)):
                label = f"{prefix}{name}[{i}]." if np.ndim(one) else f"{prefix}{name}."
                if said := _difference(ones[i], twos[i], label, rounding):
                    return said
            continue
        flat, other = np.ravel(one), np.ravel(two)
        for i in range(len(flat)):
            x, y = flat[i], other[i]
            if x.tobytes() == y.tobytes():
                continue
            if rounding and base.kind == "f" and close(float(x), float(y)):
                continue
            where = (
                f"[{', '.join(map(str, np.unravel_index(i, one.shape)))}]" if np.ndim(one) else ""
            )
            return f"{prefix}{name}{where} is {x} and {y}"
    return ""
