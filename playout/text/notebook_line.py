"""The live line in a notebook: what is known of a run under way, drawn again while a cell runs.

It needs no widgets: an output of the cell is replaced, and emptied at the end. All runs of a cell
share one output.
"""

from __future__ import annotations

import html
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playout.text.live_words import Shown
from playout.text.numbers import clock
from playout.text.repeating import repeating

EVERY = 0.5  # seconds

_cell: tuple[int, Any] = (-1, None)  # the number of a cell and its output


@contextmanager
def watched(
    progress: Callable[[Any], None] | None,
    show: Callable[[Any], Shown | None],
    first: str = "starting ...",
) -> Iterator[Callable[[Any], None] | None]:
    """What a run is to report its progress to: who was given, or the notebook's line if any."""
    shell = _notebook()
    if progress is not None or shell is None:
        yield progress
        return
    line = NotebookLine(_output(shell), show, first)
    try:
        with repeating(line.draw, EVERY, "notebook"):
            yield line.note
    finally:
        line.clear()


class NotebookLine:
    """A line that is drawn again and again into an output."""

    def __init__(self, output: Any, show: Callable[[Any], Shown | None], first: str) -> None:
        self._output, self._show, self._first = output, show, first
        self._progress: Any = None
        self._began = time.perf_counter()

    def note(self, progress: Any) -> None:
        """Note how far the run is."""
        self._progress = progress

    def html(self) -> str:
        """The line as it is now."""
        shown = None if self._progress is None else self._show(self._progress)
        shown = shown or Shown([f"{self._first} {clock(time.perf_counter() - self._began)}"])
        share = "" if shown.share is None else f" value='{min(shown.share, 1.0):.3f}'"
        words = (word if isinstance(word, str) else word[0] for word in shown.words)
        text = html.escape("".join(words))
        return f"<progress{share}></progress> <span style='white-space:pre'>{text}</span>"

    def draw(self) -> None:
        """Draw the line as it is now."""
        self._replace(self.html())

    def clear(self) -> None:
        """Empty the output."""
        self._replace("")

    def _replace(self, text: str) -> None:
        self._output.update({"text/html": text, "text/plain": ""}, raw=True)


def _notebook() -> Any:
    """The shell of the notebook whose cell this thread runs, if it is one."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    return shell if threading.current_thread() is threading.main_thread() else None


def _output(shell: Any) -> Any:
    """The output of the cell that is run just now, made when it is first asked for."""
    global _cell
    from IPython.display import display

    if _cell[0] != shell.execution_count:
        empty = {"text/html": "", "text/plain": ""}
        _cell = shell.execution_count, display(empty, raw=True, display_id=True)
    return _cell[1]
