"""Where the public data is: $PLAYOUT_DATA, or the folder shared/data beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _find() -> Path | None:
    name = os.environ.get("PLAYOUT_DATA")
    place = Path(name) if name else Path(__file__).resolve().parents[3] / "shared" / "data"
    return place if place.is_dir() else None


DATA = _find()


def needs_data(*files: str) -> pytest.MarkDecorator:
    """Skip a test, naming the first of its data files that is not there."""
    missing = [file for file in files if DATA is None or not (DATA / file).exists()]
    return pytest.mark.skipif(
        bool(missing), reason=f"no {missing[0] if missing else ''} in the data folder $PLAYOUT_DATA"
    )


def data(file: str) -> Path:
    """The path of a data file, for tests marked with `needs_data`."""
    assert DATA is not None
    return DATA / file
