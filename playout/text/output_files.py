"""Writing files so that they are whole or not there: a temporary file, then a rename."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from playout.errors import DataError


def write_atomically(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Write a temporary file beside `path`, then put it in place in one move.

    The content is bytes, or a function that writes them.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                if callable(content):
                    content(file)
                else:
                    file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
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
    if path.is_dir():
        raise DataError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"cannot write {path}: no permission in {path.parent}")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
