"""Who holds a claim, and whether they still live: a lock file that dies with its process.

The operating system lets go of a lock when its process ends, however it ends, so a claim whose
owner's file can be locked by somebody else is a claim that nobody holds any more.
"""

from __future__ import annotations

import os
import re
import sys
import time
import uuid
from contextlib import suppress
from glob import escape as _escape
from pathlib import Path
from typing import IO

from playout.errors import DataError

STALE = 60.0  # seconds after which a file that is no owner's yet will not be one any more

if sys.platform == "win32":
    import msvcrt

    def lock_file(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def lock_file(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock of a file."""
    if not path.exists():
        return False
    with path.open("ab") as file:
        return not lock_file(file)


class Owner:
    """A worker that may hold claims in a store, for as long as it lives."""

    def __init__(self, store: Path) -> None:
        self.name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._path = _file(store, self.name)
        fresh = self._path.with_suffix(".new")
        try:
            self._lock = fresh.open("wb")
            lock_file(self._lock)
            fresh.rename(self._path)  # such a file is locked for as long as its owner lives
        except OSError as error:
            raise DataError(f"cannot write {fresh}: {error.strerror or error}") from None

    def leave(self) -> None:
        """Let go."""
        with suppress(OSError):
            self._path.unlink()
        self._lock.close()

    def __enter__(self) -> Owner:
        return self

    def __exit__(self, *error: object) -> None:
        self.leave()


def is_alive(store: Path, name: str) -> bool:
    """Whether an owner still lives; the file of a dead one is taken away."""
    if not re.fullmatch(r"[0-9]+-[0-9a-f]{12}", name):  # from a file that may be anybody's
        return False
    path = _file(store, name)
    try:
        with path.open("rb") as file:
            if not lock_file(file):
                return True
            with suppress(OSError):
                path.unlink()
    except FileNotFoundError:
        pass
    except OSError:  # another user's: nobody can tell
        return True
    return False


def sweep(store: Path) -> None:
    """Take away the files of owners that were killed."""
    for path in store.parent.glob(f"{_escape(store.name)}-*.owner"):
        is_alive(store, path.name.removeprefix(f"{store.name}-").removesuffix(".owner"))
    for path in store.parent.glob(f"{_escape(store.name)}-*.new"):
        with suppress(OSError):  # one that is being made is seconds old
            if time.time() - path.stat().st_mtime > STALE:
                path.unlink()


def _file(store: Path, name: str) -> Path:
    return store.with_name(f"{store.name}-{name}.owner")
