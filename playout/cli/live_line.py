"""The live line of a run in a terminal: best score, playouts, speed and time left."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.text import Text

    from playout.stop import Progress, Stop

BAR = 10  # characters


class Line(Protocol):
    """A context in which a run reports its progress."""

    def __enter__(self) -> Line: ...

    def __exit__(self, *error: Any) -> None: ...

    def update(self, progress: Progress) -> None:
        """Show the state of the run."""


class NoLine:
    """Shows nothing."""

    def __enter__(self) -> NoLine:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    def update(self, progress: Progress) -> None:
        return None


class LiveLine:
    """A line on stderr that is drawn again and again, and taken away at the end."""

    def __init__(self, stop: Stop, first: str, score: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        self._stop = stop
        self._score = score
        self._first = first  # shown until the search begins
        self._began = time.perf_counter()
        self._progress: Progress | None = None
        self._live = Live(
            console=Console(stderr=True), transient=True, refresh_per_second=8,
            get_renderable=self._draw,
        )  # fmt: skip

    def __enter__(self) -> LiveLine:
        self._live.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self._live.stop()

    def update(self, progress: Progress) -> None:
        self._progress = progress

    def _draw(self) -> Text:
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ellipsis")
        progress = self._progress
        if progress is None:
            return text.append(f"{self._first} {clock(time.perf_counter() - self._began)}")
        done, left = how_far(self._stop, progress)
        if done is not None:
            full = round(done * BAR)
            text.append("━" * full, "cyan").append("━" * (BAR - full) + "  ", "dim")
        if self._score:
            best = f"{progress.best:.10g}" if progress.playouts else "-"
            text.append("best ").append(best, "bold green").append("  ")
        text.append(f"{progress.playouts:,} playouts  {progress.rate:,.0f}/s  ")
        text.append(clock(progress.seconds))
        if math.isfinite(left):
            text.append(f", {clock(left)} left", "dim")
        return text


def live_line(wanted: bool, stop: Stop, first: str, score: bool = True) -> Line:
    """A live line if it is wanted and stderr is a terminal; `score`: with the best score."""
    return live(wanted, lambda: LiveLine(stop, first, score))


def live(wanted: bool, make: Callable[[], Line]) -> Line:
    """A line that is made if it is wanted and stderr is a terminal."""
    return make() if wanted and sys.stderr.isatty() else NoLine()


def how_far(stop: Stop, progress: Progress) -> tuple[float | None, float]:
    """What part of the run is done (None if nobody knows), and about how many seconds are left."""
    playouts_left = stop.playouts_left(progress)
    left = stop.seconds_left(progress)
    if math.isfinite(playouts_left) and progress.rate > 0:
        left = min(left, playouts_left / progress.rate)
    if not math.isfinite(left):
        return None, math.inf
    left = max(left, 0.0)
    total = progress.seconds + left
    return (progress.seconds / total if total > 0 else 1.0), left


def clock(seconds: float) -> str:
    """Seconds as 7 s, 1:30 or 2:00:00."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def waiting(text: str) -> Iterator[Callable[[str], None]]:
    """Show in a terminal that something is going on; what is given may say how far it is."""
    if not sys.stderr.isatty():
        yield lambda more: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield lambda more: status.update(f"{text} {more}")
