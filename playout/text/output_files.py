"""Writing files so that they are whole or not there: a temporary file, then a rename."""

from __future__ import annotations

import json
import os
import socket
import stat
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from playout.errors import DataError


def write_atomically(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Write a temporary file beside `path`, then put it in place in one move.

    The content is bytes, or a function that writes them. A link stays, and the file that it leads
    to is written; who may read and write a file stays as it was.
    """
    try:
        place, mode = _place(path)
        _sweep(place)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=_prefix(place))
        try:
            with os.fdopen(handle, "wb") as file:
                if callable(content):
                    content(file)
                else:
                    file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}") from None


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON, whole or not at all."""
    write_atomically(path, (json.dumps(data, indent=1, allow_nan=False) + "\n").encode())


def check_writable(path: Path) -> None:
    """Refuse early, before hours of search, a file that cannot be written at the end."""
    try:
        place, _ = _place(path)
        if not place.parent.is_dir():
            raise DataError(f"cannot write {path}: there is no folder {place.parent}")
        if not os.access(place.parent, os.W_OK):
            raise DataError(f"cannot write {path}: no permission in {place.parent}")
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=_prefix(place)):
            pass
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}") from None


def _place(path: Path) -> tuple[Path, int]:
    """Where the file lies that a path, or a link, stands for, and who may read and write it.

    What is there and is no file is refused: to put a file in its place would take it away.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:  # or a link to what is not there yet
        status = None
    place = Path(os.path.realpath(path)) if path.is_symlink() else path
    if status is None:
        return place, 0o666 & ~_umask()
    if stat.S_ISDIR(status.st_mode):
        raise DataError(f"cannot write {path}: it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise DataError(f"cannot write {path}: it is not a regular file")
    return place, stat.S_IMODE(status.st_mode)


# temporary files of runs that were killed

_HERE = f"{zlib.crc32(socket.gethostname().encode()):08x}"  # this machine
_STALE = 3600.0  # seconds after which a file of another machine is nobody's
_swept: set[Path] = set()


def _prefix(path: Path) -> str:
    """How the temporary files of a file begin: they say who writes them."""
    return f".{path.name}.playout-{_HERE}-{os.getpid()}-"


def _sweep(path: Path) -> None:
    """Take away what runs that were killed have left of this file, once in a process."""
    if path in _swept:
        return
    _swept.add(path)
    start = f".{path.name}.playout-"
    with suppress(OSError):
        for name in os.listdir(path.parent):
            if name.startswith(start) and _is_left(path.parent / name, name[len(start) :]):
                with suppress(OSError):
                    os.unlink(path.parent / name)


def _is_left(path: Path, owner: str) -> bool:
    """Whether nobody writes a temporary file any more: its process is gone, or it is old."""
    machine, _, rest = owner.partition("-")
    number = rest.partition("-")[0]
    if machine != _HERE or not number.isdecimal():
        return time.time() - path.stat().st_mtime > _STALE
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # another user's
        return False
    return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
