"""The folder of public data, `$PLAYOUT_DATA`: what lies there is never part of the package."""

from __future__ import annotations

import os
from pathlib import Path

from playout.errors import DataError

VARIABLE = "PLAYOUT_DATA"


def data_folder() -> Path | None:
    """The folder that $PLAYOUT_DATA names; None if it is not set."""
    name = os.environ.get(VARIABLE)
    if not name:
        return None
    if not Path(name).is_dir():
        raise DataError(f"${VARIABLE} is {name}, which is not a folder")
    return Path(name)
