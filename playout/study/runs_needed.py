"""How many runs it would take to tell the columns of a table apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

from playout.statistics import runs_to_tell, share_error
from playout.study.cell_figures import Sample
from playout.study.specification import Table

MOST = 100_000  # what is over this is said to be


def runs_needed(first: str, samples: Mapping[str, Sample], table: Table) -> str:
    """A sentence on the columns that are not told apart from the first; empty if there are none.

    `samples` are those columns in the last line, and the first.
    """
    parts = []
    for column, sample in samples.items():
        if column == first:
            continue
        one, other = spread(samples[first], table), spread(sample, table)
        if one is not None and other is not None:
            needed = runs_to_tell(one[0] - other[0], one[1], other[1])
            if needed > 0:
                parts.append(f"{column} {about(needed)}")
    if not parts:
        return ""
    return (
        f"runs of each to tell a column from {first} in the last line, if they differ as they do "
        f"here, at the 5% level four times in five: {', '.join(parts)}"
    )


def spread(sample: Sample, table: Table) -> tuple[float, float] | None:
    """The mean of a search's scores and their variance; None if the runs do not tell."""
    if table.measure not in ("mean", "success") or len(sample.scores) > 1 or sample.runs() < 2:
        return None
    runs = sample.runs()
    if table.is_share():
        reached, of = sample.successes(table)
        return reached / of, share_error(reached, of) ** 2 * (of + 4)
    error, mean = sample.error(), sample.mean()
    if not math.isfinite(error) or not math.isfinite(mean):
        return None
    if found := sample.points():
        return mean, error**2 * (found[1] + 4) / sample.games
    return mean, error**2 * runs


def about(runs: float) -> str:
    """A number of runs in words, rounded up to two digits."""
    if runs > MOST:
        return f"over {MOST:,}"
    digits = max(0, len(str(int(runs))) - 2)
    return f"about {math.ceil(runs / 10**digits) * 10**digits:,}"
