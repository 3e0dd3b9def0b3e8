"""Turns Numba's account of a failed compilation into the user's own line and a plain reason."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

from numba.core.errors import NumbaError

from playout.errors import PlayoutError

_PACKAGE = str(Path(__file__).parent.parent / "compiled")
_SEARCH = str(Path(__file__).parent.parent / "search")
_LOCATION = re.compile(r'File "([^"]+)", line (\d+)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# what Numba says, and what it means to someone who wrote a problem
_REASONS = (
    (re.compile(r"Unknown attribute '(\w+)' of type (?:\S*\.)?(\w+)#"), 
     "self.{0} is read here, but {0!r} is not in {1}.fields"),
    (re.compile(r"Unknown attribute '(\w+)' of type (?:Record|unaligned)"),
     "the record has no field {0!r}"),
    (re.compile(r"Unknown attribute '(\w+)' of type"), "compiled code has no attribute {0!r} here"),
    (re.compile(r"Use of unsupported NumPy function '([\w.]+)'"),
     "{0} is not available in compiled code"),
    (re.compile(r"Untyped global name '(\w+)'[^\n]*"),
     "the global {0!r} is something that compiled code cannot use"),
    (re.compile(r"NameError: name '(\w+)' is not defined"), "the name {0!r} is not defined"),
    (re.compile(r"Cannot unify ([^\n]+?) and ([^\n]+?) for '(\w+)(?:\.\d+)?'"),
     "the variable {2!r} is {0} in one place and {1} in another: give it one type"),
    (re.compile(r"No implementation of function Function\((?:<built-in function |<function )(\w+)"),
     "{0}() cannot be compiled with these arguments"),
    (re.compile(r"Cannot determine Numba type of <class '([\w.]+)'>"),
     "a {0} cannot be used in compiled code"),
    (re.compile(r"Invalid use of ([^\n]+?) with parameters \(([^\n]*)\)"),
     "{0} cannot be used with ({1})"),
)


class CompileError(PlayoutError):
    """A method that compiled code cannot run; `--interpreted` runs it as plain Python."""


def explain(error: NumbaError) -> CompileError:
    """The user's file and line, the line itself and a plain reason."""
    text = _COLOUR.sub("", str(error))
    place = _user_place(text)
    where = f"{place[0]}, line {place[1]}: `{place[2]}`: " if place else ""
    return CompileError(
        f"cannot compile {where}{_reason(text)} "
        "(run it as plain Python with --interpreted, or compiled=False)"
    )


def _user_place(text: str) -> tuple[str, int, str] | None:
    """The last place named that is in neither this package's machinery nor Numba."""
    found = None
    for path, line in _LOCATION.findall(text):
        resolved = path
        if path.startswith((_PACKAGE, _SEARCH)) or "/numba/" in path or path.startswith("<"):
            continue
        if not Path(path).is_absolute() and ("playout/compiled" in path or "playout/search" in path):
            continue
        source = linecache.getline(resolved, int(line)).strip()
        found = path, int(line), source
    return found


def _reason(text: str) -> str:
    for pattern, meaning in _REASONS:
        matches = list(pattern.finditer(text))
        if matches:
            return meaning.format(*matches[-1].groups())
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith(("Failed in", "File ", "During:", "-", ">", "^")):
            return line[:300]
    return "Numba does not support it"
