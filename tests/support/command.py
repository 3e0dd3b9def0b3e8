"""The command line within this process, as if it were one of its own.

A process takes a second or more to import what a command needs; within this one it is there
already. Whatever a command leaves behind in its process is put back afterwards.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from playout.cli import main
from playout.text import user_files

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


def run_here(
    words: tuple[object, ...], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """A command that was run in a folder: its exit code, and all that it and its children said."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        with _as_a_process(folder, environment), _said_to(1, out), _said_to(2, error):
            try:
                code = main(list(map(str, words)))
            except SystemExit as end:  # the help does
                code = end.code if isinstance(end.code, int) else 0
        said = [file.seek(0) or file.read().decode() for file in (out, error)]
    return subprocess.CompletedProcess(words, code, *said)


@contextmanager
def _as_a_process(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """What belongs to a process is new, and put back at the end."""
    modules, files, cwd = set(sys.modules), dict(user_files._loaded), os.getcwd()
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    with ExitStack() as back:
        back.enter_context(patch.dict(os.environ, environment, clear=True))
        back.enter_context(patch.object(sys, "path", list(sys.path)))
        back.enter_context(patch.object(sys, "stdin", back.enter_context(open(os.devnull))))
        back.enter_context(warnings.catch_warnings())
        warnings.resetwarnings()
        for category in _QUIET:
            warnings.simplefilter("ignore", category)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(cwd)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            _forget_modules(folder, modules)
            user_files._loaded.clear()
            user_files._loaded.update(files)


def _forget_modules(folder: Path, before: set[str]) -> None:
    """Another test's file of the same name is another module."""
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]


@contextmanager
def _said_to(number: int, file) -> Iterator[None]:
    """Standard output or error, also of compiled code and of children, is written to a file."""
    name = {1: "stdout", 2: "stderr"}[number]
    getattr(sys, name).flush()
    before = os.dup(number)
    os.dup2(file.fileno(), number)
    try:
        with (
            open(number, "w", encoding="utf-8", closefd=False) as stream,
            patch.object(sys, name, stream),
        ):
            yield
    finally:
        os.dup2(before, number)
        os.close(before)
