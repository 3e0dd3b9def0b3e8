"""JSON as every program reads it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from playout.errors import DataError
from playout.text.input_files import read_bytes

Loaded = TypeVar("Loaded")
MOST_WHOLE = 1 << 64  # more is nothing that a run counts, and no float may have room for it


def json_text(value: Any, indent: int | None = None) -> str:
    """Data as JSON, with null for numbers that it does not have."""
    return json.dumps(_finite(value), indent=indent, allow_nan=False)


def read_json(path: str | Path, what: str) -> dict[str, Any]:
    """The JSON object in a file; DataError if there is none, whatever else is in it."""
    try:
        data = json.loads(read_bytes(path))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):  # of 4,300 digits, or of brackets within brackets
        raise DataError(f"{path} is damaged, or not {what}") from None
    if not isinstance(data, dict):
        raise DataError(f"{path} is damaged, or not {what}")
    return data


def with_checksum(data: dict[str, Any]) -> dict[str, Any]:
    """JSON data with a checksum of all of it."""
    return {**data, "checksum": _checksum(data)}


def without_checksum(data: dict[str, Any], where: str) -> dict[str, Any]:
    """The data without its checksum; DataError if it differs. What is older has none.

    It is what was written last, and so is found also where the damage is in its name.
    """
    last = next(reversed(data), "checksum")
    name = "checksum" if "checksum" in data else last
    rest = {key: value for key, value in data.items() if key != name}
    is_right = data.get(name) == _checksum(rest)
    if is_right != ("checksum" in data):
        raise DataError(f"{where} is damaged or was changed: its checksum differs")
    return rest if is_right else data


def read_saved(path: str | Path, what: str, form: str) -> dict[str, Any]:
    """The data of a file that playout saved in a format; `what` it is, such as "a result"."""
    data = without_checksum(read_json(path, f"{what} that playout saved"), str(path))
    if data.pop("format", None) != form:
        raise DataError(f"{path} is not {what} that playout saved ({form})")
    return data


def load_saved(
    path: str | Path,
    what: str,
    form: str,
    make: Callable[[dict[str, Any]], Loaded],
    good: Mapping[str, Callable[[Any], bool]],
) -> Loaded:
    """The object that `make` makes of such data, if its fields are `good`."""
    data = read_saved(path, what, form)
    try:
        found = make(data)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        name = what.partition(" ")[2]
        raise DataError(f"{path}: some of the {name}'s fields are missing") from None
    for name, is_good in good.items():
        if not is_good(getattr(found, name)):
            raise DataError(f"{path} is damaged: its {name!r} is not what it should be")
    return found


def _checksum(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def is_number(value: Any) -> bool:
    """Whether JSON data is a number, and not a truth value; JSON has whole ones of any size."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) < MOST_WHOLE


def is_natural(value: Any) -> bool:
    """Whether JSON data is a whole number from 0, of 64 bits."""
    return isinstance(value, int) and is_number(value) and value >= 0


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
