"""Where a rulesheet lies, here or in the data folder, and its text."""

from __future__ import annotations

from pathlib import Path

from playout.errors import DataError
from playout.text.data_folder import data_folder
from playout.text.input_files import read_bytes, read_text

MOST_BYTES = 4 << 20


def rules_of_file(path: str) -> str:
    """The text of a rulesheet; comments may have letters in an old encoding."""
    place = in_data_folder(path) or Path(path)
    try:
        return read_text(place, MOST_BYTES)
    except DataError as error:
        if "not UTF-8" not in str(error):
            raise
        return read_bytes(place, MOST_BYTES).decode("latin-1")


def in_data_folder(path: str) -> Path | None:
    """Where a rulesheet lies that is not here but in the data folder; else None."""
    folder = data_folder()
    if folder is None or Path(path).exists() or not (folder / path).is_file():
        return None
    return folder / path
