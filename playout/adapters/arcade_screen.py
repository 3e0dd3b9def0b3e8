"""A video game in a terminal: the screen, redrawn only where it changed, and the arrow keys."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import termios
import time
import tty
from typing import Any

from playout.errors import OptionError

RATE = 25  # ticks a second
KEYS = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    " ": "use",
}


class Screen:
    """The terminal while a game is shown; what it showed before comes back at the end."""

    def __init__(self, keys: bool = False) -> None:
        if not sys.stdout.isatty() or (keys and not sys.stdin.isatty()):
            raise OptionError(
                "a game is shown in a terminal: leave --show and --human out in a pipe"
            )
        self._keys, self._lines = keys, [""]
        # the terminal itself: what a command prints otherwise has no control characters
        self._out = sys.__stdout__ or sys.stdout
        self._settings: list[Any] | None = None

    def __enter__(self) -> Screen:
        if self._keys:
            self._settings = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        sys.stdout.flush()
        self._out.write("\x1b[?1049h\x1b[?25l\x1b[2J")
        return self

    def __exit__(self, *error: object) -> None:
        self._out.write("\x1b[?25h\x1b[?1049l")
        self._out.flush()
        if self._settings is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._settings)

    def draw(self, text: str) -> None:
        """Show a text in place of the last one, as much of it as there is room for."""
        lines = fitting(text.split("\n"), *shutil.get_terminal_size())
        self._out.write(changes(self._lines, lines))
        self._out.flush()
        self._lines = lines

    def key(self, seconds: float) -> str:
        """The last key that is pressed within some time: a move, `quit`, or empty."""
        found, end = "", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([sys.stdin], [], [], left)[0]:
                break
            found = last_key(self._typed()) or found
            if found == "quit":
                break
        return found

    def wait(self) -> str:
        """Whatever is pressed first, however long that takes."""
        return last_key(self._typed())

    def _typed(self) -> str:
        return os.read(sys.stdin.fileno(), 1024).decode(errors="ignore")


def last_key(pressed: str) -> str:
    """The move of the last key in what was typed; `quit` if the game is to be left.

    >>> last_key("\\x1b[A\\x1b[A\\x1b[D"), last_key("  x"), last_key("\\x1b[Aq"), last_key("")
    ('left', 'use', 'quit', 'quit')
    """
    found = ""
    for key in re.findall(r"\x1b[\[O][0-9;]*.|.", pressed, re.DOTALL):
        if key in ("q", "\x1b"):
            return "quit"
        found = KEYS.get(key, found)
    return found if pressed else "quit"


def fitting(lines: list[str], columns: int, rows: int) -> list[str]:
    """Lines cut to a terminal's size; the last one, which tells how the game stands, stays.

    A game's own letters may be any: one that a terminal would obey is not shown.

    >>> fitting(["abcd", "efgh", "ijkl", "score 3"], 3, 3)
    ['abc', 'efg', 'sco']
    """
    kept = lines if len(lines) <= rows else [*lines[: rows - 1], lines[-1]]
    return ["".join(c if c.isprintable() else "?" for c in line[:columns]) for line in kept]


def changes(before: list[str], after: list[str]) -> str:
    """What a terminal must be sent to show other lines: only where they differ.

    >>> changes(["ab", "cd"], ["ab", "cX"])
    '\\x1b[2;2HX'
    """
    parts = []
    for row in range(max(len(before), len(after))):
        old = before[row] if row < len(before) else ""
        new = after[row] if row < len(after) else ""
        new = new.ljust(len(old))
        column = 0
        while column < len(new):
            if column < len(old) and old[column] == new[column]:
                column += 1
                continue
            end = column
            while end < len(new) and not (end < len(old) and old[end] == new[end]):
                end += 1
            parts.append(f"\x1b[{row + 1};{column + 1}H{new[column:end]}")
            column = end
    return "".join(parts)
