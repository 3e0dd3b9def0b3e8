"""JSON as every program reads it."""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(value: Any, indent: int | None = None) -> str:
    """Data as JSON, with null for numbers that it does not have."""
    return json.dumps(_finite(value), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
