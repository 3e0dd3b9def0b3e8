"""Numbers as a person reads them: with the digits that their interval gives a meaning to.

2591 ± 53, -878.88 ± 0.25, 0.65 [0.52, 0.76], 29,037,026, 3.93e15 ± 0.12e15. And times as a person
writes them: 90, 1.5, 10m, 2h.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable

HUGE = 1e10  # from here on with an exponent
TINY = 1e-4
MISSING = "—"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, decimals: int | None = None) -> str:
    """A number with so many decimals; with None, six digits at most and no zeros at the end."""
    if not math.isfinite(value):
        return str(float(value))
    size = abs(value)
    if size >= HUGE or (0 < size < TINY and decimals is None):
        return _scientific(value, exponent_of(size), 4 if decimals is None else min(decimals, 6))
    if decimals is not None:
        return _grouped(f"{value:.{decimals}f}")
    places = 5 - exponent_of(size) if size else 0
    text = f"{value:.{max(0, places)}f}"
    return _grouped(text.rstrip("0").rstrip(".") if "." in text else text)


def estimate(
    value: float, low: float | None, high: float | None, share: bool = False
) -> tuple[str, str]:
    """A figure and its interval: ("2591", "± 53"), or ("0.65", "[0.52, 0.76]") if it is lopsided.

    The interval's text is empty if there is none. Its half-width keeps two digits; that of a
    share one, and its interval is always in brackets.
    """
    if low is None or high is None or not all(map(math.isfinite, (value, low, high))):
        return number(value), ""
    half = high / 2 - low / 2
    lopsided = share or abs((high - value) - (value - low)) > 0.04 * half
    if half <= 1e-9 * abs(value):
        plain = number(value)
        return plain, f"[{plain}, {plain}]" if share else "± 0"
    values = [value, low, high] if lopsided else [value, half]
    if share:
        decimals = min(max(2, -exponent_of(half)), 10)
        parts = [number(part, decimals) for part in values]
    else:
        parts = _alike(values, half)
    if lopsided:
        return parts[0], f"[{parts[1]}, {parts[2]}]"
    return parts[0], f"± {parts[1]}"


def printed(value: float, half: float | None, decimals: int) -> tuple[str, str]:
    """A paper's figure and its interval, with the decimals that the paper prints."""
    if not math.isfinite(value) or abs(value) >= HUGE:
        return number(value), "" if half is None else f"± {number(half)}"
    return number(value, decimals), "" if half is None else f"± {number(half, decimals)}"


def decimals_of(values: Iterable[float]) -> int:
    """The most decimals that any of some printed figures has."""
    most = 0
    for value in values:
        if math.isfinite(value) and abs(value) < HUGE:
            # twelve digits: less than what division by a unit leaves behind
            places = 11 - exponent_of(abs(value)) if value else 0
            text = f"{value:.{min(max(0, places), 12)}f}"
            most = max(most, len(text.rstrip("0").partition(".")[2]))
    return most


def exponent_of(size: float) -> int:
    """The power of ten of a number's first digit."""
    return int(f"{size:e}".partition("e")[2])


def power_of_ten(exponent: int) -> str:
    """10¹⁵."""
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def counted(count: int, what: str) -> str:
    """1 run, 2 runs, 10,000 runs."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def clock(seconds: float) -> str:
    """Seconds as 7 s, 1:30 or 2:00:00."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def unit_text(unit: float) -> str:
    """What figures are divided by: 1000, 10¹², 0.01."""
    exponent = exponent_of(abs(unit)) if unit else 0
    if exponent >= 4 and unit == float(f"1e{exponent}"):
        return power_of_ten(exponent)
    return number(unit)


def plain(text: str) -> str:
    """Text on one line, with a � for what cannot be shown (such as a terminal's control codes)."""
    words = " ".join(text.split())
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words
    )


def text_width(text: str) -> int:
    """How many places a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _alike(values: list[float], half: float) -> list[str]:
    """Numbers with as many decimals as the second digit of `half` needs."""
    largest = max(abs(value) for value in values)
    exponent = exponent_of(largest)
    if largest >= HUGE or largest < TINY:
        digits = min(max(exponent - exponent_of(half) + 1, 0), 6)
        return [_scientific(value, exponent, digits, trim=False) for value in values]
    decimals = min(max(1 - exponent_of(half), 0), 10)
    return [_grouped(f"{value:.{decimals}f}") for value in values]


def _scientific(value: float, exponent: int, decimals: int, trim: bool = True) -> str:
    # by text, since 10.0**exponent overflows at both ends
    head, _, power = f"{value:.17e}".partition("e")
    mantissa = f"{float(head) * 10.0 ** (int(power) - exponent):.{decimals}f}" if value else "0"
    if trim and "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{_unsigned_zero(mantissa)}e{exponent}"


def _grouped(text: str) -> str:
    """Thousands apart from 10,000 on, and no -0."""
    whole, point, rest = _unsigned_zero(text).partition(".")
    if len(whole.lstrip("-")) > 4:
        whole = f"{int(whole):,}"
    return whole + point + rest


def _unsigned_zero(text: str) -> str:
    return text.lstrip("-") if not text.strip("-0.") else text


UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_seconds(text: str) -> float:
    """Seconds, or a number with s, m, h or d behind it; not a number if it is neither.

    >>> parse_seconds("90"), parse_seconds("1.5"), parse_seconds("10m"), parse_seconds("soon")
    (90.0, 1.5, 600.0, nan)
    """
    match = re.fullmatch(r"([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([smhd]?)", text.strip().lower())
    seconds = float(match[1]) * UNITS[match[2]] if match else math.nan
    return seconds if 0 < seconds < math.inf else math.nan
