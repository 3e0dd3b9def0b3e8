"""Finding good options of an algorithm over several instances, with Optuna (extra `tune`).

A trial is one set of options, run on every instance. Scores of different instances cannot be
added up, so a trial's value is its mean gain over the algorithm's own defaults, each instance in
units of the spread that the defaults have there. Trials and their runs are kept in the results
store: a study goes on where it was. At the end the best trials meet the defaults again with
seeds that the study has not seen, since the best of many is also the luckiest of many.
"""

from __future__ import annotations

import hashlib
import math
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.algorithms import ALGORITHMS
from playout.errors import DataError, OptionError, nearest
from playout.report.curves import Curves
from playout.report.report import Report
from playout.study.conduct import conduct, now
from playout.study.kinds.kinds import code_of, instance_of, load
from playout.study.kinds.runs import Solve, option_text
from playout.study.make_report import make_report
from playout.study.plan import Plan, Settings, make_plan
from playout.study.specification import Cell, Experiment, Table
from playout.study.standing import Standing
from playout.study.store.results_store import Store, open_store

FIRST_SEED_OF_TRIALS = 1_000  # the defaults have 1, 2, 3, ...
FIRST_SEED_OF_FINALS = 1_000_000_000
FINALISTS = 3
DEFAULT = "defaults"


@dataclass(frozen=True)
class Range:
    """The values of an option that are searched: from low to high, or one of some choices."""

    name: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] = ()

    @classmethod
    def parse(cls, algorithm: str, text: str) -> Range:
        """A range from NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=A|B|C."""
        name, sign, values = text.partition("=")
        usual = ALGORITHMS.find(algorithm)()
        options = usual.options()
        example = "as in alpha=0.1:10:log, level=1:4 or diversity=none|score"
        if not sign:
            raise OptionError(f"--search {text}: give NAME=LOW:HIGH, {example}")
        if name not in options:
            raise OptionError(f"{algorithm} has no option {name!r}; {nearest(name, options)}")
        if "|" in values or isinstance(options[name], bool | str):
            words = values.split("|") if "|" in values else values.split(":")
            parsed = [getattr(type(usual).from_text({name: word}), name) for word in words]
            return cls(name, choices=tuple(parsed))
        whole = isinstance(options[name], int)
        low, high, log = _bounds(text, values, example)
        if whole and (low != int(low) or high != int(high)):
            raise OptionError(f"--search {text}: {name} takes whole numbers")
        for bound in (low, high):
            value: dict[str, Any] = {name: int(bound) if whole else bound}
            type(usual)(**value)  # says what the option takes
        return cls(name, low, high, log, whole)

    def suggest(self, trial: Any) -> Any:
        """A value for an Optuna trial; a choice is a text there."""
        if self.choices:
            return trial.suggest_categorical(self.name, list(self._texts()))
        if self.whole:
            return trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log)
        return trial.suggest_float(self.name, self.low, self.high, log=self.log)

    def distribution(self, optuna: Any) -> Any:
        """The range as Optuna has it."""
        kinds = optuna.distributions
        if self.choices:
            return kinds.CategoricalDistribution(list(self._texts()))
        if self.whole:
            return kinds.IntDistribution(int(self.low), int(self.high), log=self.log)
        return kinds.FloatDistribution(self.low, self.high, log=self.log)

    def holds(self, value: Any) -> bool:
        """Whether a value of a trial is in the range."""
        if self.choices:
            return value in self._texts()
        return isinstance(value, int | float) and self.low <= value <= self.high

    def option(self, value: Any) -> Any:
        """The option that a value of a trial stands for."""
        return self._texts()[value] if self.choices else value

    def _texts(self) -> dict[str, Any]:
        return {option_text(choice): choice for choice in self.choices}


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
    """What a study found, and the last comparison with the defaults."""

    search: Solve  # with the options that were found, on the first instance
    trials: int
    report: Report
    better: bool  # whether the best options were not below the defaults on fresh seeds

    def command(self) -> str:
        """The command line that uses the options, on the first instance of all seeds."""
        search = self.search
        words = ["playout", "solve", search.problem]
        words += [instance_of(search, 1)] if search.instance else []
        for name, value in search.problem_options.items():
            words += ["-p", f"{name}={option_text(value)}"]
        words += ["-a", search.algorithm]
        for name, value in search.options.items():
            words += ["-o", f"{name}={option_text(value)}"]
        return shlex.join([*words, *([] if search.compiled else ["--interpreted"])])


