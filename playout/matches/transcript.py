"""The transcript file of a match: one JSON line for each finished game.

A line is appended whole and flushed to the disk when its game ends; nothing is ever changed. What
a killed process leaves behind is at worst a last line that is cut off, which is no game, is told
of, and is taken away before the next is written. Each line says all about its game, the match that
it belongs to included, and ends with a checksum; the lines of an older version have none.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from playout.errors import DataError, DataWarning
from playout.text.input_files import MOST_UNPACKED
from playout.text.json_text import is_natural, is_number

if TYPE_CHECKING:
    from playout.matches.match_result import MatchResult

START = b'{"playout": "'  # of every line


@dataclass(frozen=True)
class MatchIdentity:
    """What a game belongs to: games of one match agree in all of it."""

    playout: str  # the version of the package
    game: str
    rules: str  # a digest of the game's methods and data
    players: list[str]
    budgets: list[str]  # of each player for a move
    seed: int
    opening: int  # random plies at the start
    open: bool = False  # whether hidden cards and luck were laid open to the players

    def difference(self, other: MatchIdentity) -> str | None:
        """In what another match differs from this one, for a person."""
        names = {"playout": "version", "rules": "game's rules", "budgets": "budget"}
        for name, mine in vars(self).items():
            theirs = getattr(other, name)
            if mine != theirs:
                if name == "rules":
                    return f"the rules of {self.game} have changed since"
                return f"its {names.get(name, name)} is {_shown(theirs)}, not {_shown(mine)}"
        return None


@dataclass(frozen=True)
class MatchGame:
    """A finished game of a match.

    `seats` has the number of the player (from 0) in each seat; `result` the rewards, `seconds` the
    time that was thought and `simulations` those that were made, by seat.
    """

    match: MatchIdentity
    number: int
    seats: list[int]
    moves: list[str]
    result: list[float]
    plies: int
    seconds: list[float]
    simulations: list[int]

    def to_json(self) -> dict[str, Any]:
        """The line of the transcript file, as JSON data."""
        own = {name: value for name, value in vars(self).items() if name != "match"}
        match = {name: value for name, value in vars(self.match).items() if name != "open"}
        return {**match, **({"open": True} if self.match.open else {}), **own}

    @classmethod
    def from_json(cls, data: Any) -> MatchGame:
        """A game from the data of a line; ValueError if it is none."""
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
        texts, whole, numbers = _list_of(str), _list_of(int), _list_of(int, float)
        kinds: dict[str, Any] = {
            "playout": _text,
            "game": _text,
            "rules": _text,
            "players": texts,
            "budgets": texts,
            "seed": is_natural,
            "opening": is_natural,
            "number": is_natural,
            "seats": whole,
            "moves": texts,
            "result": numbers,
            "plies": is_natural,
            "seconds": numbers,
            "simulations": whole,
        }
        for name, good in kinds.items():
            if name not in data:
                raise ValueError(f"it has no {name!r}")
            if not good(data[name]):
                raise ValueError(f"its {name!r} is {_shown(data[name])}")
        if data.get("open", True) is not True:
            raise ValueError(f"its 'open' is {_shown(data['open'])}")
        if unknown := data.keys() - kinds.keys() - {"checksum", "open"}:
            raise ValueError(f"it has an unknown {_shown(min(unknown))!r}")
        players = len(data["players"])
        shared_out = players == 2 and set(data["seats"]) == {0, 1}
        if not data["seats"] or not (shared_out or len(set(data["seats"])) == len(data["seats"])):
            raise ValueError(f"its 'seats' are {data['seats']}")
        if not all(0 <= player < players for player in data["seats"]):
            raise ValueError(f"its 'seats' are {data['seats']}, of {players} players")
        if any(len(data[n]) != len(data["seats"]) for n in ("result", "seconds", "simulations")):
            raise ValueError("its 'result', 'seconds' and 'simulations' have one for each seat")
        if len(data["budgets"]) != players:
            raise ValueError("its 'budgets' have one for each player")
        match = MatchIdentity(
            **{f.name: data[f.name] for f in fields(MatchIdentity) if f.name != "open"},
            open="open" in data,
        )
        own = {f.name: data[f.name] for f in fields(cls) if f.name != "match"}
        return cls(match, **own)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(*kinds: type) -> Any:
    def good(value: Any) -> bool:
        return isinstance(value, list) and all(
            isinstance(part, kinds) and not isinstance(part, bool) and _finite(part)
            for part in value
        )

    return good


def _finite(value: Any) -> bool:
    return isinstance(value, str) or (is_number(value) and math.isfinite(value))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


class TranscriptNotWritten(DataError):
    """A game that could not be written; `result` is that of all games that were played."""

    result: MatchResult


class TranscriptFile:
    """A transcript file that a match is writing; no second match may at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._good: int | None = None  # bytes of whole lines, until the rest is taken away
        self._first = b""  # before the next line
        _check_kind("write", path)
        try:
            self._file: BinaryIO = path.open("a+b", buffering=0)
        except OSError as error:
            raise DataError(f"cannot write {path}: {error.strerror or error}") from None
        if not _lock(self._file):
            self._file.close()
            raise DataError(f"{path} is being written by another match")

    def read(self) -> list[MatchGame]:
        """The games that are in it, without that of a last line that was cut off."""
        self._file.seek(0)
        content = self._file.read()
        games, self._good = _parsed(self.path, content)
        self._first = b"" if content[: self._good].endswith(b"\n") or not games else b"\n"
        return games

    def append(self, game: MatchGame) -> None:
        """Write a game, and wait until it is on the disk; what was cut off is taken away first."""
        self._write(self._first + sealed(game.to_json()) + b"\n")
        self._first = b""

    def _write(self, content: bytes) -> None:
        try:
            if self._good is not None:
                self._file.truncate(self._good)
                self._good = None
            while content:
                content = content[os.write(self._file.fileno(), content) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise TranscriptNotWritten(
                f"cannot write {self.path}: {error.strerror or error}; the same command goes on "
                "with what it has"
            ) from None

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> TranscriptFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def sealed(data: dict[str, Any]) -> bytes:
    """The line of a game, with a checksum of all that stands before it."""
    line = json.dumps(data).encode()[:-1]
    return line + b', "checksum": "' + _checksum(line) + b'"}'


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=8).hexdigest().encode()


