"""Reading instance files: text, lines and numbers, with errors that a person can act on.

Every error is one line with the file, the line number where there is one, and the reason.
"""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import lzma
import math
import os
import re
import stat
import tarfile
import zlib
from collections.abc import Iterator
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import IO, Any, NoReturn

from playout.errors import DataError

MOST_BYTES = 64 << 20  # of a file
MOST_UNPACKED = 1 << 30  # of an archive of files
MOST_NAMES = 10_000  # of a folder that are looked at for one that was meant

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?:inf|nan)")


def read_text(path: str | PathLike[str], most_bytes: int = MOST_BYTES, other: str = "") -> str:
    """The text of a file; DataError if there is none that can be read.

    `other` is an encoding that its format allows beside UTF-8.
    """
    try:
        if not ordinary(path).st_size:
            raise DataError(f"{path}: the file is empty")
        data = read_bytes(path, most_bytes)
    except FileNotFoundError:
        raise missing(path) from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read: {_reason(error)}") from None
    if data[:2] == b"\x1f\x8b":
        data = unpacked(data, str(path), most_bytes)
    return decode(data, str(path), other)


def missing(path: str | PathLike[str]) -> DataError:
    """The error of a file that is not there, with those of its folder that are named much alike."""
    place = Path(path)
    try:
        with os.scandir(place.parent) as folder:
            names = [entry.name for entry in itertools.islice(folder, MOST_NAMES)]
    except OSError:
        names = []
    near = {name.lower(): name for name in sorted(names)}
    close = get_close_matches(place.name.lower(), near, n=2, cutoff=0.8)
    hint = " or ".join(str(place.with_name(near[name])) for name in close)
    return DataError(f"{path}: there is no such file" + (f"; did you mean {hint}?" if hint else ""))


def read_bytes(path: str | PathLike[str], most_bytes: int = MOST_BYTES) -> bytes:
    """All of an ordinary file; DataError if it is too large or none, OSError as usual."""
    ordinary(path, most_bytes)
    return Path(path).read_bytes()


