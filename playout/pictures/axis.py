"""The axes of a chart: which range, which scale, and where the ticks are.

Times and playouts are on a logarithmic axis, other counts on a linear one. Scores are on a linear
one, unless all have one sign and they span more than three decades.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from playout.text.numbers import exponent_of, number, power_of_ten

LOGARITHMIC = ("seconds", "playouts")  # titles of x
LINEAR, LOG, NEGATIVE_LOG = "linear", "log", "negative log"
DECADES = 3  # more than these between the scores: a logarithmic axis
LARGEST = 1e200  # what is beyond is left out, so that differences and quotients stay finite
ZERO = 1e-100  # what is nearer to zero is drawn there
SMALLEST = 1e-12  # time or number of playouts

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
SMALL_UNITS = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
COUNT_UNITS = ((1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"))


@dataclass(frozen=True)
class Axis:
    """A range of values laid out from 0 to 1, with its ticks: a value and a label each.

    `factor` is what the labels of very large values are divided by, as the title then says.
    """

    low: float
    high: float
    scale: str
    ticks: tuple[tuple[float, str], ...]
    factor: str = ""

    def place(self, value: float) -> float:
        """Where a value is; what lies outside is put on the edge."""
        low, high = _warp(self.low, self.scale), _warp(self.high, self.scale)
        if self.scale == LOG and value <= 0:
            return 0.0
        if self.scale == NEGATIVE_LOG and value >= 0:
            return 1.0
        return min(1.0, max(0.0, (_warp(value, self.scale) - low) / (high - low)))


def drawable(value: float) -> bool:
    """Whether a value has a place on an axis."""
    return math.isfinite(value) and abs(value) < LARGEST


def settled(value: float) -> float:
    """A value without the last hair's breadth from zero."""
    return value if abs(value) >= ZERO else 0.0


def x_axis(values: Sequence[float], title: str, most: int) -> Axis:
    """The axis of times or playouts, logarithmic, or of something else, linear; `most` ticks."""
    low, high = min(values), max(values)
    if high <= low * (1 + 1e-9):
        low, high = low / 2, high * 2
    if title not in LOGARITHMIC:
        return linear_axis(low, high, most)
    times = title == "seconds"
    levels = (_fine_times(), _coarse_times()) if times else (_one_two_five(), _powers(1))
    label = time_label if times else count_label
    return Axis(low, high, LOG, tuple((v, label(v, 6)) for v in _ticks(levels, low, high, most)))


def y_axis(
    means: Sequence[float], lows: Sequence[float], highs: Sequence[float], most: int = 8
) -> Axis:
    """The axis of scores for some means and their bands."""
    bottom, top = min(means), max(means)
    if bottom > 0 and top / bottom > 10**DECADES:
        low = max(min([bottom, *(v for v in lows if v > 0)]), bottom / 10)
        high = min(max(highs), top * 10)
        return _log_axis(low, high, most)
    if top < 0 and bottom / top > 10**DECADES:
        low = max(min(lows), bottom * 10)
        high = min(max([top, *(v for v in highs if v < 0)]), top / 10)
        mirrored = _log_axis(-high, -low, most)
        ticks = tuple((-value, f"-{label}") for value, label in reversed(mirrored.ticks))
        return Axis(-mirrored.high, -mirrored.low, NEGATIVE_LOG, ticks)
    # a few very wide bands, as two runs have them, may not flatten the curves
    halves = [(high - low) / 2 for low, high in zip(lows, highs, strict=True)]
    reach = max(top - bottom, 1.5 * median(halves))
    low, high = max(min(lows), bottom - reach), min(max(highs), top + reach)
    room = (high - low) * 0.05
    if room <= 1e-12 * max(abs(low), abs(high)):
        room = abs(top) * 0.05 or 1.0
    return linear_axis(low - room, high + room, most)


