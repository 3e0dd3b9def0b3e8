"""Where a rulesheet lies: here, or in the data folder."""

from __future__ import annotations

from pathlib import Path

from playout.problems.instances import data_folder


def in_data_folder(path: str) -> Path | None:
    """Where a rulesheet lies that is not here but in the data folder; else None."""
    folder = data_folder()
    if folder is None or Path(path).exists() or not (folder / path).is_file():
        return None
    return folder / path
