"""The picture of a classifier around an input: the paper's Figure 2."""

from __future__ import annotations

from collections.abc import Sequence

from playout.pictures.chart import Curve, Picture, svg
from playout.zonnscan.zones import Scan


def draw_scans(scans: Sequence[Scan], names: Sequence[str], samples: int, title: str) -> str:
    """The index by radius, dotted, and a curve for each class, as SVG."""

    def curve(name: str, values: list[tuple[float, float]], stands_out: bool) -> Curve:
        points = []
        for scan, (mean, error) in zip(scans, values, strict=True):
            # what is nearer to 0 than can be seen is 0: the axis is the paper's, not logarithmic
            middle, half = round(mean, 3), round(1.96 * error, 3)
            points.append((scan.radius, middle, max(0.0, middle - half), middle + half))
        return Curve(name, tuple(points), samples, stands_out)

    curves = [curve("zoNNscan", [(scan.index, scan.error) for scan in scans], True)]
    for c, name in enumerate(names):
        values = [(float(s.confidences[c]), float(s.confidence_errors[c])) for s in scans]
        curves.append(curve(name, values, False))
    return svg(Picture(title, "radius", tuple(curves)), y_title="index, mean confidence")
