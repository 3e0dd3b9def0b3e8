"""A terminal shows the control characters of what is printed, and does not obey them.

Names and comments of a file from a stranger are printed; a terminal that is told to clear itself,
to change its title or to type for the user would obey. A pipe or a file gets every character.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

# all but line ends and tabs, and those that turn the direction of writing; the colours of a
# report's marks (`playout.report.as_text`) stay
_CONTROLS = re.compile(
    "(\x1b\\[(?:0|2|31|32)m)|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


class PlainTerminal(TextIOWrapper):
    """Standard output that is a terminal."""

    def write(self, text: str) -> int:
        return super().write(visible(text))


def visible(text: str) -> str:
    r"""A text with its control characters written out.

    >>> print(visible("title \x1b]0;mine\x07"))
    title \x1b]0;mine\x07
    """
    return _CONTROLS.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


@contextmanager
def plain_terminal() -> Iterator[None]:
    """In a block, print to a terminal so; `sys.__stdout__` is the terminal itself."""
    before = sys.stdout
    if not isinstance(before, TextIOWrapper) or not before.isatty():
        yield
        return
    before.flush()
    plain = PlainTerminal(before.buffer, before.encoding, before.errors, line_buffering=True)
    sys.stdout = plain
    try:
        yield
    finally:
        sys.stdout = before
        plain.detach()  # the terminal stays open
