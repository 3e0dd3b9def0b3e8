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
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.algorithms import ALGORITHMS
from playout.cluster import crew_on
from playout.cluster.node_crew import NodeCrew
from playout.errors import DataError, OptionError
from playout.report.curves import Curves
from playout.stop import Playouts, Seconds, Stop, as_stop
from playout.study.conduct import conduct
from playout.study.kinds.solve import Solve
from playout.study.make_report import make_report
from playout.study.option_range import Range
from playout.study.plan import Plan, Settings, make_plan
from playout.study.specification import Cell, Experiment, Table
from playout.study.store.results_store import Store, open_store
from playout.study.store.row import now
from playout.study.tuned import Tuned, TuningSettings, TuningStanding
from playout.text.grammar import parse_named, value_text

FIRST_SEED_OF_TRIALS = 1_000  # the defaults have 1, 2, 3, ...
FIRST_SEED_OF_FINALS = 1_000_000_000
FINALISTS = 3
DEFAULT = "defaults"


def tune(
    problem: str,
    algorithm: str = "gnrpa",
    stop: Stop | float | str = 2.0,
    *,
    search: Sequence[str],
    instances: Sequence[str] = (),
    workers: int | None = 1,
    store: str | Path | None = None,
    progress: Callable[[TuningStanding], None] | None = None,
    cluster: str | None = None,
    **settings: Any,
) -> Tuned:
    """Search the options of an algorithm for those that do well over several instances.

    Parameters
    ----------
    problem, algorithm : text
        As on the command line; the options in the algorithm's text stay as they are.
    stop : Seconds or Playouts, seconds or text
        The budget of each run.
    search : sequence of text
        The options to search: `"alpha=0.1:10:log"`, `"level=1:4"`, `"diversity=none|score"`.
    instances : sequence of text
        As `solve` takes them; the problem's default if there is none.
    workers : int
        Runs at once, on threads; None on a cluster: as many as it has CPUs.
    store : path
        The results store, which keeps the trials; the user's own if none is given.
    cluster : str
        Have the workers on nodes of a Ray cluster, as `solve` does.
    settings
        `seconds` for the trials in all, `runs`, `final_runs`, `seed`: see `TuningSettings`.

    Examples
    --------
    >>> import tempfile, playout as po
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tuned = po.tune("maximum:n=15", "nrpa:level=1", "20 playouts", search=["alpha=0.5:2"],
    ...                     seconds=1, final_runs=2, store=f"{folder}/runs.sqlite")
    >>> tuned.command().startswith("playout solve maximum")
    True
    """
    stop = as_stop(stop)
    if not isinstance(stop, Seconds | Playouts):
        raise OptionError(f"{stop!r} is no budget of a run: give Seconds or Playouts")
    if not search:
        raise OptionError("name the options to tune, as in --search alpha=0.1:10:log")
    named = parse_named(algorithm, ALGORITHMS)
    ranges = [Range.parse(named.name, text) for text in search]
    _check_names([r.name for r in ranges], named.options)
    compiled = settings.pop("compiled", True)
    searches = [
        Solve.parse(problem, algorithm, instance, {}, compiled) for instance in instances or [""]
    ]
    budget = stop.seconds if isinstance(stop, Seconds) else stop.playouts
    chosen = TuningSettings(unit=str(stop), budget=float(budget), **settings)
    with crew_on(cluster, workers) as crew:
        runs = _TrialRuns(searches, chosen, crew.workers if crew else workers or 1, store, crew)
        study = _Study(_optuna(), runs, ranges, progress)
        return study.final(study.search())


def _check_names(searched: list[str], fixed: Mapping[str, Any]) -> None:
    for name in searched:
        if searched.count(name) > 1:
            raise OptionError(f"--search {name} is given twice")
        if name in fixed:
            raise OptionError(f"{name} is both fixed with -a and to be tuned")


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


