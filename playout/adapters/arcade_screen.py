"""A video game in a terminal: the screen, redrawn only where it changed, and the arrow keys."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from types import TracebackType
from typing import Any

from playout.errors import OptionError

RATE = 25  # ticks a second
KEYS = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    " ": "use",
}  # fmt: skip


class Screen:
    """The terminal while a game is shown; what it showed before comes back at the end."""

    def __init__(self, keys: bool = False) -> None:
        if not sys.stdout.isatty() or (keys and not sys.stdin.isatty()):
            raise OptionError(
                "a game is shown in a terminal: leave --show and --human out in a pipe"
            )
        self._keys, self._lines = keys, [""]
        self._settings: list[Any] | None = None

    def __enter__(self) -> Screen:
        if self._keys:
            self._settings = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        sys.stdout.write("\x1b[?1049h\x1b[?25l\x1b[2J")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        if self._settings is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._settings)

    def draw(self, text: str) -> None:
        """Show a text in place of the last one."""
        sys.stdout.write(changes(self._lines, lines := text.split("\n")))
        sys.stdout.flush()
        self._lines = lines

    def key(self, seconds: float) -> str:
        """The last key that is pressed within some time: a move, `quit`, or empty."""
        found, end = "", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([sys.stdin], [], [], left)[0]:
                break
            pressed = os.read(sys.stdin.fileno(), 16).decode(errors="ignore")
            if pressed in ("q", "\x1b", ""):
                return "quit"
            found = KEYS.get(pressed, found)
        return found


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