def ordinary(path: str | PathLike[str], most_bytes: int | None = None) -> os.stat_result:
    """Refuse what is no ordinary file, or a larger one: a pipe or a device may never end."""
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise DataError(f"cannot read {path}: it is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise DataError(f"cannot read {path}: it is not a regular file")
    if most_bytes is not None and status.st_size > most_bytes:
        raise DataError(f"{path}: has {status.st_size:,} bytes; at most {most_bytes:,} are read")
    return status


def unpacked(data: bytes, source: str, most_bytes: int) -> bytes:
    """The contents of a gzipped file, whatever its name; no more is unpacked than may be."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(most_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{source}: is damaged or cut off: {_reason(error)}") from None
    if len(content) > most_bytes:
        raise DataError(f"{source}: has more than {most_bytes:,} bytes when unpacked")
    return content


def decode(data: bytes, source: str, other: str = "") -> str:
    """The bytes of a file as text, UTF-8 or an `other` encoding; DataError if they are not text."""
    if not data.strip():
        raise DataError(f"{source}: the file is empty")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{source}: is written in UTF-16: save it as UTF-8")
    if b"\0" in data:
        raise DataError(f"{source}: is not a text file (it has NUL bytes)")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if other:
            return data.decode(other)
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"{source}, line {line}: is not a text file (not UTF-8)") from None


def archive_members(path: str | PathLike[str]) -> list[str]:
    """The names of the files in a tar archive, in its order."""
    with _open_archive(path) as archive:
        try:
            return [member.name for member in archive if member.isfile()]
        except _ARCHIVE_FAULTS as error:
            raise DataError(f"{path}: is a damaged archive: {_reason(error)}") from None


def read_member(path: str | PathLike[str], member: str, most_bytes: int = MOST_BYTES) -> str:
    """The text of one file in a tar archive, read in memory: nothing is written to disk."""
    source = f"{path}:{member}"
    with _open_archive(path) as archive:
        try:
            information = archive.getmember(member)
            _check_size(source, information.size, most_bytes)
            stream = archive.extractfile(information)
            data = stream.read() if stream is not None else b""
        except KeyError:
            raise DataError(f"{path}: the archive has no file {member}") from None
        except _ARCHIVE_FAULTS as error:
            raise DataError(f"{path}: is a damaged archive: {_reason(error)}") from None
    return decode(data, source)


_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_ARCHIVE_FAULTS = (tarfile.TarError, OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)


class _Bounded(io.BufferedIOBase):
    """What an archive unpacks to, of which no more is read than an archive may hold.

    A few kilobytes can claim to hold gigabytes, in a file and in the headers between the files.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= MOST_BYTES + tarfile.RECORDSIZE:
            raise OSError("a part of it is too large")
        return self._file.read(size)

    def seek(self, place: int, whence: int = 0) -> int:
        if place > MOST_UNPACKED:
            raise OSError(f"it has more than {MOST_UNPACKED:,} bytes when unpacked")
        return self._file.seek(place, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


def _open_archive(path: str | PathLike[str]) -> tarfile.TarFile:
    try:
        ordinary(path)
        with open(path, "rb") as file:
            start = file.read(6)
        unpack = next((opener for sign, opener in _PACKED.items() if start.startswith(sign)), open)
        return tarfile.open(fileobj=_Bounded(unpack(path, "rb")), mode="r:")
    except FileNotFoundError:
        raise missing(path) from None
    except (*_ARCHIVE_FAULTS, MemoryError) as error:
        raise DataError(f"{path}: is no archive that can be read: {_reason(error)}") from None


def _check_size(source: str, bytes_there: int, most_bytes: int) -> None:
    if bytes_there == 0:
        raise DataError(f"{source}: the file is empty")
    if bytes_there > most_bytes:
        raise DataError(f"{source}: has {bytes_there:,} bytes; at most {most_bytes:,} are read")


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0]


class Line:
    """One line of a file: its words, and errors that name it."""

    def __init__(self, source: str, number: int, text: str) -> None:
        self.source, self.number, self.text = source, number, text
        self.words = text.split()

    def fail(self, reason: str) -> NoReturn:
        """Raise a DataError about this line."""
        raise DataError(f"{self.source}, line {self.number}: {reason}")

    def whole_numbers(self) -> list[int]:
        """The words as whole numbers."""
        return [self._whole(word) for word in self.words]

    def numbers(self, most: float = 1e12) -> list[float]:
        """The words as finite numbers from 0 to `most`."""
        return [self._number(word, most) for word in self.words]

    def _whole(self, word: str) -> int:
        # int() would also take 1_000 and digits of other scripts
        digits = word[1:] if word[:1] in ("-", "+") else word
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
            self.fail(f"{_short(word)} is not a whole number")
        return int(word)

    def _number(self, word: str, most: float) -> float:
        # float() would also take 1_000 and digits of other scripts
        if not _NUMBER.fullmatch(word):
            self.fail(f"{_short(word)} is not a number")
        value = float(word)
        if not math.isfinite(value):
            self.fail(f"{_short(word)} is not a finite number")
        if value < 0:
            self.fail(f"{_short(word)} is negative")
        if value > most:
            self.fail(f"{_short(word)} is too large: at most {most:g} is handled")
        return value


def lines_of(text: str, source: str, *, keep_blank: bool = False) -> Iterator[Line]:
    """The lines of a text without `#` comments; blank ones only if asked for.

    A line that is nothing but a comment is never blank: it is left out.
    """
    for number, line in enumerate(text.split("\n"), 1):
        content, mark, _ = line.partition("#")
        if content.strip() or (keep_blank and not mark):
            yield Line(source, number, content)


def _short(word: str) -> str:
    """A word quoted for an error message, cut if it is long."""
    return repr(word if len(word) <= 20 else word[:17] + "...")