class _TrialRuns:
    """Runs options on all instances, through the store."""

    def __init__(
        self,
        searches: Sequence[Solve],
        settings: TuningSettings,
        workers: int,
        store: str | Path | None,
        crew: NodeCrew | None,
    ) -> None:
        self.crew = crew
        self.searches = searches
        self.settings = settings
        self.workers = workers
        # in this process: a trial is too short for processes to be worth their start
        self.problems = {search.where(): search.load() for search in searches}
        self.codes = [search.code(self.problems[search.where()]) for search in searches]
        with open_store(store) as opened:
            self.path = opened.path.resolve()

    def scores(
        self, name: str, options: Mapping[str, Any], seeds: range, tell: Callable[[], None]
    ) -> list[np.ndarray]:
        """The scores on each instance."""
        columns = {DEFAULT: self.with_options(options)}
        plan = self.plan(name, columns, seeds)
        self.run(plan, tell, remember=False)
        with open_store(self.path, read_only=True) as opened:
            return [_scores(opened, plan, search, seeds) for search in columns[DEFAULT]]

    def run(self, plan: Plan, tell: Callable[[], None], remember: bool = True) -> None:
        """Do what is missing of a plan."""
        conduct(
            plan,
            store=self.path,
            workers=self.workers,
            progress=lambda standing: tell(),
            problems=self.problems,
            remember=remember,
            crew=self.crew,
        )

    def with_options(self, options: Mapping[str, Any]) -> list[Solve]:
        """The searches with other options."""
        changed = [replace(s, options={**s.options, **options}) for s in self.searches]
        for search in changed:
            search.check()
        return changed

    def plan(self, name: str, columns: Mapping[str, Sequence[Solve]], seeds: range) -> Plan:
        """Every column on every instance."""
        budget = self.settings.budget
        cells = [
            Cell(searches[number].where(), column, budget, (searches[number],))
            for number in range(len(self.searches))
            for column, searches in columns.items()
        ]
        table = Table(
            "1",
            "mean cost" if self.searches[0].sense == "min" else "mean score",
            tuple(cells),
            lower=self.searches[0].sense == "min",
            seconds=budget,
            playouts=max(1, round(budget)),
            runs=len(seeds),
            row_title="instance",
            first_seed=seeds.start,
        )
        title = f"Tuning of {self.searches[0].algorithm}"
        return make_plan(Experiment(name, title, (table,)), Settings(by=self.settings.unit))


