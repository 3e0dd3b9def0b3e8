"""Turns a failure of compiled code into the user's own line and a plain reason.

`friendly()` stands around every call of a kernel. A method that cannot be compiled becomes a
`CompileError` with the file, the line, the line's text and the reason (`reasons.py`). An
exception that a method raises as it runs becomes a `ProblemError`; compiled code does not know
its line, plain Python does.
"""

from __future__ import annotations

import dis
import inspect
import linecache
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import ir
from numba.core.errors import NumbaError

from playout.compiled.compile_reasons import MARK, function_of, methods_named, missing_field, reason
from playout.compiled.records import Record
from playout.compiled.wrapping import wrapping
from playout.errors import NO_MEMORY, PlayoutError, ProblemError
from playout.text.checks import CHECKS

_PACKAGE = Path(__file__).resolve().parent.parent
_NUMBA = Path(numba.__file__).resolve().parent
_OWN_PROBLEMS = (_PACKAGE / "problems", _PACKAGE / "games")  # written as a user would
_LOCATION = re.compile(r'File "([^"]+)", line (\d+)|\b(?:at|from) ([/<\w][^\n()]*) \((\d+)\)')
_RAISING = re.compile(r"\b(raise|assert)\b")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# of what a method returned; dividing by zero, NumPy returns an infinity
_OF_VALUES = (TypeError, ValueError, NotImplementedError, ZeroDivisionError)
_TYPED = ("<ipython", "<stdin", "<string", "<doctest", "<console")  # code without a file


class CompileError(PlayoutError):
    """A method that compiled code cannot run; `--interpreted` runs it as plain Python."""


class Place(NamedTuple):
    """A line of source code."""

    path: str
    number: int
    line: str

    def __str__(self) -> str:
        text = f": `{self.line}`" if self.line else ""
        return f"{self.path}, line {self.number}{text}"


@contextmanager
def friendly() -> Iterator[None]:
    """Around a call of a kernel: what goes wrong inside is told in the user's words.

    A kernel run as plain Python (`.py_func`) has its integers wrap round as compiled ones do.
    """
    try:
        with wrapping():
            yield
    except (PlayoutError, MemoryError):
        raise
    except Exception as error:
        trace = error.__traceback__
        for _ in range(2):  # this function and the one that called the kernel
            trace = trace.tb_next if trace else None
        raise explain(error.with_traceback(trace)) from None


def explain(error: Exception) -> PlayoutError:
    """A `CompileError` if compiling failed, a `ProblemError` if a method raised as it ran.

    The error's traceback should begin below the function that called the kernel.
    """
    if isinstance(error, PlayoutError):
        return error
    if isinstance(error, NumbaError) or _is_from_numba(error):
        return _explain_compiling(error)
    # there is a line for what was run as plain Python, and for a `raise` or `assert` compiled
    place = user_place(error.__traceback__)
    what = describe(error)
    if place is not None:
        return ProblemError(f"{place}: {what}")
    if isinstance(error, TypeError) and str(error).endswith("got None"):
        what = "a method returned None where a number is due: does every path end in a return?"
    fault = fault_in_plain_python(error)
    # another exception than this one may have another cause, but where a method returned no number
    if fault and (isinstance(error, _OF_VALUES) or type(error).__name__ in fault):
        return ProblemError(fault)
    return ProblemError(
        f"a method of the problem failed: {what} (compiled code does not know the line; "
        "--interpreted, or compiled=False, shows it)"
    )


def describe(error: BaseException) -> str:
    """An exception's name and message in one line, or a field that a record does not have."""
    if isinstance(error, AttributeError) and isinstance(error.obj, Record):
        return missing_field(str(error.name), np.void.dtype.__get__(error.obj).names)
    if unknown := re.fullmatch(r"'Record' object has no attribute '(\w+)'", str(error)):
        return missing_field(unknown[1], _fields_at(error))  # Python does not say of which record
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _fields_at(error: BaseException) -> list[str]:
    """The fields of the records that the method had in its hands."""
    frames = list(traceback.walk_tb(error.__traceback__))
    values = frames[-1][0].f_locals.values() if frames else ()
    types = (value.dtype for value in values if isinstance(value, np.ndarray))
    records = (np.void.dtype.__get__(value) for value in values if isinstance(value, Record))
    return [name for dtype in (*types, *records) for name in dtype.names or ()]


def fault_line(error: Exception) -> str:
    """What went wrong in one line, with the line of the user's own class if it was there."""
    if isinstance(error, PlayoutError):
        return " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return NO_MEMORY
    place = user_place(error.__traceback__)
    return f"{place}: {describe(error)}" if place is not None else describe(error)


def user_place(trace: TracebackType | None) -> Place | None:
    """The innermost line of a traceback that the user wrote."""
    for frame, number in reversed(list(traceback.walk_tb(trace))):
        path = frame.f_code.co_filename
        if _is_users(path) and "site-packages" not in path and not path.startswith("<frozen"):
            line = linecache.getline(path, number).strip()
            if _is_compiled(frame.f_code, number) and not _RAISING.search(line):
                return None  # compiled when the file was elsewhere, or had other lines above
            return Place(path, number, line)
    return None


