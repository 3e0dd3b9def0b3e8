"""What a table shows of its runs: the mean score, the best, or those that reach a target.

A cell may stand for several searches, such as the total over many instances: means and bests
are added up, and shares are of the sums. "Solved" is the share times the number of searches: with
one run of each it is the number of instances solved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from playout.report.report import Summary
from playout.statistics import (
    fisher,
    half_width,
    mean_of,
    points_differ,
    share_error,
    standard_error,
    welch,
    wilson,
)
from playout.study.specification import Figure, Table


@dataclass(frozen=True)
class Sample:
    """The scores behind a cell: an array for each search.

    `games`: how many games a score is the share of that were won; 0 if it is no such share.
    """

    scores: tuple[np.ndarray, ...]
    games: int = 0

    def points(self) -> tuple[float, int] | None:
        """The points and of how many games, where that is what the scores are."""
        if not self.games or len(self.scores) > 1:
            return None
        values = self.scores[0]
        if not ((values >= 0) & (values <= 1)).all():  # rewards of another kind
            return None
        return float(values.sum()) * self.games, len(values) * self.games

    def runs(self) -> int:
        """How many runs the search with the fewest has."""
        return min(len(values) for values in self.scores)

    def mean(self) -> float:
        return sum(map(mean_of, self.scores))

    def error(self) -> float:
        """The standard error of the mean; 0 if there are too few runs to tell."""
        if found := self.points():
            return share_error(*found)
        if self.runs() < 2:
            return 0.0
        return math.hypot(*map(standard_error, self.scores))

    def successes(self, table: Table) -> tuple[int, int]:
        """How many runs reach the table's target, and of how many."""
        reached = sum(int(reaches(values, table).sum()) for values in self.scores)
        return reached, sum(len(values) for values in self.scores)


def reaches(values: np.ndarray, table: Table) -> np.ndarray:
    """Which scores reach a table's target; minus infinity stands for no score at all."""
    assert table.target is not None
    if table.has_costs():
        return (values <= table.target) & (values > -math.inf)
    return values >= table.target


def summary(sample: Sample, table: Table) -> Summary:
    """Our figure of a cell."""
    runs = sample.runs()
    if table.measure == "best":
        best_of = np.min if table.has_costs() else np.max
        best = sum(float(best_of(values)) for values in sample.scores)
        return Summary(best / table.unit, None, None, runs)
    if table.is_share():
        reached, of = sample.successes(table)
        low, high = wilson(reached, of)
        if table.measure == "success":
            return Summary(reached / of, low, high, of)
        searches = len(sample.scores)
        return Summary(searches * reached / of, searches * low, searches * high, runs)
    mean = sample.mean() / table.unit
    if found := sample.points():
        low, high = sorted(end / table.unit for end in wilson(*found))
        return Summary(mean, low, high, runs)
    half = half_width(sample.error(), runs - 1) / table.unit if runs > 1 else math.nan
    if not math.isfinite(mean - half):  # one run, or an infinite score
        return Summary(mean, None, None, runs)
    return Summary(mean, mean - half, mean + half, runs)


def compare_with_paper(sample: Sample, paper: Figure, table: Table) -> float | None:
    """The probability that a paper's figure and ours are the same; None if no test can tell."""
    if table.measure == "solved":
        searches, runs = len(sample.scores), max(1, table.paper_runs)
        theirs = round(paper.value * runs)
        return fisher(*sample.successes(table), theirs, searches * runs)
    if table.measure in ("best", "count", "rank") or sample.runs() < 2:
        return None
    if table.measure == "success":
        if not table.paper_runs:
            return None
        theirs = round(paper.value * table.paper_runs)
        return fisher(*sample.successes(table), theirs, table.paper_runs)
    if (found := sample.points()) and table.paper_runs:
        theirs_games = table.paper_runs * sample.games
        return points_differ(*found, paper.value * table.unit * theirs_games, theirs_games)
    if paper.half is not None:
        error = paper.half * table.unit / 1.96
    elif table.paper_runs:
        error = sample.error() * math.sqrt(sample.runs() / table.paper_runs)
    else:
        error = 0.0
    if error == 0 and sample.error() == 0 and paper.value * table.unit != sample.mean():
        return None  # nothing says how far runs go apart
    theirs_mean, theirs_runs = paper.value * table.unit, table.paper_runs or 2
    return welch(sample.mean(), sample.error(), sample.runs(), theirs_mean, error, theirs_runs)


def compare_samples(sample: Sample, other: Sample, table: Table) -> float | None:
    """The probability that two searches are equally good; None if no test can tell."""
    if table.measure != "solved":
        if table.measure in ("best", "count", "rank") or min(sample.runs(), other.runs()) < 2:
            return None
    if table.is_share():
        return fisher(*sample.successes(table), *other.successes(table))
    if (ours := sample.points()) and (theirs := other.points()):
        return points_differ(*ours, *theirs)
    return welch(
        sample.mean(), sample.error(), sample.runs(), other.mean(), other.error(), other.runs()
    )