def tune(
    searches: Sequence[Solve],
    ranges: Sequence[Range],
    *,
    unit: str,
    budget: float,
    seconds: float,
    runs: int = 1,
    final_runs: int = 10,
    seed: int = 1,
    workers: int = 1,
    store: str | Path | None = None,
    progress: Callable[[TuningStanding], None] | None = None,
) -> Tuned:
    """Tune the options of one algorithm over several instances.

    Parameters
    ----------
    searches : sequence of Solve
        The algorithm with its fixed options, on each instance.
    ranges : sequence of Range
        The options to search.
    unit, budget : "seconds" or "playouts", number
        The budget of each run.
    seconds : float
        For the trials in all; the defaults before and the final comparison after are extra.
    runs : int
        Runs of a trial on each instance.
    final_runs : int
        Runs of the finalists and of the defaults on each instance, with fresh seeds.
    """
    optuna = _optuna()
    bench = _Bench(searches, unit, budget, workers, store)
    name = _study_name(searches, ranges, unit, budget, runs, bench.codes)
    began = time.perf_counter()

    def told(what: str, trials: int, best: Any = None, options: Any = None) -> None:
        if progress is not None:
            spent = time.perf_counter() - began
            progress(
                TuningStanding(trials, spent, max(0.0, seconds - spent), best, options or {}, what)
            )

    told("defaults", 0)
    reference = bench.scores(name, {}, range(1, max(5, runs) + 1), lambda s: told("defaults", 0))
    for search, usual in zip(searches, reference, strict=True):
        if not np.isfinite(usual).all():
            raise DataError(f"{search.key()}: its scores are not all finite: no gain can be told")
    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True)
    )
    _recall(study, optuna, bench.path, name, ranges)
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        best = max(_finished(study), key=lambda trial: trial.value, default=None)
        shown = (best.value, best.params) if best is not None else (None, {})
        told("trials", len(study.trials), *shown)
        trial = study.ask()
        values = {space.name: space.suggest(trial) for space in ranges}
        first = FIRST_SEED_OF_TRIALS + len(study.trials) * runs
        try:
            scores = bench.scores(
                name, _options(ranges, values), range(first, first + runs),
                lambda s, shown=shown: told("trials", len(study.trials), *shown),  # type: ignore[misc]
            )  # fmt: skip
        except OptionError:  # options that do not go together
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        value = gain(scores, reference)
        if not math.isfinite(value):
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        study.tell(trial, value)
        with open_store(bench.path) as opened:
            opened.add_trial(name, values, value, now())
    return _final(study, searches, ranges, bench, name, final_runs, told)


def gain(scores: Sequence[np.ndarray], reference: Sequence[np.ndarray]) -> float:
    """The mean over instances of the gain over the defaults, in units of the defaults' spread.

    Where the defaults have no spread, a thousandth of their mean stands for it.
    """
    gains = []
    for ours, usual in zip(scores, reference, strict=True):
        spread = float(usual.std(ddof=1)) if len(usual) > 1 else 0.0
        if spread == 0:
            spread = abs(float(usual.mean())) / 1000 or 1.0
        gains.append((float(ours.mean()) - float(usual.mean())) / spread)
    return float(np.mean(gains))


class _Bench:
    """Runs options on all instances, through the store."""

    def __init__(
        self, searches: Sequence[Solve], unit: str, budget: float, workers: int,
        store: str | Path | None,
    ) -> None:  # fmt: skip
        self.searches = searches
        self.unit = unit
        self.budget = budget
        self.workers = workers
        # in this process: a trial is too short for processes to be worth their start
        self.problems = {search.where(): load(search) for search in searches}
        self.codes = [code_of(search, self.problems[search.where()]) for search in searches]
        with open_store(store) as opened:
            self.path = opened.path.resolve()

    def scores(
        self, name: str, options: Mapping[str, Any], seeds: range,
        progress: Callable[[Standing], None],
    ) -> list[np.ndarray]:  # fmt: skip
        """The scores on each instance."""
        columns = {DEFAULT: self.with_options(options)}
        plan = self.plan(name, columns, len(seeds), seeds.start)
        self.run(plan, progress, remember=False)
        with open_store(self.path, read_only=True) as opened:
            return [_scores(opened, plan, search, seeds) for search in columns[DEFAULT]]

    def run(self, plan: Plan, progress: Callable[[Standing], None], remember: bool = True) -> None:
        """Do what is missing of a plan."""
        conduct(
            plan, store=self.path, workers=self.workers, progress=progress,
            problems=self.problems, remember=remember,
        )  # fmt: skip

    def with_options(self, options: Mapping[str, Any]) -> list[Solve]:
        """The searches with other options."""
        changed = [replace(s, options={**s.options, **options}) for s in self.searches]
        for search in changed:
            ALGORITHMS.find(search.algorithm)(**search.options)
        return changed

    def plan(
        self, name: str, columns: Mapping[str, Sequence[Solve]], runs: int, first_seed: int
    ) -> Plan:
        """Every column on every instance."""
        cells = [
            Cell(search.where(), column, self.budget, (search,))
            for place in range(len(self.searches))
            for column, searches in columns.items()
            for search in [searches[place]]
        ]
        table = Table(
            "1", "mean score", tuple(cells), seconds=self.budget,
            playouts=max(1, round(self.budget)), runs=runs, row_title="instance",
            first_seed=first_seed,
        )  # fmt: skip
        settings = Settings(by=self.unit)
        return make_plan(
            Experiment(name, f"Tuning of {self.searches[0].algorithm}", (table,)), settings
        )


