"""A digest of all that the compiled form of a function or class depends on.

It covers the bytecode and constants of every method, of every helper that these call
(compiled or not, in any module), and the values of the global constants that they read.
Numba's own cache looks at one source file only; this is what makes ours never stale.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import os
import types as pytypes
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

# Folders whose contents go with a version, not with their text. A name would not do: a user's
# own file may be called like a module of the standard library.
_LIBRARIES = tuple(
    os.path.dirname(os.path.realpath(str(module.__file__))) + os.sep
    for module in (os, np, numba, llvmlite)
)
_SITE_PACKAGES = os.sep + "site-packages" + os.sep


@cache
def _is_library(path: str | None) -> bool:
    """Whether a file belongs to Python, NumPy or Numba; things built in have no file."""
    if path is None:
        return True
    path = os.path.realpath(path)
    if path.startswith(_LIBRARIES[1:]):
        return True
    return path.startswith(_LIBRARIES[0]) and _SITE_PACKAGES not in path


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
        self._seen: set[tuple[int, str]] = set()

    def finish(self) -> str:
        return self._hash.hexdigest()

    def text(self, text: str) -> None:
        self._hash.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def value(self, value: Any) -> None:
        if isinstance(value, Dispatcher):
            self.text(repr(sorted(value.targetoptions.items(), key=str)))
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
        elif isinstance(value, frozenset | set):  # `x in {1, 2}` makes a constant of the set
            self.text(f"{type(value).__name__}{sorted(map(repr, value))}")
        elif isinstance(value, dict):
            self.text(f"dict{len(value)}")
            for name, item in value.items():
                self.value(name)
                self.value(item)
        elif isinstance(value, enum.Enum):
            self.text(f"{type(value).__qualname__}.{value.name}")
            self.value(value.value)
        elif isinstance(value, enum.EnumType):
            self.value(list(value))
        elif isinstance(
            value, int | float | complex | str | bytes | np.generic | np.dtype | numba.types.Type
        ):
            self.text(f"{type(value).__name__}{value!r}")
        else:  # classes, modules, built-in functions, ufuncs: by name
            name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
            self.text(f"{type(value).__qualname__} {getattr(value, '__module__', None)}.{name}")

    def function(self, function: pytypes.FunctionType) -> None:
        if not self._is_new(function):
            return
        code = function.__code__
        if _is_library(code.co_filename):
            self.text(f"{function.__module__}.{function.__qualname__}")
            return
        self.value(function.__defaults__ or ())
        self.value(function.__kwdefaults__ or {})
        names = self._code(code)
        cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
        scope = {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
        for name in sorted(names):
            if name in scope:
                self._named(name, scope[name], names)
            elif name in function.__globals__:
                self._named(name, function.__globals__[name], names)

    def _named(self, name: str, value: Any, names: set[str]) -> None:
        self.text(name)
        self.value(value)
        if isinstance(value, pytypes.ModuleType) and not _is_library(_file_of(value)):
            # `module.CONSTANT` and `module.helper(...)`: the names that the code mentions
            for attribute in sorted(names & vars(value).keys()):
                if self._is_new(value, attribute):
                    self._named(attribute, vars(value)[attribute], names)

    def _is_new(self, thing: Any, attribute: str = "") -> bool:
        key = id(thing), attribute
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _code(self, code: pytypes.CodeType) -> set[str]:
        """Add a code object; return the names that it and its inner functions look up."""
        self._hash.update(code.co_code + code.co_exceptiontable)
        names = set(code.co_names) | set(code.co_freevars)
        arguments = code.co_argcount + code.co_kwonlyargcount
        self.text(repr(code.co_names) + repr(code.co_varnames[:arguments]))
        for const in code.co_consts:
            if isinstance(const, pytypes.CodeType):
                names |= self._code(const)
            else:
                self.value(const)
        return names


def _file_of(module: pytypes.ModuleType) -> str | None:
    if module.__name__ == "__main__":
        return ""  # an interactive session has no file, but is the user's own
    return getattr(module, "__file__", None)


def _is_filled(cell: pytypes.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
