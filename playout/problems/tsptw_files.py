"""TSPTW instances as data and files, tours as pictures: checked, drawn at random, read, shown.

The format is the common one of the M. Lopez-Ibanez and C. Blum collection: n, then n rows of the
distance matrix (service times included), then n lines `earliest latest`, the depot first. What
follows a `#` is a comment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from playout.errors import DataError, OptionError
from playout.problems.tsptw_referee import Visit
from playout.text.input_files import Line, lines_of

MOST_NODES = 2000
MOST_TIME = 1e9


def checked_tables(distance: Any, windows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both tables as arrays of their own; DataError if they make no instance."""
    try:
        d, w = np.array(distance, np.float64), np.array(windows, np.float64)
    except (TypeError, ValueError):
        raise DataError("the distances and windows are tables of numbers") from None
    if d.ndim != 2 or d.shape[0] != d.shape[1] or not 1 <= len(d) <= MOST_NODES:
        raise DataError(f"the distances are a square table of 1 to {MOST_NODES} nodes")
    if w.shape != (len(d), 2):
        raise DataError(f"the windows are {len(d)} pairs, earliest and latest")
    for table in (d, w):
        if not ((table >= 0) & (table <= MOST_TIME)).all():
            raise DataError(f"distances and times are numbers from 0 to {MOST_TIME:g}")
    if (w[:, 0] > w[:, 1]).any():
        raise DataError(f"the window of node {int(np.argmax(w[:, 0] > w[:, 1]))} closes first")
    return d, w


def random_instance(
    seed: int, n: int, width: float
) -> tuple[list[list[float]], list[tuple[float, float]]]:
    """Distances and windows of n nodes, as `TSPTW.random` tells."""
    if not 1 <= n <= MOST_NODES:
        raise OptionError(f"n={n}: a whole number from 1 to {MOST_NODES}")
    if not 0 <= width <= MOST_TIME:
        raise OptionError(f"width={width}: a number from 0 to {MOST_TIME:g}")
    rng = Random(seed)  # its random() is promised to stay the same for ever
    points = [(int(rng.random() * 101), int(rng.random() * 101)) for _ in range(n)]
    distance = [
        [round(math.sqrt((a - c) ** 2 + (b - d) ** 2), 2) for c, d in points] for a, b in points
    ]
    windows = [(0.0, 0.0)] * n
    here, time, left = 0, 0.0, list(range(1, n))
    while left:
        near = sorted(left, key=lambda node: distance[here][node])[:3]
        there = near[int(rng.random() * len(near))]
        left.remove(there)
        time += distance[here][there]
        opens = max(0.0, math.floor(time - rng.random() * width))
        windows[there] = (opens, math.ceil(time + rng.random() * width))
        here = there
    windows[0] = (0.0, math.ceil(time + distance[here][0] + width))
    return distance, windows


def parse_instance(text: str, source: str) -> tuple[np.ndarray, np.ndarray]:
    """The distance matrix and the windows in the text of a file."""
    lines = lines_of(text, source)

    def next_line(what: str) -> Line:
        line = next(lines, None)
        if line is None:
            raise DataError(f"{source}: the file ends where {what} should be")
        return line

    first = next_line("the number of nodes")
    if len(first.words) != 1:
        first.fail(f"{len(first.words)} numbers, but it should be the number of nodes alone")
    n = first.whole_numbers()[0]
    if not 1 <= n <= MOST_NODES:
        first.fail(f"{n} nodes; from 1 to {MOST_NODES} are handled")
    distance, windows = np.zeros((n, n)), np.zeros((n, 2))
    for i in range(n):
        line = next_line(f"row {i + 1} of {n} of the distances")
        row = line.numbers(MOST_TIME)
        if len(row) != n:
            line.fail(f"{len(row)} numbers, but each of the {n} rows of distances has {n}")
        distance[i] = row
    for i in range(n):
        line = next_line(f"time window {i + 1} of {n}")
        window = line.numbers(MOST_TIME)
        if len(window) != 2:
            line.fail(f"{len(window)} numbers, but a time window is two: earliest and latest")
        if window[0] > window[1]:
            line.fail(f"the window opens at {line.words[0]}, after it closes at {line.words[1]}")
        windows[i] = window
    extra = next(lines, None)
    if extra is not None:
        extra.fail(f"more text after the last of {n} time windows")
    return distance, windows