def _final(
    study: Any, searches: Sequence[Solve], ranges: Sequence[Range], bench: _Bench, name: str,
    runs: int, told: Callable[..., None],
) -> Tuned:  # fmt: skip
    """The best trials and the defaults, on seeds that no trial has had."""
    trials = _finished(study)
    if not trials:
        raise DataError(
            "no trial was finished: give a longer --budget, or options that go together"
        )
    ranked = sorted(trials, key=lambda trial: -trial.value)[:FINALISTS]
    columns: dict[str, Sequence[Solve]] = {DEFAULT: list(searches)}
    chosen: dict[str, dict[str, Any]] = {}
    for trial in ranked:
        text = " ".join(f"{key}={_short(value)}" for key, value in trial.params.items())
        chosen[text] = _options(ranges, trial.params)
        columns[text] = bench.with_options(chosen[text])
    first = FIRST_SEED_OF_FINALS + len(study.trials)
    plan = bench.plan(f"{name} final", columns, runs, first)
    best_options = ranked[0].value, ranked[0].params
    bench.run(plan, lambda s: told("final", len(study.trials), *best_options))
    seeds = range(first, first + runs)
    with open_store(bench.path, read_only=True) as opened:
        report = make_report(opened, plan)
        scores = {
            column: [_scores(opened, plan, search, seeds) for search in own]
            for column, own in columns.items()
        }
    gains = {column: gain(scores[column], scores[DEFAULT]) for column in chosen}
    best = max(gains, key=lambda column: gains[column])
    found = replace(searches[0], options={**searches[0].options, **chosen[best]})
    return Tuned(found, len(trials), report, gains[best] >= 0)


def _options(ranges: Sequence[Range], values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the values of a trial stand for."""
    return {space.name: space.option(values[space.name]) for space in ranges}


def _finished(study: Any) -> list[Any]:
    """The trials that were neither refused nor broken off."""
    return [trial for trial in study.trials if trial.value is not None]


def _scores(store: Store, plan: Plan, search: Solve, seeds: range) -> np.ndarray:
    """The scores at the end of the budget, as the report has them."""
    table = plan.tables[0]
    rows = store.rows(
        "SELECT curve FROM runs WHERE experiment = ? AND cell = ? AND unit = ? "
        "AND verified = 1 AND seed >= ? AND seed < ? AND budget >= ? ORDER BY seed",
        (
            plan.experiment.name, search.key(), table.unit, seeds.start, seeds.stop,
            table.budget * (1 - 1e-9),
        ),
    )  # fmt: skip
    if not rows:
        raise DataError(f"{search.key()}: no run was verified by its replay")
    return Curves([curve for (curve,) in rows], table.unit).at(table.budget)


def _recall(study: Any, optuna: Any, path: Path, name: str, ranges: Sequence[Range]) -> None:
    """Tell Optuna the trials that the store has."""
    space = {r.name: r.distribution(optuna) for r in ranges}
    with open_store(path, read_only=True) as opened:
        for options, value in opened.trials(name):
            if set(options) == set(space) and all(r.holds(options[r.name]) for r in ranges):
                study.add_trial(
                    optuna.trial.create_trial(params=options, distributions=space, value=value)
                )


def _study_name(
    searches: Sequence[Solve], ranges: Sequence[Range], unit: str, budget: float, runs: int,
    codes: Sequence[str],
) -> str:  # fmt: skip
    """A name that is the same for the same question to the same program."""
    keys = [search.key() for search in searches]
    question = repr((keys, list(ranges), unit, budget, runs, list(codes), __version__))
    mark = hashlib.blake2b(question.encode(), digest_size=4).hexdigest()
    return f"tune {searches[0].problem} {searches[0].algorithm} {mark}"


def _bounds(text: str, values: str, example: str) -> tuple[float, float, bool]:
    words = values.split(":")
    try:
        low, high = float(words[0]), float(words[1])
        log = words[2:] == ["log"]
        good = len(words) == 2 or (len(words) == 3 and log)
    except (ValueError, IndexError):
        low = high = math.nan
        log = good = False
    if not good or not low < high or not math.isfinite(high - low):
        raise OptionError(f"--search {text}: give NAME=LOW:HIGH, {example}")
    if log and low <= 0:
        raise OptionError(f"--search {text}: a logarithmic range begins over 0")
    return low, high, log


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else option_text(value)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise DataError("tuning needs Optuna: pip install 'playout[tune]'") from None
    import warnings

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    return optuna
