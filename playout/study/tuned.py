"""What a tuning is asked for, how far it is, and what it found."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.report.report import Report
from playout.study.kinds.solve import Solve
from playout.text.grammar import value_text
from playout.text.numbers import counted


@dataclass(frozen=True)
class TuningStanding:
    """How far a study is."""

    trials: int
    seconds: float
    seconds_left: float
    best: float | None
    best_options: Mapping[str, Any]
    what: str  # "defaults", "trials" or "final"


@dataclass(frozen=True)
class Tuned:
    """What a study found, and the last comparison with the defaults.

    Examples
    --------
    >>> import tempfile, playout as po
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tuned = po.tune("maximum:n=9", "nrpa:level=1", "20 playouts", search=["alpha=0.5:2"],
    ...                     seconds=0.2, final_runs=2, store=f"{folder}/runs.sqlite")
    >>> tuned.search.algorithm
    'nrpa'
    """

    search: Solve  # with the options that were found, on the first instance
    trials: int
    report: Report
    better: bool  # whether the best options were not below the defaults on fresh seeds

    def save(self, path: str | Path) -> None:
        """Write the last comparison, as a report is written."""
        self.report.save(path)

    def __str__(self) -> str:
        return f"{self.report}\n\nafter {counted(self.trials, 'trial')}, use\n  {self.command()}"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def command(self) -> str:
        """The command line that uses the options, on the first instance of all seeds."""
        search = self.search
        words = ["playout", "solve", search.problem]
        words += [search.instance_of(1)] if search.instance else []
        for name, value in search.problem_options.items():
            words += ["-p", f"{name}={value_text(value)}"]
        words += ["-a", search.algorithm]
        for name, value in search.options.items():
            words += ["-o", f"{name}={value_text(value)}"]
        return shlex.join([*words, *([] if search.compiled else ["--interpreted"])])


@dataclass(frozen=True)
class TuningSettings:
    """How much is tried.

    Attributes
    ----------
    unit, budget : "seconds" or "playouts", number
        The budget of each run.
    seconds : float
        For the trials in all; the defaults before and the final comparison after are extra.
    runs : int
        Runs of a trial on each instance.
    final_runs : int
        Runs of the finalists and of the defaults on each instance, with fresh seeds.
    seed : int
        Of Optuna's choices.
    """

    unit: str = "seconds"
    budget: float = 2.0
    seconds: float = 600.0
    runs: int = 1
    final_runs: int = 10
    seed: int = 1
