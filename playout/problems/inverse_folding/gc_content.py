"""G+C content between bounds: which numbers of G and C a game can still end with."""

from __future__ import annotations

import math

import numpy as np

from playout.errors import OptionError


def gc_bounds(low: float, high: float, n: int) -> tuple[int, int]:
    """Bounds in percent as numbers of bases."""
    if not 0 <= low <= high <= 100:
        raise OptionError(
            f"gc_min={low:g}, gc_max={high:g}: percentages from 0 to 100, the lower first"
        )
    # a hair's breadth of rounding may not cost a base
    first, last = math.ceil(low * n / 100 - 1e-9), math.floor(high * n / 100 + 1e-9)
    if first > last:
        raise OptionError(
            f"G+C between {low:g}% and {high:g}%: no number of {n} bases lies between them"
        )
    return first, last


def reachable(
    allowed: np.ndarray, strong: np.ndarray, bounds: tuple[int, int], n: int
) -> np.ndarray:
    """For each move still to come and each number of G and C so far: can the bounds be kept?"""
    sites = len(allowed)
    reach = np.zeros((sites + 1, n + 3), np.uint8)
    reach[sites, bounds[0] : bounds[1] + 1] = 1
    for site in range(sites - 1, -1, -1):
        for added in set(strong[site][allowed[site] > 0].tolist()):
            reach[site, : n + 1] |= reach[site + 1, added : n + 1 + added]
    return reach


def content_fault(allowed: np.ndarray, strong: np.ndarray, n: int, low: float, high: float) -> str:
    """Why no sequence has a G+C content within the bounds."""
    least = sum(int(s[a > 0].min()) for s, a in zip(strong, allowed, strict=True))
    most = sum(int(s[a > 0].max()) for s, a in zip(strong, allowed, strict=True))
    return (
        f"G+C between {low:g}% and {high:g}% is impossible: the target and its bases allow "
        f"{100 * least / n:.0f}% to {100 * most / n:.0f}%"
    )
