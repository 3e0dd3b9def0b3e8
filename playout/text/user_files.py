"""A user's own class, such as a problem or a game, in a Python file that is named by its path.

The file becomes a module with its own stem as the name, so that tracebacks, `inspect` and the
compiler's cache see it as they would see any module. Whatever goes wrong in it is one line that
names the file and the line.
"""

from __future__ import annotations

import inspect
import linecache
import os
import pickle
import re
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from playout.errors import DataError, PlayoutError, ProblemError, nearest
from playout.text.input_files import read_text

_loaded: dict[Path, tuple[str, ModuleType]] = {}
_standing_in: dict[str, str] = {}  # files of another machine -> their copies here


def is_user_file(text: str) -> bool:
    """Whether a text names a file, or a class in one."""
    return ":" in text or text.endswith(".py")


def own_file(name: str) -> str:
    """How to name the class of a user's file that was named as a module is; empty if none is.

    >>> own_file("nothing_of_the_kind.Mine")
    ''
    """
    stem, _, cls = name.partition(".")
    with suppress(OSError, ValueError):  # no name of a file
        if stem and Path(f"{stem}.py").is_file():
            return f"{stem}.py:{cls}" if cls else f"{stem}.py:Class"
    return ""


def load_class(text: str, base: type) -> Any:
    """The subclass of `base` that `path/to/file.py:Class` names.

    Without `:Class` it is the only one in the file.
    """
    path, _, name = text.rpartition(":")
    if not path or name.endswith(".py"):
        path, name = text, ""
    module = load_module(path)
    classes = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, base)
        and value.__module__ == module.__name__
    }
    if not name:
        if len(classes) == 1:
            return next(iter(classes.values()))
        raise ProblemError(f"{path}: name the class as {path}:Class; {_known(name, classes, base)}")
    if not hasattr(module, name):
        raise ProblemError(f"{path}: there is no class {name!r}; {_known(name, classes, base)}")
    cls = getattr(module, name)
    if not inspect.isclass(cls):
        raise ProblemError(f"{path}: {name} is not a class; {_known(name, classes, base)}")
    if not issubclass(cls, base):
        kind = base.__name__
        if kind == "Problem" and any(above.__name__ == "Game" for above in cls.__mro__):
            raise ProblemError(
                f"{path}: {name} is a game, and this is for problems, which one player plays: use "
                "playout play, analyse or match"
            )
        article = "an" if kind[0] in "AEIOU" else "a"
        raise ProblemError(
            f"{path}: {name} is not {article} {kind.lower()}: write class {name}(playout.{kind})"
            + (", or (playout.Problem) for a single player" if kind == "Game" else "")
        )
    return cls


def _known(name: str, classes: dict[str, Any], base: type) -> str:
    kind = base.__name__
    return nearest(name, classes) if classes else f"the file has no subclass of playout.{kind}"


def stand_in(path: str, copy: str) -> None:
    """Let a file of this machine stand in for one that is named by its path on another."""
    _standing_in[path] = copy


def load_module(path: str) -> ModuleType:
    """The module that a file is; the same one for as long as its text is the same."""
    path = _standing_in.get(path, path)
    if "\0" in path:
        raise DataError(f"{path!r} is no name of a file")
    source = read_text(path)
    place = Path(path).resolve()
    if place in _loaded and _loaded[place][0] == source:
        # the same class as before, so that its instances still pickle
        return _loaded[place][1]
    name = _module_name(place)
    spec = spec_from_file_location(name, place)
    if spec is None:
        raise ProblemError(f"{path}: is not a Python file: its name should end in .py")
    module = module_from_spec(spec)
    if str(place.parent) not in sys.path:
        sys.path.insert(0, str(place.parent))  # as for a script: its neighbours can be imported
    before = sys.modules.get(name)
    sys.modules[name] = module
    linecache.checkcache(str(place))
    try:
        # compiled here and not by the import system, whose cache takes an edit within the same
        # second that leaves the length as it was for no edit
        exec(compile(source, str(place), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise _one_line(error, path, place) from error
    _loaded[place] = source, module
    return module


def _module_name(place: Path) -> str:
    """The stem of the file, unless another module has that name already."""
    name = place.stem
    while True:
        other = sys.modules.get(name)
        if other is None and name not in sys.stdlib_module_names:
            return name
        if getattr(other, "__file__", None) == str(place):
            return name
        name += "_"


def _one_line(error: BaseException, path: str, place: Path) -> PlayoutError:
    """What went wrong in a file, with the user's own line."""
    if isinstance(error, SyntaxError) and error.filename:
        where = path if Path(error.filename) == place else error.filename
        return ProblemError(f"{where}, line {error.lineno}: {error.msg}")
    line = _last_line(error.__traceback__, str(place))
    reason = str(error).splitlines()[0] if str(error) else ""
    if isinstance(error, PlayoutError):
        what = reason
    else:
        what = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
    return ProblemError(f"{path}, line {line}: {what}" if line else f"{path}: {what}")


def _last_line(traceback: TracebackType | None, filename: str) -> int:
    """The innermost line of a file in a traceback; 0 if it has none."""
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def users_fault(error: Exception, texts: Iterable[str]) -> ProblemError | None:
    """An error in a file of the user's own that a text names, by its line; None if elsewhere."""
    files = {os.path.realpath(file) for text in texts for file in files_in(text)}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.realpath(frame.filename) in files:
            place = f"{frame.filename}, line {frame.lineno}, in {frame.name}"
            return ProblemError(f"{place}: {type(error).__name__}: {error}")
    return None


def files_in(text: str) -> Iterator[str]:
    """The Python files that the text of a problem, a game or a player names."""
    file, ending, _ = text.rpartition(".py")
    if ending:
        yield file + ending
    for match in re.finditer(r"(?:^|=)([^=,]*?\.py)(?=:|,|$)", text):
        yield match[1]


_script_lock = threading.Lock()


@contextmanager
def script_set_apart(sent: Any) -> Iterator[None]:
    """Around the start of a process that is sent something: it does not run the user's script.

    Python has a new process import the script that was started, which does all of it once more
    where nothing guards it. What is sent names the script only if a class of it is part of it.
    """
    main = sys.modules["__main__"]
    with _script_lock:
        apart = b"__main__" not in pickle.dumps(sent)
        kept: dict[str, Any] = {
            key: value for key, value in vars(main).items() if key in ("__file__", "__spec__")
        }
        try:
            if apart:
                vars(main).pop("__file__", None)
                vars(main)["__spec__"] = None
            yield
        finally:
            vars(main).update(kept)
