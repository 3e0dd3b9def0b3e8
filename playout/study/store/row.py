"""A finished run as the store keeps it: what makes it that run, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import lru_cache
from types import NoneType
from typing import Any

import numpy as np

from playout.errors import DataError
from playout.provenance import Provenance

MOST_BYTES = 64 << 20  # of a value of a row, and of a row


@dataclass(frozen=True)
class RunKey:
    """What makes a run that run."""

    experiment: str
    cell: str
    seed: int
    unit: str
    budget: float
    package: str
    code: str

    def claim(self) -> tuple[Any, ...]:
        """What a claim to it is known by: a longer run is the same run."""
        return (self.experiment, self.cell, self.seed, self.unit, self.package, self.code)


def now() -> str:
    """The time, for a person."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of a run, and where and when it was done.

    The curve has three numbers for each improvement: seconds, playouts, score; without one the
    score is there from the start. `moves` are texts for a person, `records` what a replay needs.
    `details` is what else there is to tell by name: what a search has counted, or `halves`, the
    half-widths of the 95% intervals of a curve whose points are means.
    """

    problem: str
    instance: str = ""
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    algorithm: str
    options: Mapping[str, Any] = field(default_factory=dict)
    score: float
    playouts: int
    seconds: float
    verified: bool = True
    stopped_by: str = "playouts"
    provenance: Provenance = field(default_factory=Provenance.here)
    finished: str = field(default_factory=now)
    curve: Sequence[Sequence[float]] | None = None
    moves: Sequence[Any] = ()
    records: Sequence[Any] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def columns(self) -> dict[str, Any]:
        """The values as SQLite has them, by column."""
        found: dict[str, Any] = {}
        for name in (one.name for one in fields(self)):
            value = getattr(self, name)
            if name == "provenance":
                found |= vars(value)
            elif name == "curve":
                points = [[0.0, 0.0, self.score]] if value is None else value
                found[name] = np.asarray(points, "<f8").tobytes()
            elif name == "verified":
                found[name] = int(value)
            elif name in JSON_COLUMNS:
                found[name] = json.dumps(dict(value) if isinstance(value, Mapping) else value)
            else:
                found[name] = value
        return found


def checksum(*values: Any) -> str:
    """A checksum of the columns of a run, as SQLite gives them."""
    parts: list[bytes] = []
    for value in values:
        if type(value) is str and len(value) < SHORT:
            parts.append(_short_text(value))
        else:
            content: bytes = value if isinstance(value, bytes) else str(value).encode()
            parts += (_HEADS[type(value)] % len(content), content)
    return hashlib.blake2b(b"".join(parts), digest_size=12).hexdigest()


@lru_cache(maxsize=10_000)
def _short_text(text: str) -> bytes:
    """What a checksum is made of, of a text that most runs of an experiment have."""
    content = text.encode()
    return _HEADS[str] % len(content) + content


SHORT = 100  # characters
_HEADS = {kind: f"{kind.__name__} %d ".encode() for kind in (str, int, float, bytes, NoneType)}
JSON_COLUMNS = ("problem_options", "options", "moves", "records", "details")
RUN_COLUMNS = (
    *(one.name for one in fields(RunKey)),
    *(
        column
        for one in fields(Row)
        for column in (
            [part.name for part in fields(Provenance)] if one.name == "provenance" else [one.name]
        )
    ),
)

# in SQL: whether a run can be counted on
GOOD = f"good_run(checksum, {', '.join(RUN_COLUMNS)})"
# what the columns of a run must be; texts where nothing is said
_KINDS: dict[str, type] = {
    **dict.fromkeys(("seed", "playouts", "verified"), int),
    **dict.fromkeys(("budget", "score", "seconds"), float),
    "curve": bytes,
}
_COLUMN_KINDS = [_KINDS.get(name, str) for name in RUN_COLUMNS]
_CURVE = RUN_COLUMNS.index("curve")


def is_good(saved: Any, *values: Any) -> bool:
    """Whether a run is what was written; of one without a checksum, whether it can be read.

    Who writes a checksum can write anything: the kinds of the columns are looked at all the same.
    """
    if list(map(type, values)) != _COLUMN_KINDS or len(values[_CURVE]) % 24 or not values[_CURVE]:
        return False
    if saved:
        return bool(saved == checksum(*values))
    columns = dict(zip(RUN_COLUMNS, values, strict=True))
    try:
        read = {name: json.loads(columns[name]) for name in JSON_COLUMNS}
    except (ValueError, RecursionError):
        return False
    return isinstance(read["details"], dict)


@contextmanager
def crafted_is_damaged() -> Iterator[None]:
    """What a run has besides, as JSON, is not what it should be: DataError in one line."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        raise DataError("a run in the store is damaged: its JSON is not as it should be") from None
