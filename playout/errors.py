"""Errors that a user can act on: one clear line, never a traceback, exit code 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PlayoutError(Exception):
    """What was wrong, where, and what would be right, in one line."""


class OptionError(PlayoutError):
    """An option that does not exist, or a value that it cannot take."""


class DataError(PlayoutError):
    """A file or an instance that cannot be read."""


class DataWarning(UserWarning):
    """A file that was read, but contradicts itself."""


class ProblemError(PlayoutError):
    """A problem whose methods break the contract."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what was meant: the nearest names, or all of them when none is near."""
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "there are: " + ", ".join(names)


class GivenUp(Exception):
    """A run, a game or a search was told to give up before its end."""