def linear_axis(low: float, high: float, most: int) -> Axis:
    """A linear axis with ticks at multiples of 1, 2, 2.5 or 5; large values are divided down."""
    step = nice_step((high - low) / most)
    values = _multiples(low, high, step)
    exponent = exponent_of(max(abs(low), abs(high)))
    shift = 3 * (exponent // 3) if exponent >= 7 or exponent < -3 else 0
    factor = 10.0**shift
    decimals = next((d for d in range(15) if _whole(step / factor * 10**d)), 15)
    ticks = tuple((v, number(round(v / factor, 15), decimals)) for v in values)
    return Axis(low, high, LINEAR, ticks, power_of_ten(shift) if shift else "")


def nice_step(smallest: float) -> float:
    """The first of 1, 2, 2.5 and 5 times a power of ten that is no smaller."""
    power = 10.0 ** exponent_of(smallest)
    for factor in (1, 2, 2.5, 5):
        if factor * power >= smallest * (1 - 1e-9):
            return factor * power
    return 10 * power


def time_label(seconds: float, digits: int = 3) -> str:
    """10 ms, 1 s, 5 min, 2 h, 3 d."""
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if seconds >= unit * (1 - 1e-9):
            return f"{number(_rounded(seconds / unit, digits))} {name}"
    return _with_prefix(seconds, SMALL_UNITS, " ", digits)


def count_label(count: float, digits: int = 3) -> str:
    """20, 1k, 50k, 1M."""
    if count >= 1e15:
        return power_of_ten(exponent_of(count)) if _whole(math.log10(count)) else number(count)
    return _with_prefix(count, COUNT_UNITS, "", digits)


def _with_prefix(value: float, units: Sequence[tuple[float, str]], gap: str, digits: int) -> str:
    size, name = next((u for u in reversed(units) if value >= u[0] * (1 - 1e-9)), units[0])
    return f"{number(_rounded(value / size, digits))}{gap}{name}"


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def _log_axis(low: float, high: float, most: int) -> Axis:
    room = (high / low) ** 0.04
    low, high = low / room, high * room
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = -(-(last - first + 1) // most)
    powers = [k for k in range(first, last + 1) if k % every == 0]
    texts = [number(10.0**k) if -4 < k < 6 else power_of_ten(k) for k in powers]
    ticks = tuple((10.0**k, text) for k, text in zip(powers, texts, strict=True))
    return Axis(low, high, LOG, ticks)


def _ticks(
    levels: Sequence[Sequence[float]], low: float, high: float, most: int
) -> Sequence[float]:
    """The finest level of ticks that is not too many; linear ones in a narrow range."""
    found: list[float] = []
    for level in levels:
        found = [v for v in level if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]
        if len(found) <= most:
            break
    if len(found) < 2 and high / low < 10:
        return _multiples(low, high, nice_step((high - low) / min(most, 4)))
    return found[:: -(-len(found) // most)] if found else found


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def _powers(step: int, first: int = -12, last: int = 300) -> list[float]:
    return [float(f"1e{k}") for k in range(first, last, step)]


def _one_two_five() -> list[float]:
    return [float(f"{m}e{k}") for k in range(-12, 300) for m in (1, 2, 5)]


def _fine_times() -> list[float]:
    small = [v for v in _one_two_five() if v <= 20]
    days = [v * DAY for v in _one_two_five() if v >= 1]
    minutes = [m * MINUTE for m in (1, 2, 5, 10, 30)]
    return [*small, *minutes, *(h * HOUR for h in (1, 2, 5, 10)), *days]


def _coarse_times() -> list[float]:
    days = [v * DAY for v in _powers(1) if v >= 1]
    return [*(v for v in _powers(1) if v <= 10), MINUTE, 10 * MINUTE, HOUR, *days]


def _warp(value: float, scale: str) -> float:
    if scale == LINEAR:
        return value
    return math.log10(value) if scale == LOG else -math.log10(-value)


def _whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-9 * max(1.0, abs(value))
