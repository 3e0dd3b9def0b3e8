"""What went wrong in one line, with the line of the user's own class if it was there."""

from __future__ import annotations

from playout.compiled.compile_errors import describe, user_place
from playout.errors import PlayoutError


def fault_line(error: Exception) -> str:
    """An error as a page shows it."""
    if isinstance(error, PlayoutError):
        return " ".join(str(error).split())
    place = user_place(error.__traceback__)
    return f"{place}: {describe(error)}" if place is not None else describe(error)
