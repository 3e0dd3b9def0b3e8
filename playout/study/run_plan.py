"""A plan from its first run to its report, and the reports of what a store knows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from playout.cluster import crew_on
from playout.errors import OptionError, nearest
from playout.report.report import Report
from playout.study.conduct import at_once, by_threads, conduct
from playout.study.make_report import make_report
from playout.study.plan import Plan, PlannedRun, Settings, make_plan
from playout.study.standing import Standing
from playout.study.store.results_store import Store, open_store
from playout.text.numbers import counted


def run_plan(
    plan: Plan,
    *,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[Standing], None] | None = None,
    say: Callable[[str], None] | None = None,
    pictures: bool = True,
    cluster: str | None = None,
) -> Report:
    """Do what a store lacks of a plan; the report of what it has then.

    `say` is told how much there is to do at most, and what cannot be run here; a report for people
    who see text only needs no `pictures`. Without a number of workers there are as many as there
    are cores for, or on a `cluster` as many as it has CPUs for.
    """
    tell = say or (lambda words: None)
    with crew_on(cluster, workers) as crew:
        tell(announcement(plan, lambda threads: at_once(threads, workers, crew)))
        outcome = conduct(
            plan,
            store=store,
            workers=workers,
            progress=progress,
            say=lambda reason: tell(f"left out: {reason}"),
            crew=crew,
        )
    with open_store(outcome.store, read_only=True) as opened:
        return make_report(opened, plan, outcome.left_out, pictures, outcome.codes)


def announcement(plan: Plan, workers: Callable[[int], int]) -> str:
    """How much there is to do at most, with so many workers for runs of so many threads."""
    planned = plan.planned_runs()
    text = f"{plan.experiment.name}: {counted(len(planned), 'run')}"
    parts = sorted({(run.budget, run.search.per) for run in planned if _is_in_parts(run)})
    if parts:  # how many moves a game has is not known
        text += f", with {' and '.join(f'{amount:g} s' for amount, _ in parts)} a {parts[0][1]}"
    planned = [run for run in planned if not _is_in_parts(run)]
    groups = by_threads(planned, lambda run: run.search)
    seconds = sum(
        sum(run.budget for run in some if run.unit == "seconds") / workers(threads)
        for threads, some in groups.items()
    )
    if seconds:
        most = max(map(workers, groups))
        text += f", at most {_about(seconds)} on {counted(most, 'worker')}"
        if seconds > 2 * 3600 and plan.settings.scale == 1:
            text += " (--scale 0.01, --seconds, --runs and --only make it shorter)"
    return text


def _is_in_parts(run: PlannedRun) -> bool:
    """Whether its seconds are those of a move, or another part of it."""
    return run.unit == "seconds" and bool(run.search.per)


def _about(seconds: float) -> str:
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{max(2, round(seconds))} seconds"


def stored_reports(
    store: Store,
    experiment: str | None = None,
    settings: Settings | None = None,
    *,
    only: Sequence[str] = (),
    runs: int | None = None,
    pictures: bool = True,
    papers: Collection[str] = (),
) -> list[Report]:
    """The reports of an experiment in a store, or of all. Nothing is run.

    Without settings the budgets are those that an experiment was last run with, and it is
    reported whole, or what `only` and `runs` say of it: the last run may have been of a part, and
    the store has more. `papers` are names that could be run, for a better error.
    """
    names = store.experiments() if experiment is None else [named(store, experiment, papers)]
    if not names:
        raise OptionError(f"{store.path} has no experiment yet; see playout reproduce --help")
    reports = []
    for name in names:
        found = store.experiment(name)
        assert found is not None
        specification, last, codes = found
        again = replace(last, only=tuple(only), runs=last.runs if runs is None else runs)
        plan = make_plan(specification, settings or again)
        reports.append(make_report(store, plan, None, pictures, codes))
    return reports


def named(store: Store, name: str, papers: Collection[str] = ()) -> str:
    """The name of an experiment in the store; OptionError if there is none of this name."""
    names = store.experiments()
    if name in names:
        return name
    if name in papers:
        raise OptionError(
            f"no run of {name} is in {store.path} yet: playout reproduce {name} makes them"
        )
    hint = nearest(name, names) if names else "it has none yet; see playout reproduce --help"
    raise OptionError(f"{store.path} has no experiment {name!r}; {hint}")
