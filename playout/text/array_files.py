"""Arrays in files, NumPy's `.npy` and `.npz`: read as data, and no more than a file may hold.

Whatever a file says of itself is checked before room is made for it: an archive of some kilobytes
can claim to hold gigabytes. Nothing is ever unpickled.
"""

from __future__ import annotations

import math
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from playout.errors import DataError
from playout.text.input_files import ordinary
from playout.text.output_files import write_atomically

MOST_BYTES = 1 << 30  # of what is unpacked from a file
MOST_RATIO = 64  # the same of a large file: so many times its size
QUICK = 1  # of the levels of zlib
LONGEST_HEADER = 10_000

# what NumPy and zipfile raise where a file is damaged
_DAMAGE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    OverflowError,
    SyntaxError,
    RecursionError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    tokenize.TokenError,
    zlib.error,
    zipfile.BadZipFile,
)


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays as a packed archive, whole or not at all."""

    def write(file: BinaryIO) -> None:
        np.savez_compressed(file, allow_pickle=False, **arrays)

    write_atomically(path, write)


def read_arrays(
    path: Path, most_bytes: int = MOST_BYTES, what: str = "an archive of arrays"
) -> dict[str, np.ndarray]:
    """The arrays of an archive, by name; DataError if it is none, or holds more than so much."""
    return _read(path, what, lambda file: _unpacked(file, path, most_bytes))


def write_large_arrays(path: Path, arrays: dict[str, np.ndarray], packed: bool) -> None:
    """Write arrays, packed in a hurry or not at all, for `read_large_arrays`."""

    def write(file: BinaryIO) -> None:
        if packed:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, True, QUICK) as archive:
                for name, array in arrays.items():
                    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                        npy.write_array(member, np.asanyarray(array), allow_pickle=False)
            if sum(array.nbytes for array in arrays.values()) <= _most_unpacked(file.tell()):
                return
            file.seek(0)  # nearly nothing but zeros: a reader would take it for a trap
            file.truncate()
        np.savez(file, allow_pickle=False, **arrays)

    write_atomically(path, write)


def read_large_arrays(path: Path, what: str, only: str = "") -> dict[str, np.ndarray]:
    """The arrays of an archive that may be large, but not many times as large as it looks.

    With `only`, the one of this name.
    """
    return _read(
        path, what, lambda file: _unpacked(file, path, _most_unpacked(path.stat().st_size), only)
    )


def _most_unpacked(size: int) -> int:
    return max(MOST_BYTES, MOST_RATIO * size)


def read_array(path: Path) -> np.ndarray:
    """The array of a `.npy` file; DataError if it is none."""
    return _read(
        path, "an array of numbers that NumPy saved", lambda file: _array(file, path.stat().st_size)
    )


def _read(path: Path, what: str, read: Callable[[BinaryIO], Any]) -> Any:
    try:
        ordinary(path)
        with path.open("rb") as file:
            return read(file)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or 'it is damaged'}") from None
    except _DAMAGE:
        raise DataError(f"{path} is damaged, or not {what}") from None


def _unpacked(file: BinaryIO, path: Path, most_bytes: int, only: str = "") -> dict[str, np.ndarray]:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        total = sum(member.file_size for member in members)
        if total > most_bytes:
            raise DataError(f"{path} holds {total:,} bytes; at most {most_bytes:,} are unpacked")
        found: dict[str, np.ndarray] = {}
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name in found:
                raise ValueError("a name twice")
            if only and name != only:
                continue
            with archive.open(member) as packed:
                found[name] = _array(packed, member.file_size)
    return found


def _array(file: IO[bytes], size: int) -> np.ndarray:
    """The array in a stream of so many bytes; ValueError if it is not as long as it says."""
    version = npy.read_magic(file)
    read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[version]
    shape, by_columns, dtype = read_header(file, max_header_size=LONGEST_HEADER)
    if dtype.hasobject:
        raise ValueError("pickled objects")
    length = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or file.tell() + length != size:
        raise ValueError("not as long as it says")
    content = bytearray(length)
    view = memoryview(content)
    while view:
        count = file.readinto(view)  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        view = view[count:]
    if file.read(1):
        raise ValueError("longer than it says")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")
