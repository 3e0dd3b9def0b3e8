"""A digest of all that the compiled form of a function or class depends on.

It covers the bytecode and constants of every method, of every helper that these call
(compiled or not, in any module), and the values of the global constants that they read.
Numba's own cache looks at one source file only; this is what makes ours never stale.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import types as pytypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

# modules whose contents go with their version, not with their text
_LIBRARIES = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}


def digest_of_class(cls: type) -> str:
    """Digest of the methods and fields of a `Compiled` class."""
    state = _Digest()
    state.text(repr(getattr(cls, "fields", ())))
    for name in dir(cls):
        value = inspect.getattr_static(cls, name)
        if not name.startswith("__") and isinstance(value, pytypes.FunctionType):
            state.text(name)
            state.function(value)
    return state.finish()


def digest_of_function(function: Any) -> str:
    """Digest of one function, its helpers and its constants."""
    state = _Digest()
    state.value(function)
    return state.finish()


@cache
def digest_of_bridge() -> str:
    """Digest of the sources of this folder, which decide how everything is compiled."""
    h = hashlib.blake2b(digest_size=10)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        h.update(path.read_bytes())
    return h.hexdigest()


class _Digest:
    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=10)
        self._seen: set[int] = set()

    def finish(self) -> str:
        return self._hash.hexdigest()

    def text(self, text: str) -> None:
        self._hash.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def value(self, value: Any) -> None:
        if isinstance(value, Dispatcher):
            value = value.py_func
        elif isinstance(value, _Intrinsic):
            value = value._defn
        if isinstance(value, pytypes.FunctionType):
            self.function(value)
        elif isinstance(value, np.ndarray):
            self.text(f"{value.dtype!r}{value.shape}")
            self._hash.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, tuple | list):
            self.text(f"{type(value).__name__}{len(value)}")
            for item in value:
                self.value(item)
        elif isinstance(value, int | float | complex | str | bytes | np.generic | np.dtype):
            self.text(f"{type(value).__name__}{value!r}")
        elif isinstance(value, type | pytypes.ModuleType | pytypes.BuiltinFunctionType):
            self.text(getattr(value, "__module__", None) or "" + value.__name__)
        else:
            self.text(type(value).__qualname__)

    def function(self, function: pytypes.FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        module = (function.__module__ or "").split(".")[0]
        if module in _LIBRARIES:
            self.text(f"{function.__module__}.{function.__qualname__}")
            return
        self.value(function.__defaults__ or ())
        names = self._code(function.__code__)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
        scope = {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
        for name in sorted(names):
            if name in scope:
                self._named(name, scope[name], names)
            elif name in function.__globals__:
                self._named(name, function.__globals__[name], names)

    def _named(self, name: str, value: Any, names: set[str]) -> None:
        self.text(name)
        self.value(value)
        if isinstance(value, pytypes.ModuleType):
            if value.__name__.split(".")[0] in _LIBRARIES or id(value) in self._seen:
                return
            self._seen.add(id(value))
            # `module.CONSTANT` and `module.helper(...)`: the names that the code mentions
            for attribute in sorted(names & vars(value).keys()):
                self._named(attribute, vars(value)[attribute], names)

    def _code(self, code: pytypes.CodeType) -> set[str]:
        """Add a code object; return the names that it and its inner functions look up."""
        self._hash.update(code.co_code)
        names = set(code.co_names) | set(code.co_freevars)
        self.text(repr(code.co_names) + repr(code.co_varnames[: code.co_argcount]))
        for const in code.co_consts:
            if isinstance(const, pytypes.CodeType):
                names |= self._code(const)
            else:
                self.value(const)
        return names


def _is_filled(cell: pytypes.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
