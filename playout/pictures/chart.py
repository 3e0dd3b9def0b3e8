"""Anytime curves with their 95% bands as SVG, drawn without any library.

Each curve has its name at the right, beside where it ends. From the ninth curve on the lines are
dashed. The drawing follows the reader's light or dark scheme.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from html import escape

from playout.pictures.axis import (
    LOGARITHMIC,
    SMALLEST,
    Axis,
    count_label,
    drawable,
    settled,
    time_label,
    x_axis,
    y_axis,
)
from playout.pictures.look import LIGHT, in_scheme, resource, with_colours
from playout.text.numbers import counted, estimate, plain, text_width

COLOURS = 8  # of curves, --c0 to --c7 in tokens.css
_escaped = partial(escape, quote=False)
DASHES = ("", "7 4", "2 3", "10 3 2 3")

LETTER = 7.0  # the width of a letter of the labels, on the safe side
MARKERS = 24  # points that are drawn as dots; also how many of a curve can be pointed at
LINE_POINTS = 400  # of a curve, at most
LABEL_GAP = 15.0  # between the names at the right
SINGLE_GAP = 12.0  # between points that are alone

Point = tuple[float, float, float, float]


@dataclass(frozen=True)
class Curve:
    """The mean score over time (or playouts) of one column, with its 95% band.

    One that `stands_out` is dotted, in the colour of the text.
    """

    name: str
    points: tuple[Point, ...]  # x, mean, low, high
    runs: int
    stands_out: bool = False


@dataclass(frozen=True)
class Picture:
    """Curves that are drawn together."""

    title: str
    x_title: str  # "seconds" or "playouts", logarithmic, or another, linear
    curves: tuple[Curve, ...]


Drawn = tuple[int, Curve, list[Point]]  # which of the curves it is, and what is drawn of it


@dataclass(frozen=True)
class _Place:
    """The plot's rectangle and its axes."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    y: Axis

    def across(self, value: float) -> float:
        return self.left + self.width * self.x.place(value)

    def up(self, value: float) -> float:
        return self.top + self.height * (1 - self.y.place(value))


def svg(
    picture: Picture,
    width: int = 720,
    height: int = 380,
    *,
    y_title: str = "mean score",
    styled: bool = True,
) -> str:
    """A picture as an SVG file; without its colours if a page has them already (`style`)."""
    curves = [
        (number, curve, _points(curve, 0.0 if picture.x_title not in LOGARITHMIC else SMALLEST))
        for number, curve in enumerate(picture.curves)
    ]
    curves = [entry for entry in curves if entry[2]]
    title = plain(picture.title)
    body = [_text(14, 21, _cut(title, width - 28, LETTER * 1.2), "title")]
    if curves:
        body += _plot(picture, curves, width, height, y_title)
    else:
        words = "No run has gone far enough to be drawn."
        body.append(_text(width / 2, height / 2, words, "middle"))
    label = _quoted(title or "anytime curves")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label={label} '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            *([f"<style>{style()}</style>"] if styled else []),
            *body,
            "</svg>\n",
        ]
    )


@cache
def style() -> str:
    """The colours and lines of a chart that stands alone, as CSS on one line."""
    return with_colours(resource("chart.css"))


def notebook_svg(picture: Picture, y_title: str) -> str:
    """A picture for a notebook, light on a light ground: its page may have another scheme."""
    rules = "".join(in_scheme(resource("chart.css"), LIGHT).splitlines())
    drawn = svg(picture, y_title=y_title, styled=False)
    return f'<style>{rules}</style><div style="background:#fff">{drawn}</div>'


