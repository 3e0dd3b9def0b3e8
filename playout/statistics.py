"""Means with intervals, and whether two of them differ.

- The interval of a mean is Student's t; of a share, Wilson's.
- Two means are compared by Welch's t-test. A paper that prints no spread is taken to have ours.
- A share is compared with another by Fisher's exact test.
- Several comparisons at once are corrected by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

LEVEL = 0.05


def mean_interval(values: Sequence[float] | np.ndarray) -> tuple[float, float | None]:
    """The mean and the half-width of its 95% interval; None with fewer than two values."""
    if len(values) < 2:
        return mean_of(values), None
    return mean_of(values), half_width(standard_error(values), len(values) - 1)


def mean_of(values: Sequence[float] | np.ndarray) -> float:
    """The mean; infinite if one of the values is."""
    values = np.asarray(values, float)
    scale = _scale(values)
    with np.errstate(invalid="ignore"):
        return float((values / scale).mean()) * scale


def standard_error(values: Sequence[float] | np.ndarray) -> float:
    """The standard error of a mean of at least two values; not a number if one is infinite."""
    values = np.asarray(values, float)
    scale = _scale(values)
    with np.errstate(invalid="ignore"):
        return float((values / scale).std(ddof=1) / math.sqrt(len(values))) * scale


def _scale(values: np.ndarray) -> float:
    """What to divide by where sums or squares would be beyond what a number can hold."""
    largest = float(np.abs(values).max())
    return 1.0 if 1e-100 < largest < 1e100 or largest in (0.0, math.inf) else largest


def half_width(error: float, freedom: float) -> float:
    """The half-width of a 95% interval from a standard error."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - LEVEL / 2)) * error


def wilson(successes: float, runs: int) -> tuple[float, float]:
    """The 95% interval of a share (E. B. Wilson, 1927)."""
    z = 1.959963984540054
    share = successes / runs
    middle = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z / (1 + z * z / runs) * math.sqrt(share * (1 - share) / runs + (z / runs / 2) ** 2)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == runs else min(1.0, middle + half)
    return low, high


def welch(
    mean: float, error: float, runs: int, other: float, other_error: float, other_runs: int
) -> float | None:
    """The probability of such a difference between two means that are equal (B. L. Welch, 1947).

    None if one of them is infinite.
    """
    from scipy.special import stdtr

    if not all(map(math.isfinite, (mean, error, other, other_error))):
        return None
    larger = max(error, other_error)
    if larger == 0:
        return 1.0 if mean == other else 0.0
    a, b = (error / larger) ** 2, (other_error / larger) ** 2
    freedom = (a + b) ** 2 / (a**2 / max(1, runs - 1) + b**2 / max(1, other_runs - 1))
    t = abs(mean / larger - other / larger) / math.sqrt(a + b)
    return float(2 * stdtr(freedom, -t))


def fisher(successes: int, runs: int, other: int, other_runs: int) -> float:
    """The probability of two shares that differ this much or more (R. A. Fisher's exact test)."""
    total, chosen = runs + other_runs, successes + other
    lowest, highest = max(0, chosen - other_runs), min(runs, chosen)
    ways = [
        _log_choose(runs, k) + _log_choose(other_runs, chosen - k)
        for k in range(lowest, highest + 1)
    ]
    seen = ways[successes - lowest]
    base = _log_choose(total, chosen)
    return min(1.0, sum(math.exp(way - base) for way in ways if way <= seen + 1e-7))


def holm(probabilities: Sequence[float]) -> list[float]:
    """The probabilities corrected for their number (S. Holm, 1979)."""
    order = sorted(range(len(probabilities)), key=lambda place: probabilities[place])
    corrected = [0.0] * len(probabilities)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * probabilities[place]))
        corrected[place] = highest
    return corrected


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