def _check_seal(path: Path, number: int, line: bytes) -> None:
    """Refuse a line that is not what was written; those of older versions have no checksum."""
    content, sign, end = line.rstrip().rpartition(b', "checksum": "')
    if sign and end != _checksum(content) + b'"}':
        raise DataError(
            f"{path}: line {number} is damaged or was changed, its checksum differs: without the "
            "line, the same match plays the game again"
        )


def read_transcript(path: str | Path) -> list[MatchGame]:
    """The games in a transcript file, without those of a line that was cut off."""
    path = Path(path)
    _check_kind("read", path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    return _parsed(path, content)[0]


def _check_kind(what: str, path: Path) -> None:
    """Refuse what is there and is no ordinary file: a device may never come to its end.

    Nor is one of which a match could not hold the games.
    """
    if path.is_dir():
        raise DataError(f"cannot {what} {path}: it is a folder")
    if path.exists() and not path.is_file():
        raise DataError(f"cannot {what} {path}: it is no ordinary file")
    if path.exists() and path.stat().st_size > MOST_UNPACKED:
        raise DataError(f"cannot {what} {path}: it has more than {MOST_UNPACKED:,} bytes")


def one_match(path: Path, games: Sequence[MatchGame]) -> MatchIdentity:
    """The match that all games of a file belong to."""
    first = games[0].match
    for game in games:
        if difference := first.difference(game.match):
            raise DataError(f"{path} has games of two matches: in game {game.number}, {difference}")
    return first


def _parsed(path: Path, content: bytes) -> tuple[list[MatchGame], int]:
    """The games of a file's content, and how many of its bytes are whole lines."""
    games: list[MatchGame] = []
    seen: set[int] = set()
    good = 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        try:
            data = json.loads(line)
            _check_seal(path, number, line)
            game = MatchGame.from_json(data)
        except (ValueError, RecursionError) as error:
            cut_off = line.startswith(START) or START.startswith(line)
            if good + len(line) == len(content) and not line.endswith(b"\n") and cut_off:
                warnings.warn(
                    f"{path}: line {number} is cut off, and is no game; the same match plays it "
                    "again",
                    DataWarning,
                    stacklevel=3,
                )
                break
            what = "it is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
            if isinstance(error, UnicodeDecodeError):
                what = "it is not UTF-8"
            raise DataError(
                f"{path} is no record of a match: line {number} is no game, {what}"
            ) from None
        if game.number in seen:
            raise DataError(f"{path}: line {number} has game {game.number} a second time")
        seen.add(game.number)
        games.append(game)
        good += len(line)
    return games, good


def _lock(file: BinaryIO) -> bool:
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
