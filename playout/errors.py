"""Errors that a user can act on: one clear line, never a traceback, exit code 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NO_MEMORY = "there is not enough memory for this"


class PlayoutError(Exception):
    """What was wrong, where, and what would be right, in one line.

    Examples
    --------
    >>> import playout as po
    >>> try:
    ...     po.solve("samegam")
    ... except po.PlayoutError as error:
    ...     print(error)
    there is no problem 'samegam'; did you mean samegame? (your own is path/to/file.py:Class)
    """


class OptionError(PlayoutError):
    """An option that does not exist, or a value that it cannot take.

    Examples
    --------
    >>> import playout as po
    >>> try:
    ...     po.NMCS(level=0)
    ... except po.OptionError as error:
    ...     print(error)
    nmcs: level=0: a whole number from 1 to 10
    """


class DataError(PlayoutError):
    """A file or an instance that cannot be read.

    Examples
    --------
    >>> import playout as po
    >>> try:
    ...     po.solve("samegame", instance="no.txt")
    ... except po.DataError as error:
    ...     print(error)
    no.txt: there is no such file or instance; ...
    """


class DataWarning(UserWarning):
    """A file that was read, but contradicts itself."""


class NotWrittenWarning(UserWarning):
    """Something that was asked for could not be written at the end; the answer is there.

    A command that had to say so has the exit code 2.
    """


class ProblemError(PlayoutError):
    """A problem whose methods break the contract.

    Examples
    --------
    >>> import playout as po
    >>> try:
    ...     po.solve(po.Problem)
    ... except po.ProblemError as error:
    ...     print(error)
    Problem is no problem: give an instance of a playout.Problem class
    """


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what was meant: the nearest names, or all of them when none is near."""
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "there are: " + ", ".join(names)


class GivenUp(Exception):
    """A run, a game or a search was told to give up before its end."""