def instance_text(distance: np.ndarray, windows: np.ndarray) -> str:
    """An instance as the text of a file, every number exact."""
    rows = [[str(len(distance))]]
    rows += [[_exact(value) for value in row] for row in distance.tolist()]
    rows += [[_exact(value) for value in window] for window in windows.tolist()]
    return "".join(" ".join(row) + "\n" for row in rows)


def _exact(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def draw_text(visits: Sequence[Visit], windows: Sequence[tuple[float, float]], summary: str) -> str:
    """A tour as a table with arrival times and windows, missed windows marked."""
    lines = [summary, f"{'node':>5} {'arrival':>10} {'leaves':>10}   window"]
    for visit in visits:
        earliest, latest = windows[visit.node]
        if visit.late:
            note = f"   MISSED by {visit.arrival - latest:.2f}"
        elif visit.begin > visit.arrival:
            note = f"   waits {visit.begin - visit.arrival:.2f}"
        else:
            note = ""
        lines.append(
            f"{visit.node:>5} {visit.arrival:>10.2f} {visit.begin:>10.2f}   "
            f"{earliest:g} to {latest:g}{note}"
        )
    return "\n".join(lines)


_ROW, _LEFT, _WIDE, _TOP = 16, 52, 640, 40


def draw_svg(
    visits: Sequence[Visit],
    waiting: Sequence[int],
    windows: Sequence[tuple[float, float]],
    summary: str,
) -> str:
    """A chart of time windows: a row a stop in the order of the tour, then nodes not visited.

    A bar is a window, a tick an arrival, a dotted line the wait for the window to open; what is
    late is red. The files have no coordinates, so there is no map to draw.
    """
    stops = [visit.node for visit in visits] + list(waiting)
    ends = [windows[node][1] for node in stops if node != 0]
    horizon = max([visit.begin for visit in visits] + ends + [1e-9]) * 1.02
    bottom = _TOP + _ROW * len(stops)
    across, down = _LEFT + _WIDE + 16, bottom + 28

    def x(time: float) -> float:
        return round(_LEFT + _WIDE * min(time, horizon) / horizon, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" '
        f'height="{down}" font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{across}" height="{down}" fill="#fff"/>',
        f'<text x="8" y="20" font-size="13">{summary}</text>',
    ]
    step = _round_step(horizon / 8)
    for k in range(int(horizon / step) + 1):
        across_at = x(k * step)
        parts.append(
            f'<path d="M{across_at} {_TOP - 6}V{bottom + 4}" stroke="#ddd"/>'
            f'<text x="{across_at}" y="{bottom + 18}" text-anchor="middle">{k * step:g}</text>'
        )
    for i, node in enumerate(stops):
        y = _TOP + _ROW * i
        visit = visits[i] if i < len(visits) else None
        late = visit is not None and visit.late
        left, right = x(windows[node][0]), x(windows[node][1])
        colour = "#f3b8b3" if late else "#b7cfe6" if visit else "#e4e4e4"
        name = "depot" if node == 0 else str(node)
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y + 11}" text-anchor="end">{name}</text>'
            f'<rect x="{left}" y="{y + 3}" width="{max(right - left, 1.5):.1f}" '
            f'height="{_ROW - 6}" rx="2" fill="{colour}"/>'
        )
        if visit is None:
            continue
        tick, begin = x(visit.arrival), x(visit.begin)
        ink = "#c0392b" if late else "#1f4e79"
        if begin > tick:
            parts.append(
                f'<path d="M{tick} {y + 8}H{begin}" stroke="{ink}" stroke-dasharray="2 2"/>'
            )
        parts.append(f'<path d="M{tick} {y + 1}v{_ROW - 2}" stroke="{ink}" stroke-width="2"/>')
    parts.append("</svg>")
    return "\n".join(parts)


def row_point(row: int) -> tuple[float, float]:
    """Where the name of a row is in the chart."""
    return _LEFT - 14.0, _TOP + _ROW * row + 7.0


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... and their tenths that is at least `least`."""
    size = 10.0 ** np.floor(np.log10(least))
    return float(next(size * k for k in (1, 2, 5, 10) if size * k >= least * 0.999))
