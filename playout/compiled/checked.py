"""Compiled code that checks itself, with PLAYOUT_CHECKED=1 in the environment; slower.

An index out of bounds raises IndexError, in place of reading anything. A number that is written to
a field or an array in which it has no room raises OverflowError, in place of losing its high bits:
an `i1` that is counted past 127. What is 64 bits wide wraps round as ever, as hashes want it to,
and so does what is written a slice at a time.
"""

from __future__ import annotations

import operator
import os
from typing import Any

from llvmlite import ir
from numba import config
from numba.core import types as numba_types
from numba.core.imputils import lower_builtin, lower_setattr_generic
from numba.core.typing import signature
from numba.core.typing.context import BaseContext
from numba.np import arrayobj

types: Any = numba_types  # whose stubs know a part of them
CHECKED = os.environ.get("PLAYOUT_CHECKED", "0") not in ("", "0")


def check_everything() -> None:
    """From now on, let what is compiled check itself."""
    config.BOUNDSCHECK = 1  # a part of the disk cache's key
    # of two definitions for the same types Numba takes the later one
    lower_setattr_generic(types.Record)(_set_field)
    lower_builtin(operator.setitem, types.Buffer, types.Any, types.Any)(_set_item)
    _let_fields_be_given_all()


def _let_fields_be_given_all() -> None:
    """Let a number come to where it is written as it is, not made narrow on the way."""
    usual = BaseContext.resolve_setattr

    def resolve(self: Any, target: Any, attr: str, value: Any) -> Any:
        found = usual(self, target, attr, value)
        if found is None or not isinstance(target, types.Record):
            return found
        numbers = all(isinstance(one, types.Integer) for one in (value, found.args[1]))
        return signature(types.void, target, types.unliteral(value)) if numbers else found

    BaseContext.resolve_setattr = resolve


def _set_field(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> Any:
    record, value = sig.args
    _trap(context, builder, args[1], value, record.typeof(attr), f"the field {attr}")
    return arrayobj.record_setattr(context, builder, sig, args, attr)


def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, _, value = sig.args
    _trap(context, builder, args[2], value, array.dtype, "an array")
    return arrayobj.setitem_array(context, builder, sig, args)


def _trap(context: Any, builder: Any, value: Any, source: Any, target: Any, where: str) -> None:
    """Raise OverflowError if an integer does not fit into a narrower type."""
    source, given = types.unliteral(source), source
    if not isinstance(source, types.Integer) or not isinstance(target, types.Integer):
        return
    if target.bitwidth >= 64 or (source.minval >= target.minval and source.maxval <= target.maxval):
        return
    value = context.cast(builder, value, given, source)
    bad: Any = ir.Constant(ir.IntType(1), 0)
    compare = builder.icmp_signed if source.signed else builder.icmp_unsigned
    for sign, bound in ((">", target.maxval), ("<", target.minval)):
        if source.minval <= bound <= source.maxval:
            limit = ir.Constant(value.type, bound)
            bad = builder.or_(bad, compare(sign, value, limit))
    text = f"a number has no room in {where} of {target}, from {target.minval} to {target.maxval}"
    with builder.if_then(bad, likely=False):
        context.call_conv.return_user_exc(builder, OverflowError, (text,))
