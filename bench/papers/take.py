"""What a store of `playout reproduce` has, taken into the papers' files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.papers import results as files
from bench.papers.results import Cell, Ours, Results, Source, Table
from playout.study.cell_figures import Sample, reaches
from playout.study.find_runs import Found, find, name_of
from playout.study.make_report import sample_of
from playout.study.plan import Plan, PlannedCell, PlannedTable, make_plan
from playout.study.specification import Experiment
from playout.study.specification import Table as PaperTable
from playout.study.store.results_store import Store


def take(
    path: str | Path,
    command: str = "",
    effort: str = "",
    note: str = "",
    replacing: bool = False,
    only: Sequence[str] = (),
) -> list[str]:
    """Extend the files of the experiments in a store; says what was taken.

    `command` filled the store, `effort` is what share of the paper's it was, `note` is to be known
    of the machine besides its name; `replacing` and `only` as `taken` has them.
    """
    told = []
    with Store(path, read_only=True) as store:
        for name in store.experiments():
            known = store.experiment(name)
            assert known is not None
            experiment, settings, codes = known
            plan = make_plan(experiment, replace(settings, only=()))
            found = find(store, plan, codes)
            old = files.read(name) if name in files.names() else new_results(experiment)
            key = next_key(old)
            source = Source(
                command or f"`playout reproduce {name}`",
                ", ".join([*found.machines, *([note] if note else [])]),
                effort,
                "; ".join(found.versions),
            )
            new, count = taken(old, plan, found, key, replacing, only)
            if count:
                files.write(replace(new, sources=_used({**old.sources, key: source}, new)))
            told.append(f"{name}: {count} cells from {path}")
    return told


def new_results(experiment: Experiment) -> Results:
    """A file with nothing in it yet but the names of an experiment's tables."""
    tables = tuple(_new_table(table) for table in experiment.tables)
    return Results(experiment.name, experiment.title, experiment.paper, (), {}, tables)


def taken(
    old: Results,
    plan: Plan,
    found: Found,
    key: str,
    replacing: bool = False,
    only: Sequence[str] = (),
) -> tuple[Results, int]:
    """The results with the cells of a plan that are new, or have more runs, and how many.

    A cell at another budget than before stays as it is, unless with `replacing`. Tables share runs:
    with `only` those that these were not made for are left alone.
    """
    new, count = old, 0
    for planned in plan.tables:
        if only and planned.table.name not in only:
            continue
        table = new.table(planned.table.name) or _new_table(planned.table)
        ours = {
            (place.cell.row, place.cell.column): (figure, _at(planned, place))
            for place in planned.cells
            if (sample := sample_of(planned, place, found.runs)) is not None
            and (figure := _with_half(ours_of(sample, planned.table), planned, place, found))
        }
        if not ours:
            continue
        cells = {
            (cell.row, cell.column): cell for cell in table.cells or paper_cells(planned.table)
        }
        for place, (figure, at) in ours.items():
            cell = cells.get(place, Cell(*place))
            more = cell.ours is None or cell.ours.count() < figure.count()
            same = cell.ours is None or cell.at == at
            if replacing or (more and same):
                cells[place] = replace(cell, ours=figure, source=key, at=at)
                count += 1
        new = new.with_table(replace(table, cells=tuple(cells.values())))
    return new, count


def paper_cells(table: PaperTable) -> Iterable[Cell]:
    """A paper's cells, with its figures."""
    for cell in table.cells:
        paper = None if cell.paper is None else cell.paper.value
        half = None if cell.paper is None else cell.paper.half
        yield Cell(cell.row, cell.column, paper, half)


def ours_of(sample: Sample, table: PaperTable) -> Ours | None:
    """Our figure of a cell, in the paper's unit; None if nothing of it is a number."""
    runs = sample.runs()
    if table.measure == "solved":
        return Ours(points=sample.successes(table)[0], games=len(sample.scores) * runs)
    if table.measure == "success":
        values = sample.scores[0]
        return Ours(points=int(reaches(values, table).sum()), games=len(values))
    if table.measure == "best":
        best_of = np.min if table.has_costs() else np.max
        best = sum(float(best_of(values)) for values in sample.scores)
        return Ours(value=_short(best / table.unit), runs=runs)
    mean = sample.mean() / table.unit
    if not math.isfinite(mean):
        return None
    if table.measure == "proof":
        return Ours(value=_short(mean), runs=runs)
    if points := sample.points() or _zeros_and_ones(sample):
        return Ours(points=_short(points[0]), games=points[1])
    sd = sample.error() * math.sqrt(runs) / abs(table.unit) if runs > 1 else None
    return Ours(mean=_short(mean), sd=None if sd is None else _short(sd), runs=runs)


def _with_half(
    ours: Ours | None, planned: PlannedTable, place: PlannedCell, found: Found
) -> Ours | None:
    """The figure with its run's own interval, where a single run has one."""
    if ours is None or ours.mean is None or ours.runs != 1 or place.mark is None:
        return ours
    runs = found.runs[name_of(place.cell.searches[0], planned.unit, place.mark)]
    half = float(runs.halves([place.mark])[0]) / abs(planned.table.unit)
    return replace(ours, half=_short(half)) if math.isfinite(half) else ours


def _zeros_and_ones(sample: Sample) -> tuple[float, int] | None:
    """The ones, and of how many: what happened in some runs and not in others is a share."""
    if len(sample.scores) > 1 or not np.isin(sample.scores[0], (0.0, 1.0)).all():
        return None
    return float(sample.scores[0].sum()), len(sample.scores[0])


def _new_table(table: PaperTable) -> Table:
    share = table.measure == "solved"
    searches = max(len(cell.searches) for cell in table.cells)
    games = max((s.games() for cell in table.cells for s in cell.searches), default=0)
    return Table(
        table.name,
        table.title,
        measure=table.measure,
        lower=table.lower,
        per=float(searches) if share else _short(1 / table.unit),
        paper_runs=table.paper_runs,
        paper_games=table.paper_runs * (searches if share else games),
        row_title=table.row_title,
        note=table.note,
    )


def _at(planned: PlannedTable, place: PlannedCell) -> str:
    """The budget of a cell, where it is not the one that the paper's line says."""
    if place.mark is None or place.mark == place.cell.mark:
        return ""
    words = {search.counts for search in place.cell.searches} if planned.unit == "playouts" else ()
    return f"{place.mark:,.6g} {' and '.join(words) or 's'}"


def _short(value: float) -> float:
    """A number with ten digits, an integer where it is one."""
    rounded = float(f"{value:.10g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def _used(sources: dict[str, Source], results: Results) -> dict[str, Source]:
    """The sources that a figure still comes from."""
    used = {cell.source for table in results.tables for cell in table.cells}
    return {key: source for key, source in sources.items() if key in used}


def next_key(results: Results) -> str:
    """A letter for a source that a paper does not have yet."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return next(letter for letter in letters if letter not in results.sources)