class _Study:
    """The trials of Optuna, those that the store has among them."""

    def __init__(
        self,
        optuna: Any,
        runs: _TrialRuns,
        ranges: Sequence[Range],
        progress: Callable[[TuningStanding], None] | None,
    ) -> None:
        self.optuna = optuna
        self.runs = runs
        self.ranges = ranges
        self.name = _study_name(runs, ranges)
        self._progress = progress
        self._began = time.perf_counter()
        self._study = self._new_study(runs.settings.seed)

    def _new_study(self, seed: int) -> Any:
        sampler = self.optuna.samplers.TPESampler(seed=seed, multivariate=True)
        return self.optuna.create_study(direction="maximize", sampler=sampler)

    def search(self) -> list[Any]:
        """Try options until the time is over; the trials that were finished."""
        settings, runs = self.runs.settings, self.runs
        tell = self._teller("defaults")
        tell()
        reference = runs.scores(self.name, {}, range(1, max(5, settings.runs) + 1), tell)
        for search, usual in zip(runs.searches, reference, strict=True):
            if not np.isfinite(usual).all():
                key = search.key()
                raise DataError(f"{key}: its scores are not all finite: no gain can be told")
        self._recall()
        study = self._study
        self._began = time.perf_counter()
        while time.perf_counter() - self._began < settings.seconds:
            tell = self._teller("trials", max(self._finished(), key=_value, default=None))
            tell()
            trial, values = self._ask()
            first = FIRST_SEED_OF_TRIALS + len(study.trials) * settings.runs
            try:
                seeds = range(first, first + settings.runs)
                value = gain(runs.scores(self.name, self._options(values), seeds, tell), reference)
            except OptionError:  # options that do not go together
                value = math.nan
            if not math.isfinite(value):
                study.tell(trial, state=self.optuna.trial.TrialState.FAIL)
                continue
            study.tell(trial, value)
            with open_store(runs.path) as opened:
                opened.add_trial(self.name, values, value, now())
        return self._finished()

    def final(self, trials: list[Any]) -> Tuned:
        """The best trials and the defaults, on seeds that no trial has had."""
        if not trials:
            raise DataError(
                "no trial was finished: give a longer --budget, or options that go together"
            )
        runs, searches = self.runs, self.runs.searches
        ranked = sorted(trials, key=lambda trial: -_value(trial))[:FINALISTS]
        columns: dict[str, Sequence[Solve]] = {DEFAULT: list(searches)}
        chosen: dict[str, dict[str, Any]] = {}
        for trial in ranked:
            text = " ".join(f"{key}={_short(value)}" for key, value in trial.params.items())
            chosen[text] = self._options(trial.params)
            columns[text] = runs.with_options(chosen[text])
        first = FIRST_SEED_OF_FINALS + len(self._study.trials)
        seeds = range(first, first + runs.settings.final_runs)
        plan = runs.plan(f"{self.name} final", columns, seeds)
        runs.run(plan, self._teller("final", ranked[0]))
        with open_store(runs.path, read_only=True) as opened:
            report = make_report(opened, plan)
            scores = {
                column: [_scores(opened, plan, search, seeds) for search in own]
                for column, own in columns.items()
            }
        gains = {column: gain(scores[column], scores[DEFAULT]) for column in chosen}
        best = max(gains, key=lambda column: gains[column])
        found = replace(searches[0], options={**searches[0].options, **chosen[best]})
        return Tuned(found, len(trials), report, gains[best] >= 0)

    def _teller(self, what: str, best: Any = None) -> Callable[[], None]:
        """What tells how far the study is, with the best trial so far."""

        def tell() -> None:
            if self._progress is not None:
                spent = time.perf_counter() - self._began
                left = max(0.0, self.runs.settings.seconds - spent)
                value, params = (None, {}) if best is None else (best.value, best.params)
                trials = 0 if what == "defaults" else len(self._study.trials)
                self._progress(TuningStanding(trials, spent, left, value, params, what))

        return tell

    def _options(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The options that the values of a trial stand for."""
        return {space.name: space.option(values[space.name]) for space in self.ranges}

    def _finished(self) -> list[Any]:
        """The trials that were neither refused nor broken off."""
        return [trial for trial in self._study.trials if trial.value is not None]

    def _ask(self) -> tuple[Any, dict[str, Any]]:
        """A trial of Optuna's choice, and its values."""
        trial = self._study.ask()
        return trial, {space.name: space.suggest(trial) for space in self.ranges}

    def _recall(self) -> None:
        """Tell Optuna the trials that the store has: it goes on as if it had never ended.

        It is asked for each of them again, so that its random numbers are where they were. Trials
        that it does not choose, such as those of another seed, it is given.
        """
        with open_store(self.runs.path, read_only=True) as opened:
            kept = [
                (options, value)
                for options, value in opened.trials(self.name)
                if set(options) == {space.name for space in self.ranges}
                and all(space.holds(options[space.name]) for space in self.ranges)
            ]
        for options, value in kept:
            trial, values = self._ask()
            while not self._go_together(values):  # which is no trial to keep
                self._study.tell(trial, state=self.optuna.trial.TrialState.FAIL)
                trial, values = self._ask()
            if values != options:
                self._study = self._new_study(self.runs.settings.seed + len(kept))
                self._give(kept)
                return
            self._study.tell(trial, value)

    def _give(self, trials: list[tuple[dict[str, Any], float]]) -> None:
        make = self.optuna.trial.create_trial
        space = {r.name: r.distribution(self.optuna) for r in self.ranges}
        for options, value in trials:
            self._study.add_trial(make(params=options, distributions=space, value=value))

    def _go_together(self, values: Mapping[str, Any]) -> bool:
        try:
            self.runs.with_options(self._options(values))
        except OptionError:
            return False
        return True


def _value(trial: Any) -> float:
    return float(trial.value)


def _scores(store: Store, plan: Plan, search: Solve, seeds: range) -> np.ndarray:
    """The scores at the end of the budget, as the report has them; of costs, minus them."""
    table = plan.tables[0]
    name, budget = plan.experiment.name, table.budget * (1 - 1e-9)
    of_it = (
        "experiment = ? AND cell = ? AND unit = ? AND verified = 1 AND seed >= ? AND seed < ? "
        "AND budget >= ?"
    )
    asked = (name, search.key(), table.unit, seeds.start, seeds.stop, budget)
    rows = sorted(store.runs(("seed", "curve"), of_it, asked))
    if not rows:
        raise DataError(f"{search.key()}: no run was verified by its replay")
    scores = Curves([curve for _, curve in rows], table.unit).at(table.budget)
    return -scores if search.sense == "min" else scores  # more is a gain


def _study_name(runs: _TrialRuns, ranges: Sequence[Range]) -> str:
    """A name that is the same for the same question to the same program."""
    keys, settings, first = [s.key() for s in runs.searches], runs.settings, runs.searches[0]
    asked = keys, list(ranges), settings.unit, settings.budget, settings.runs, runs.codes
    mark = hashlib.blake2b(repr((*asked, __version__)).encode(), digest_size=4).hexdigest()
    return f"tune {first.problem} {first.algorithm} {mark}"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else value_text(value)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise DataError("tuning needs Optuna: pip install 'playout[tune]'") from None
    import warnings

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    return optuna