def _is_compiled(code: CodeType, number: int) -> bool:
    """Whether a code object is what Numba makes for a frame of compiled code: it is empty."""
    return not code.co_names and not code.co_varnames and code.co_firstlineno == number


def _explain_compiling(error: Exception) -> CompileError:
    text = _COLOUR.sub("", str(error))
    place = _place_in_text(text) or _place_in_frames(error) or _place_of_method(text)
    if isinstance(error, KeyError):  # so a record answers for a field that it does not have
        why = missing_field(str(error.args[0]), _fields_in_frames(error))
    else:
        why = reason(text, place.line if place else "")
    if MARK in text or isinstance(error, KeyError):  # it would not run as plain Python either
        return CompileError(f"{place}: {why}" if place else why)
    if place is None and (fault := fault_in_plain_python(error)):
        return CompileError(fault)
    where = f"{place}: " if place else ""
    return CompileError(
        f"cannot compile {where}{why} (--interpreted, or compiled=False, runs it as plain Python)"
    )


def _is_from_numba(error: Exception) -> bool:
    """Whether Numba's own Python code raised it: then it was compiling, not running."""
    if type(error).__module__.startswith("numba."):
        return True
    # not just any file of Numba: compiled code has frames too, as of Numba's own dictionaries
    compiler = str(_NUMBA / "core" / "dispatcher.py")
    frames = traceback.walk_tb(error.__traceback__)
    return any(str(Path(frame.f_code.co_filename).resolve()) == compiler for frame, _ in frames)


def _is_users(path: str) -> bool:
    """Whether a file is neither this package's machinery nor Numba's."""
    if path.startswith("<"):
        return path.startswith(_TYPED)
    full = Path(path).resolve()
    if any(folder in full.parents for folder in _OWN_PROBLEMS):
        return True
    return _PACKAGE not in full.parents and _NUMBA not in full.parents


def _place(path: str, number: int) -> Place:
    full = path if path.startswith("<") else str(Path(path).resolve())
    return Place(full, number, linecache.getline(full, number).strip())


def _place_in_text(text: str) -> Place | None:
    """The first place of the user's that Numba names: it tells the innermost first."""
    for quoted, line, path, number in _LOCATION.findall(text):
        found, at = (quoted, line) if quoted else (path, number)
        if found != "None" and _is_users(found):
            return _place(found, int(at))
    return None


def _place_in_frames(error: Exception) -> Place | None:
    """What Numba was working at when it raised an exception that names no place."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in list(frame.f_locals.values()):
            loc = value if isinstance(value, ir.Loc) else _loc_of(value)
            if loc is not None and loc.line and _is_users(str(loc.filename)):
                return _place(str(loc.filename), loc.line)
    return None


def _loc_of(value: Any) -> Any:
    try:
        loc = getattr(value, "loc", None)
    except Exception:  # any object may stand in a frame
        return None
    return loc if isinstance(loc, ir.Loc) else None


def _fields_in_frames(error: Exception) -> list[str]:
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in list(frame.f_locals.values()):
            if isinstance(value, numba.types.Record):
                return list(value.fields)
    return []


def fault_in_plain_python(error: Exception) -> str:
    """What is wrong with the user's object that was to be compiled, if plain Python shows it."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        local = frame.f_locals
        given = local.get("args")  # of what Numba compiles; plain Python has them by their names
        for value in (*local.values(), *(given if isinstance(given, tuple) else ())):
            if _is_users_class(type(value)) and (fault := CHECKS["plain"](value)):
                return fault
    return ""


def _is_users_class(cls: type) -> bool:
    values = [value for base in cls.__mro__ for value in vars(base).values()]
    return any(
        _is_users(value.__code__.co_filename) for value in values if inspect.isfunction(value)
    )


def _place_of_method(text: str) -> Place | None:
    """The method whose call failed, or the line in it that has an undefined name."""
    undefined = re.search(r"name '(\w+)' is not defined", text)
    for cls_name, method in methods_named(text):
        function = function_of(cls_name, method)
        if function is None or not _is_users(function.__code__.co_filename):
            continue
        code = function.__code__
        number = code.co_firstlineno
        if undefined:
            number = _line_with_name(code, undefined[1]) or number
        return _place(code.co_filename, number)
    return None


def _line_with_name(code: CodeType, name: str) -> int | None:
    number = None
    for instruction in dis.get_instructions(code):
        if instruction.starts_line:
            number = instruction.starts_line
            if number is True:  # Python 3.13 has the number apart
                number = instruction.line_number  # type: ignore[attr-defined]
        if instruction.argval == name and instruction.opname.startswith("LOAD_GLOBAL"):
            return number
    return None


def never_returns(function: Any) -> str | None:
    """What to say of a method that can only raise: Numba gives it no type."""
    names = [i.opname for i in dis.get_instructions(function)]
    if any(name.startswith(("RETURN_VALUE", "RETURN_CONST", "YIELD")) for name in names):
        return None
    if "NotImplementedError" in function.__code__.co_names:
        return f"{function.__name__}() is not implemented: write {_head(function)}"
    if "RAISE_VARARGS" not in names:
        return f"{function.__name__}() never returns: it has a loop without an end"
    return f"{function.__name__}() never returns: all it does is raise"


def _head(function: Any) -> str:
    return f"def {function.__name__}({', '.join(inspect.signature(function).parameters)})"
