"""What happens to a search, as JSON lines for another program: `playout solve --events`.

One object a line, with its kind in `event`:

- `compiling`;
- `progress`, four times a second: `seconds`, `playouts`, `rate`, `best`, `runs`, `left` (about how
  many seconds, or null), `doing`;
- `improved`, at most twice a second: `points`, the improvements since the last one, each [seconds,
  playouts, score], `from`, how many there were before, and `records`, the best moves;
- `finished`: the result, as `--json` prints it;
- `failed`: `error`, in one line.

They are told by a thread of its own, which looks at the search: nothing is called on the search's.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playout.compiled.compile_errors import fault_line
from playout.run.result import moves_to_lists
from playout.run.search import Search
from playout.stop import Progress, Stop
from playout.text.repeating import repeating

EVERY = 0.25  # seconds between two looks
MOVES_EVERY = 0.5  # between two best sequences

Tell = Callable[[dict[str, Any]], None]


def event_line(event: dict[str, Any]) -> str:
    """An event as a line of JSON, which has no infinity: such numbers are written as text.

    >>> event_line({"event": "progress", "best": -math.inf})
    '{"event":"progress","best":"-inf"}'
    """
    return json.dumps(written(event), separators=(",", ":"), allow_nan=False)


def written(value: Any) -> Any:
    """Data as JSON can have it: infinities and what is no number as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {key: written(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [written(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


class SearchEvents:
    """Looks at a search and tells what is new."""

    def __init__(self, search: Search, stop: Stop, tell: Tell) -> None:
        self._search, self._stop, self._tell = search, stop, tell
        self._points = 0  # of the curve, that were told
        self._moves_at = -math.inf

    def look(self, last: bool = False) -> None:
        """Tell what is new; moves only now and then, unless it is the last look."""
        seen = self._search.look(self._points)
        if seen.progress is None:
            return
        now = time.monotonic()
        if seen.curve and seen.best and (last or now - self._moves_at >= MOVES_EVERY):
            self._tell(
                {
                    "event": "improved",
                    "from": self._points,
                    "points": seen.curve,
                    "records": moves_to_lists(seen.best.moves),
                }
            )
            self._points, self._moves_at = self._points + len(seen.curve), now
        self._tell({"event": "progress", **_figures(seen.progress, self._stop)})


def _figures(progress: Progress, stop: Stop) -> dict[str, Any]:
    left = stop.seconds_left(progress)
    playouts = stop.playouts_left(progress)
    if math.isfinite(playouts) and progress.rate > 0:
        left = min(left, playouts / progress.rate)
    return {
        "seconds": progress.seconds,
        "playouts": progress.playouts,
        "rate": progress.rate,
        "best": progress.best,
        "runs": progress.runs,
        "left": max(left, 0.0) if math.isfinite(left) else None,
        "doing": progress.doing,
    }


@contextmanager
def telling(search: Search, stop: Stop, tell: Tell) -> Iterator[None]:
    """Tell the events of a search that runs in this block, on a thread; at its end all of them."""
    events = SearchEvents(search, stop, tell)
    tell({"event": "compiling"})
    try:
        with repeating(events.look, EVERY, "events"):
            yield
    except Exception as error:
        tell({"event": "failed", "error": fault_line(error)})
        raise
    events.look(last=True)
