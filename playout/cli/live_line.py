"""The live line: what is known of a run under way, in a terminal and never in a pipe.

Every command has the same one. What it says of a run is a function from the run's progress to a
`Shown`: how far the run is, and words, each with a style of rich's if it has one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playout.cli.plain_terminal import visible
from playout.text.live_words import Shown, search_shown
from playout.text.numbers import clock

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from playout.stop import Stop

BAR = 10  # characters


class LiveLine:
    """A line on stderr that is drawn again and again, and taken away at the end.

    Parameters
    ----------
    show : function
        What to show of the progress that was reported last; None if that says nothing yet.
    first : str
        What to show until something is known, with the seconds that have passed.
    wanted : bool
        Nothing is shown if it is false, or if stderr is no terminal.
    safe : function, optional
        What to say at Ctrl-C, of the progress that was reported last (None: nothing was).
    """

    def __init__(
        self,
        show: Callable[[Any], Shown | None],
        first: str = "starting ...",
        wanted: bool = True,
        safe: Callable[[Any], str] | None = None,
    ) -> None:
        self.progress: Any = None
        self._show, self._first, self._wanted, self._safe = show, first, wanted, safe
        self._began = time.perf_counter()
        self._rich: RichProgress | None = None

    def __enter__(self) -> LiveLine:
        if self._wanted and sys.stderr.isatty():
            self._rich = _rich_line(self._shown)
            self._rich.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        if self._rich is not None:
            self._rich.stop()
        if kind is KeyboardInterrupt and self._safe is not None:
            raise KeyboardInterrupt(f"interrupted; {self._safe(self.progress)}")

    @property
    def drawn(self) -> bool:
        """Whether anybody sees it."""
        return self._rich is not None

    def update(self, progress: Any) -> None:
        """Note how far the run is; it is drawn a few times a second, whatever comes in."""
        self.progress = progress

    def _shown(self) -> Shown:
        known = None if self.progress is None else self._show(self.progress)
        return known or Shown([f"{self._first} {clock(time.perf_counter() - self._began)}"])


def waiting(text: str) -> LiveLine:
    """The line of something that takes a while; `update` may be given words on how far it is."""
    return LiveLine(lambda words: Shown([f"{text} {words}"]), text)


def search_line(stop: Stop, first: str, wanted: bool, score: bool = True) -> LiveLine:
    """The line of a search: best score (with `score`), playouts, speed and time left."""

    return LiveLine(lambda progress: search_shown(stop, progress, score), first, wanted)


def _rich_line(shown: Callable[[], Shown]) -> RichProgress:
    """The line as rich draws it: a bar or a wheel, then the words."""
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task
    from rich.progress_bar import ProgressBar
    from rich.table import Column
    from rich.text import Text

    class HowFar(SpinnerColumn):
        def render(self, task: Task) -> Any:
            share = shown().share
            if share is None:
                return super().render(task)
            return ProgressBar(
                1.0, min(share, 1.0), BAR, complete_style="cyan", finished_style="cyan"
            )

    class WhatIsKnown(ProgressColumn):
        def render(self, task: Task) -> Text:
            words = [(word, "") if isinstance(word, str) else word for word in shown().words]
            return Text.assemble(*((visible(word), style) for word, style in words))

    words = WhatIsKnown(Column(no_wrap=True, overflow="ellipsis"))
    progress = Progress(
        HowFar(),
        words,
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=8,
        # what is printed meanwhile stands above the line, but only if it goes to a terminal too
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
    )
    progress.add_task("", total=None)
    return progress