def _plot(
    picture: Picture,
    curves: list[Drawn],
    width: int,
    height: int,
    y_title: str,
) -> list[str]:
    points = [point for _, _, some in curves for point in some]
    y = y_axis([p[1] for p in points], [p[2] for p in points], [p[3] for p in points])
    names = {number: plain(curve.name) for number, curve, _ in curves}
    longest = max(map(text_width, names.values())) * LETTER
    right = min(longest, 0.36 * width) + 48
    left = 34 + LETTER * max((text_width(label) for _, label in y.ticks), default=1)
    across = width - left - right
    x = x_axis([p[0] for p in points], picture.x_title, max(2, int(across // 58)))
    place = _Place(left, 40, across, height - 40 - 50, x, y)
    if y.factor:
        y_title += f" (\N{MULTIPLICATION SIGN}{y.factor})"
    parts = _axes(place, _x_title(picture.x_title), y_title)
    single = [number for number, _, some in curves if len(some) == 1]
    places = {number: place for number, *_ in curves}
    for i, number in enumerate(single):  # side by side, or they would hide each other
        aside = SINGLE_GAP * (i - (len(single) - 1) / 2)
        places[number] = replace(place, left=place.left + aside)
    parts += [_band(places[number], _look(number, curve), some) for number, curve, some in curves]
    seconds = picture.x_title == "seconds"
    for number, curve, some in curves:
        parts += _curve(places[number], number, curve, some, seconds)
    return [*parts, *_names(place, curves, names, right - 48)]


def _axes(place: _Place, x_title: str, y_title: str) -> list[str]:
    right, bottom = place.left + place.width, place.top + place.height
    parts = []
    for value, label in place.y.ticks:
        y = place.up(value)
        parts.append(f'<path class="grid" d="M{place.left:.1f} {y:.1f}H{right:.1f}"/>')
        parts.append(_text(place.left - 7, y + 4, label, "end"))
    for value, label in place.x.ticks:
        x = place.across(value)
        parts.append(f'<path class="grid" d="M{x:.1f} {place.top:.1f}V{bottom:.1f}"/>')
        parts.append(_text(x, bottom + 17, label, "middle"))
    parts.append(f'<path class="axis" d="M{place.left:.1f} {bottom:.1f}H{right:.1f}"/>')
    parts.append(_text(place.left + place.width / 2, bottom + 38, x_title, "middle soft"))
    middle = place.top + place.height / 2
    turned = f'transform="rotate(-90 14 {middle:.1f})"'
    parts.append(_text(14, middle, y_title, "middle soft", turned))
    return parts


def _band(place: _Place, look: str, points: list[Point]) -> str:
    if len(points) == 1:
        x, _, low, high = points[0]
        ends = f"M{place.across(x):.1f} {place.up(low):.1f}V{place.up(high):.1f}"
        return f'<path class="whisker {look}" d="{ends}"/>'
    above = [f"{place.across(x):.1f} {place.up(high):.1f}" for x, _, _, high in points]
    below = [f"{place.across(x):.1f} {place.up(low):.1f}" for x, _, low, _ in reversed(points)]
    return f'<path class="band {look}" d="M{"L".join(above + below)}Z"/>'


def _curve(
    place: _Place, number: int, curve: Curve, points: list[Point], seconds: bool
) -> list[str]:
    name = plain(curve.name)
    runs = counted(curve.runs, "run")
    dots = len(points) <= MARKERS
    parts = [f'<g class="curve {_look(number, curve)}" data-name={_quoted(name)}>']
    line = "L".join(f"{place.across(x):.1f} {place.up(mean):.1f}" for x, mean, *_ in points)
    tip = f"<title>{_escaped(f'{name} ({runs})')}</title>"
    if len(points) > 1:
        parts.append(f'<path class="line" {_dashes(number, curve)}d="M{line}">{tip}</path>')
    for x, mean, low, high in points if dots else _thinned(points, MARKERS):
        at = time_label(x) if seconds else count_label(x)
        bounds = (low, high) if high > low else (None, None)
        value = " ".join(estimate(mean, *bounds)).strip()
        parts.append(
            f'<circle class="{"dot" if dots else "spot"}" cx="{place.across(x):.1f}" '
            f'cy="{place.up(mean):.1f}" r="2.6" data-at={_quoted(at)} '
            f"data-value={_quoted(value)}>"
            f"<title>{_escaped(f'{name}, {at}: {value} ({runs})')}</title></circle>"
        )
    return [*parts, "</g>"]


def _names(
    place: _Place,
    curves: list[Drawn],
    names: dict[int, str],
    room: float,
) -> list[str]:
    """The names at the right, each as near to the end of its curve as the others let it be."""
    ends = sorted((place.up(points[-1][1]), number, points[-1][0]) for number, _, points in curves)
    by_number = {number: curve for number, curve, _ in curves}
    places = spread([end for end, _, _ in ends], place.top, place.top + place.height)
    right = place.left + place.width
    parts = []
    for (end, number, x), y in zip(ends, places, strict=True):
        curve = by_number[number]
        title = f"<title>{_escaped(names[number])}</title>"
        parts.append(f'<g class="name {_look(number, curve)}">{title}')
        if place.across(x) > right - 2:
            parts.append(
                f'<path class="lead" d="M{right + 2:.1f} {end:.1f}L{right + 13:.1f} {y:.1f}"/>'
            )
        sample = f"M{right + 13:.1f} {y:.1f}H{right + 35:.1f}"
        parts.append(f'<path class="line" {_dashes(number, curve)}d="{sample}"/>')
        parts.append(_text(right + 39, y + 4, _shortened(names[number], room + 2), "") + "</g>")
    return parts


def spread(wanted: list[float], top: float, bottom: float) -> list[float]:
    """Places in order, near to those wanted, apart from each other and within bounds."""
    last = len(wanted) - 1
    gap = min(LABEL_GAP, (bottom - top) / max(1, last))
    groups: list[tuple[float, int]] = []  # where a run of close neighbours begins, and how many
    for value in wanted:
        first, count = value, 1
        while groups and groups[-1][0] + groups[-1][1] * gap > first:
            before, size = groups.pop()
            # together they stand where their members want to be on the average
            first = (before * size + (first - size * gap) * count) / (size + count)
            count += size
        groups.append((first, count))
    places = [first + i * gap for first, count in groups for i in range(count)]
    return [
        min(max(place, top + i * gap), bottom - (last - i) * gap) for i, place in enumerate(places)
    ]


def _points(curve: Curve, least: float) -> list[Point]:
    """The points that can be drawn, by x; a band that has no place shrinks to the mean."""
    points = []
    for x, mean, low, high in sorted(p for p in curve.points if p[0] == p[0]):
        if x >= least and drawable(x) and drawable(mean):
            low = min(low, mean) if drawable(low) else mean
            high = max(high, mean) if drawable(high) else mean
            points.append((x, settled(mean), settled(low), settled(high)))
    return _thinned(points, LINE_POINTS)


def _thinned(points: list[Point], most: int) -> list[Point]:
    """At most so many points, the first and the last among them."""
    if len(points) <= most:
        return points
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]


def _x_title(title: str) -> str:
    return {"seconds": "time", "playouts": "playouts"}.get(title, plain(title))


def _text(x: float, y: float, words: str, kind: str, more: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{kind}{" " + more if more else ""}>{_escaped(words)}</text>'
    )


def _cut(words: str, room: float, letter: float) -> str:
    """A text that fits: its end is left out if it is too long."""
    if text_width(words) * letter <= room:
        return words
    while words and (text_width(words) + 1) * letter > room:
        words = words[:-1]
    return words.rstrip() + "…"


def _shortened(name: str, room: float) -> str:
    """A name that fits, without its middle if it is too long: names often differ in the end."""
    most = int(room // LETTER)
    if text_width(name) <= most:
        return name
    tail = name[-(most // 2) :]
    return _cut(name, (most - text_width(tail)) * LETTER, LETTER) + tail


def _look(number: int, curve: Curve) -> str:
    return "ink" if curve.stands_out else f"c{number % COLOURS}"


def _dashes(number: int, curve: Curve) -> str:
    dashes = "2 3" if curve.stands_out else DASHES[number // COLOURS % len(DASHES)]
    return f'stroke-dasharray="{dashes}" ' if dashes else ""


def _quoted(words: str) -> str:
    """A text as the value of an attribute."""
    return '"' + _escaped(words).replace('"', "&quot;") + '"'
