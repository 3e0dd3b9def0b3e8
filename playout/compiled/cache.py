"""The disk cache of compiled code: one file for each specialisation, named by its content.

A file's name is a digest of everything that decides the machine code: the kernel and its
helpers, the argument types (in which a `Compiled` class stands with its own digest), the
processor and the versions of Numba, Python and this package's bridge. There is no index to
go stale or to be torn by two processes, and a file that cannot be read is compiled anew.

What is read from it runs. So a folder that others can write, or that is another user's, is refused:
then everything is compiled without it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from playout.compiled.digest import digest_of_bridge, digest_of_function

MOST_FILES = 1000
_used: dict[str, None] = {}  # names of files, a set in order


def used_files() -> list[Path]:
    """The files of compiled code that this process has read or written, in this order."""
    return [cache_folder() / name for name in _used]


def cache_folder() -> Path:
    """Where compiled code is kept: `$PLAYOUT_CACHE`, or the user's cache folder."""
    if chosen := os.environ.get("PLAYOUT_CACHE"):
        return Path(chosen)
    return user_cache_path("playout", appauthor=False)


class CacheWarning(UserWarning):
    """A cache folder that is not used, since others could put code into it."""


def is_safe(folder: Path) -> bool:
    """Whether a folder is the user's alone, or not there yet; else a warning says why not."""
    if not hasattr(os, "getuid"):
        return True  # where folders have no modes, the user's own are private
    try:
        found = folder.stat()
    except OSError:
        return True
    if found.st_uid != os.getuid():
        reason = "belongs to another user"
    elif found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        reason = f"can be written by others (chmod go-w {folder})"
    else:
        return True
    _tell_refused(folder, reason)
    return False


@cache
def _tell_refused(folder: Path, reason: str) -> None:
    """Said once; Numba makes Python forget which warnings it has shown."""
    warnings.warn(
        f"compiled code is not kept: the cache folder {folder} {reason}; PLAYOUT_CACHE names one",
        CacheWarning,
        stacklevel=3,
    )


class DiskCache(_Cache):
    """Numba's cache interface over a folder of self-named files."""

    def __init__(self, py_func: Any) -> None:
        self._py_func = py_func
        self._stamp: str | None = None
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to forget: names are digests of contents."""

    def path(self, sig: Any, codegen: Any) -> Path:
        """The file for one signature on this processor."""
        if self._stamp is None:
            self._stamp = digest_of_function(self._py_func) + digest_of_bridge()
        versions = (numba.__version__, llvmlite.__version__, sys.version, sys.maxsize)
        # settings from the environment that change the machine code
        settings = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
        text = repr((self._stamp, str(sig), codegen.magic_tuple(), versions, settings))
        name = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return cache_folder() / f"{self._py_func.__name__}-{name}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._enabled:
            return None
        target_context.refresh()
        path = self.path(sig, target_context.codegen())
        if not is_safe(path.parent):
            return None
        try:
            payload = _checked(path.read_bytes())
            # compiled code of this user's own cache
            result = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # absent, torn, foreign or unreadable: compile again
            return None
        _used[path.name] = None
        with suppress(OSError):  # it may be read-only
            os.utime(path)
        return result

    def save_overload(self, sig: Any, cres: Any) -> None:
        if not self._enabled or cres.library.has_dynamic_globals:
            return
        path = self.path(sig, cres.target_context.codegen())
        if not is_safe(path.parent):
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    payload = dumps(cres._reduce())
                    file.write(_checksum(payload) + payload)
                os.replace(temporary, path)
                _used[path.name] = None
            except BaseException:
                os.unlink(temporary)
                raise
            _prune(path.parent)
        except (OSError, pickle.PicklingError):
            pass  # a full or read-only disk costs a compilation next time, not the run


def _checksum(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=16).digest()


def _checked(data: bytes) -> bytes:
    """A file's payload, if it is whole: damaged machine code would crash, not raise."""
    if _checksum(data[16:]) != data[:16]:
        raise ValueError("damaged")
    return data[16:]


def _prune(folder: Path) -> None:
    """Keep the cache bounded: the files least recently used go first."""
    for path in folder.glob("*.tmp"):  # of a process that was killed as it wrote
        if time.time() - path.stat().st_mtime > 3600:
            path.unlink(missing_ok=True)
    files = list(folder.glob("*.nbc"))
    if len(files) > MOST_FILES:
        files.sort(key=lambda path: path.stat().st_mtime)
        for path in files[: len(files) - MOST_FILES * 3 // 4]:
            path.unlink(missing_ok=True)
