"""The file of a store: where it is, how it is opened, what SQLite says of it in plain words."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

from platformdirs import user_data_path

from playout.errors import DataError
from playout.study.store.row import MOST_BYTES

VARIABLE = "PLAYOUT_STORE"


def default_path() -> Path:
    """The store of this user: `$PLAYOUT_STORE`, or a file in the user's data folder."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    return user_data_path("playout", appauthor=False) / "results.sqlite"


def connect(path: Path, wait: float, read_only: bool, still: bool) -> sqlite3.Connection:
    """Open a file; `still` says that nobody writes to it, `wait` how long others are waited for."""
    if path.is_dir():
        raise DataError(f"{path} is a folder: give the file of a store")
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise DataError(f"{path} is not a regular file: give the file of a store")
    if not read_only:
        if not path.parent.is_dir():
            raise DataError(f"{path}: there is no folder {path.parent}")
        return sqlite3.connect(path, timeout=wait, isolation_level=None)
    if not path.exists():
        raise DataError(f"there is no store {path}: no experiment has been run yet")
    # a store in a folder that cannot be written, and to which nobody is writing
    still |= not log_size(path) and not os.access(path.parent, os.W_OK)
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if still else ''}"
    return sqlite3.connect(address, uri=True, timeout=wait, isolation_level=None)


def keep_log(connection: sqlite3.Connection, wait: float) -> None:
    """Let readers and a writer work at once; SQLite itself does not wait for its turn here."""
    end = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def log_size(path: Path) -> int:
    """How much of a store is still in the log beside it."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def plain_fault(error: sqlite3.DatabaseError, wait: float) -> str:
    """What is wrong, behind the name of the file; `wait` is how long others were waited for."""
    text = str(error)
    for sign, plain in {
        "not a database": "is not a SQLite file; it was left alone",
        "malformed": "is damaged; it was left alone",
        "decode to UTF-8": "is damaged: a text of it is none; it was left alone",
        "too big": f"is damaged: a row of it is over {MOST_BYTES >> 20} MiB; it was left alone",
        "readonly": "cannot be written: it is read-only",
        "disk is full": "cannot be written: the disk is full; what was finished before is safe",
        "locked": f"another process has held it for {wait:.0f} s",
        "unable to open": "cannot be opened: no permission, or the folder cannot be written",
        "disk I/O": "the disk failed to read or write it; what was finished before is safe",
    }.items():
        if sign in text:
            return plain
    return text
