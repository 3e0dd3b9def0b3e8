"""JSON as every program reads it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playout.errors import DataError
from playout.text.input_files import read_bytes


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
    """The data without its checksum; DataError if it differs. What is older has none."""
    rest = {name: value for name, value in data.items() if name != "checksum"}
    if "checksum" in data and data["checksum"] != _checksum(rest):
        raise DataError(f"{where} is damaged or was changed: its checksum differs")
    return rest


def read_saved(path: str | Path, what: str, form: str) -> dict[str, Any]:
    """The data of a file that playout saved in a format; `what` it is, such as "a result"."""
    data = without_checksum(read_json(path, f"{what} that playout saved"), str(path))
    if data.pop("format", None) != form:
        raise DataError(f"{path} is not {what} that playout saved ({form})")
    return data


def check_fields(path: str | Path, found: Any, good: Mapping[str, Callable[[Any], bool]]) -> None:
    """Refuse what was read from a file if one of its fields is not `good`."""
    for name, is_good in good.items():
        if not is_good(getattr(found, name)):
            raise DataError(f"{path} is damaged: its {name!r} is not what it should be")


def _checksum(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def is_number(value: Any) -> bool:
    """Whether JSON data is a number, and not a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_natural(value: Any) -> bool:
    """Whether JSON data is a whole number from 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
