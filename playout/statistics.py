"""Means with intervals, and whether two of them differ.

- The interval of a mean is Student's t; of a share, Wilson's.
- Two means are compared by Welch's t-test. A paper that prints no spread is taken to have ours.
- A share is compared with another by Fisher's exact test. Outcomes of games are shares, too.
- Runs that all have the same score have no spread that a t-test could use: they are compared by how
  few of the ways to part them are like that.
- Several comparisons at once are corrected by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count

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

    None if one of them is infinite. If neither has any spread, it is that of a parting into so many
    runs that are all alike and so many others: with two of each that is one in three.
    """
    from scipy.special import stdtr

    if not all(map(math.isfinite, (mean, error, other, other_error))):
        return None
    larger = max(error, other_error)
    if larger == 0:
        return 1.0 if mean == other else min(1.0, 2 / math.comb(runs + other_runs, runs))
    a, b = (error / larger) ** 2, (other_error / larger) ** 2
    freedom = (a + b) ** 2 / (a**2 / max(1, runs - 1) + b**2 / max(1, other_runs - 1))
    t = abs(mean / larger - other / larger) / math.sqrt(a + b)
    return float(2 * stdtr(freedom, -t))


def share_error(successes: float, runs: int) -> float:
    """The standard error of a share, over 0 (A. Agresti and B. Coull, 1998)."""
    share = (successes + 2) / (runs + 4)
    return math.sqrt(share * (1 - share) / (runs + 4))


def points_differ(points: float, games: int, other: float, other_games: int) -> float:
    """The probability of two shares of points that differ this much or more.

    Parts of a point are rounded so that the shares come nearer to one another, which makes the test
    no bolder: half points spread less than wins and losses.

    >>> points_differ(9.5, 10, 2.5, 10) == fisher(9, 10, 3, 10)
    True
    """
    higher = points / games > other / other_games
    points, other = round(points, 6), round(other, 6)
    whole = math.floor(points) if higher else math.ceil(points)
    whole_other = math.ceil(other) if higher else math.floor(other)
    if (whole / games > whole_other / other_games) != higher:
        return 1.0
    return fisher(whole, games, whole_other, other_games)


def runs_to_tell(
    difference: float, variance: float, other_variance: float, level: float = LEVEL
) -> float:
    """The runs of each of two searches that tell them apart, at a level, four times in five.

    They are as far apart as this, and these are the variances of their scores. Runs without any
    spread are told as soon as they part like that by chance more rarely than the level.

    >>> runs_to_tell(1, 0, 0)  # four and four part so in 2 of 70 cases
    4.0
    """
    from scipy.special import ndtri

    if difference == 0:
        return math.inf
    if variance == other_variance == 0:
        return float(next(n for n in count(2) if 2 / math.comb(2 * n, n) < level))
    quantiles = float(ndtri(1 - level / 2) + ndtri(0.8))
    return quantiles**2 * (variance + other_variance) / difference**2


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


def sign_test(better: int, pairs: int) -> float:
    """The probability of so many pairs, or more, on one side if each side is as likely.

    >>> sign_test(6, 6) == 2 / 2**6
    True
    """
    fewer = min(better, pairs - better)
    return min(1.0, 2 * sum(math.comb(pairs, k) for k in range(fewer + 1)) / 2**pairs)


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
