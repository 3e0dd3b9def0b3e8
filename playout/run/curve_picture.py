"""The curve of a run as a picture: how its best score rose."""

from __future__ import annotations

from collections.abc import Sequence

from playout.pictures.chart import Curve, Picture, notebook_svg

FIRST = 1e-3  # seconds: what was earlier is drawn there, on an axis that is logarithmic


def curve_svg(curve: Sequence[Sequence[float]], seconds: float, algorithm: str, what: str) -> str:
    """A curve of [seconds, playouts, score], for a notebook; empty if there is nothing to draw.

    `what` is what it shows: the best score, or cost.
    """
    points: list[tuple[float, float, float, float]] = []
    for time, _, score in curve:
        x = max(time, FIRST)
        if points:  # the score before holds until then
            points.append((x, *points[-1][1:]))
        points.append((x, score, score, score))
    if not points:
        return ""
    points.append((max(seconds, points[-1][0]), *points[-1][1:]))
    drawn = Picture("", "seconds", (Curve(algorithm, tuple(points), 1),))
    return notebook_svg(drawn, what)
