"""From the runs in a store to a report: figures, tests, curves, and what is missing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from playout.pictures.axis import time_label
from playout.pictures.chart import Picture
from playout.report.report import (
    BETTER,
    EQUAL,
    UNTESTED,
    WORSE,
    Report,
    ReportCell,
    ReportTable,
    Summary,
)
from playout.statistics import LEVEL, holm
from playout.study.cell_figures import (
    Sample,
    compare_samples,
    compare_with_paper,
    summary,
)
from playout.study.column_notes import best_and_speed, time_to_target
from playout.study.find_runs import find, name_of
from playout.study.finished_runs import FinishedRuns
from playout.study.plan import Plan, PlannedCell, PlannedTable, make_plan
from playout.study.rankings import Line, ranked_lines, ranks_of, remarks
from playout.study.report_pictures import pictures_of
from playout.study.runs_needed import runs_needed
from playout.study.store.results_store import Store
from playout.text.numbers import counted

TEST = (
    "95% intervals: Student's t for means, Wilson for shares, which outcomes of games are too. "
    "Verdicts: Welch's t-test for means "
    "(a paper that prints no spread is taken to have ours, and to be exact if it does not say how "
    "many runs it made; runs without any spread are tested by the ways to part them), "
    "Fisher's exact test for shares (half points rounded towards each other), "
    "corrected for their number by Holm's method, at the 5% level; best scores and counts are not "
    "tested."
)


def make_report(
    store: Store,
    plan: Plan,
    left_out: Mapping[str, str] | None = None,
    pictures: bool = True,
    codes: Mapping[str, str] | None = None,
) -> Report:
    """The report of an experiment under a plan's settings.

    `left_out` says why some runs could not be done, by their `key()`. `codes` are
    the states of problems and algorithms whose runs count, by `key()`; the newest otherwise.
    """
    found = find(store, plan, codes or {})
    tables = [_table(table, found.runs, pictures) for table in plan.tables]
    everything = tables
    if plan.settings.only:  # the store may have the rest as well
        whole = make_plan(plan.experiment, replace(plan.settings, only=()))
        everything = [_table(table, found.runs, pictures=False) for table in whole.tables]
    warnings = []
    if found.unverified:
        runs = counted(found.unverified, "run")
        warnings.append(f"{runs} left out: the replay did not agree with the score")
    if plan.settings.scale < 1 and plan.experiment.paper:
        warnings.append(
            f"the paper's figures are those of its full times, ours of {plan.settings.scale:g} of "
            "them: the verdicts compare unequal efforts"
        )
    if len(found.machines) > 1 and any(table.unit == "seconds" for table in plan.tables):
        warnings.append("the runs come from several machines: their times cannot be compared")
    return Report(
        name=plan.experiment.name,
        title=plan.experiment.title,
        paper=plan.experiment.paper,
        settings=describe(plan),
        test=TEST,
        tables=tuple(_tested(tables)),
        machines=tuple(found.machines),
        versions=tuple(found.versions),
        not_run=tuple(_not_run(everything, left_out or {})),
        kept_apart=found.kept_apart,
        warnings=tuple(warnings),
    )


_DraftCell = tuple[PlannedCell, str, Sample | None, Summary | None]


@dataclass(frozen=True)
class _Draft:
    """A table whose cells have no verdicts yet: the samples behind them are still there."""

    planned: PlannedTable
    cells: list[_DraftCell]
    pictures: tuple[Picture, ...]
    note: str
    lines: list[Line]  # in which its columns are ranked
    found: tuple[str, ...]  # the best score and the speed of each column


def _table(planned: PlannedTable, runs: dict[str, FinishedRuns], pictures: bool) -> _Draft:
    cells: list[_DraftCell] = []
    for place in planned.cells:
        sample = sample_of(planned, place, runs)
        ours = _figure(planned, place, sample, runs) if sample is not None else None
        cells.append((place, _row(planned, place), sample, ours))
    if planned.table.measure == "rank":
        cells = _placed(cells)
    note = time_to_target(planned, runs) if planned.table.times else planned.table.note
    drawn = tuple(pictures_of(planned, runs)) if pictures else ()
    lines = ranked_lines(planned, runs) if planned.table.ranked else []
    found = best_and_speed(planned, runs)
    return _Draft(planned, cells, drawn, note, lines, found)


def _placed(cells: list[_DraftCell]) -> list[_DraftCell]:
    """The same cells with their places among all, in place of their figures."""
    places = iter(ranks_of([ours.value for *_, ours in cells if ours is not None]))
    found: list[_DraftCell] = []
    for place, row, sample, ours in cells:
        figure = None if ours is None else Summary(next(places), None, None, ours.runs)
        found.append((place, row, sample, figure))
    return found


def sample_of(
    planned: PlannedTable, place: PlannedCell, runs: dict[str, FinishedRuns]
) -> Sample | None:
    """The scores behind a cell, an array for each of its searches; None if some are missing."""
    if place.mark is None or not place.cell.searches:
        return None
    scores = []
    for search in place.cell.searches:
        known = runs.get(name_of(search, planned.unit, place.mark))
        if known is None:
            return None
        values = search.shown(known, place.mark, planned.table.is_share())
        if len(values) == 0:
            return None
        scores.append(values)
    return Sample(tuple(scores), min(search.games() for search in place.cell.searches))


def _figure(
    planned: PlannedTable, place: PlannedCell, sample: Sample, runs: dict[str, FinishedRuns]
) -> Summary:
    """Our figure; the interval of a single run is its own, where it has one."""
    ours = summary(sample, planned.table)
    if len(place.cell.searches) == 1 and place.mark is not None and ours.runs == 1:
        search = place.cell.searches[0]
        found = runs[name_of(search, planned.unit, place.mark)]
        half = float(found.halves([place.mark])[0]) / planned.table.unit
        if math.isfinite(half):
            return replace(ours, low=ours.value - half, high=ours.value + half)
    return ours


def _tested(drafts: list[_Draft]) -> list[ReportTable]:
    """The tables with their verdicts, corrected for all the tests in the report."""
    chances: list[float | None] = []
    for draft in drafts:
        first = _first_column(draft)
        for place, row, sample, _ in draft.cells:
            chance = None
            if sample is not None and place.cell.paper is not None:
                chance = compare_with_paper(sample, place.cell.paper, draft.planned.table)
            elif sample is not None and first is not None and place.cell.column != first:
                other = next(
                    (s for p, r, s, _ in draft.cells if r == row and p.cell.column == first), None
                )
                if other is not None:
                    chance = compare_samples(sample, other, draft.planned.table)
            chances.append(chance)
    corrected = iter(holm([chance for chance in chances if chance is not None]))
    verdicts = iter([None if chance is None else next(corrected) for chance in chances])
    ranked = {draft.planned.table.name: draft.lines for draft in drafts}
    return [
        _finished(
            draft, [next(verdicts) for _ in draft.cells], remarks(draft.planned.table.name, ranked)
        )
        for draft in drafts
    ]


def _first_column(draft: _Draft) -> str | None:
    """The column that the others are compared with, in a table without a paper's figures."""
    if any(place.cell.paper is not None for place, *_ in draft.cells):
        return None
    if not draft.planned.table.compared:
        return None
    return draft.planned.table.columns()[0]


def _finished(draft: _Draft, chances: list[float | None], told: tuple[str, ...]) -> ReportTable:
    table, first = draft.planned.table, _first_column(draft)
    cells = []
    base = {row: ours for place, row, _, ours in draft.cells if place.cell.column == first}
    for (place, row, _, ours), chance in zip(draft.cells, chances, strict=True):
        paper = place.cell.paper
        verdict = UNTESTED
        if chance is not None and ours is not None:
            other = base.get(row)
            rival = paper.value if paper is not None else other.value if other else math.nan
            verdict = _verdict(ours.value, rival, chance, table.lower)
        theirs, half = (None, None) if paper is None else (paper.value, paper.half)
        cells.append(ReportCell(row, place.cell.column, ours, theirs, half, verdict, chance))
    if first is not None:
        told = (*draft.found, *told)
    if first is not None and (needed := _runs_needed(draft, cells, first)):
        told = (*told, needed)
    return ReportTable(
        name=table.name,
        title=table.title,
        row_title=table.row_title,
        rows=tuple(dict.fromkeys(cell.row for cell in cells)),
        columns=tuple(table.columns()),
        cells=tuple(cells),
        unit=table.unit,
        lower=table.lower,
        measure=table.measure,
        budget=_budget(draft.planned),
        compared_with="the paper" if first is None else first,
        pictures=draft.pictures,
        note=draft.note,
        costs=table.has_costs(),
        times=table.times,
        remarks=told,
    )


def _runs_needed(draft: _Draft, cells: list[ReportCell], first: str) -> str:
    """How many runs would tell from the first column what is not told apart in the last line."""
    last = cells[-1].row
    samples = {
        cell.column: sample
        for cell, (_, _, sample, _) in zip(cells, draft.cells, strict=True)
        if cell.row == last
        and sample is not None
        and (cell.column == first or cell.verdict == EQUAL)
    }
    return runs_needed(first, samples, draft.planned.table) if first in samples else ""


def _verdict(ours: float, theirs: float, chance: float, lower: bool) -> str:
    if chance >= LEVEL:
        return EQUAL
    return BETTER if (ours > theirs) != lower else WORSE


def _row(planned: PlannedTable, place: PlannedCell) -> str:
    """A line's name; with where it was read, if that is not what the paper's line says."""
    if not planned.table.is_curve() or place.mark is None or place.mark == place.cell.mark:
        return place.cell.row
    counted = f"{place.mark:,.0f} {planned.counts()}"
    at = counted if planned.unit == "playouts" else time_label(place.mark)
    return f"{place.cell.row} (at {at})"


def _budget(planned: PlannedTable) -> str:
    if planned.budget == 0:
        return "not run with these settings"
    if planned.unit == "playouts":
        length = f"{planned.budget:,.0f} {planned.counts()}"
    else:
        length = f"{planned.budget:.6g} s"
    return f"runs of {length}, {planned.runs} of each search"


def describe(plan: Plan) -> str:
    """The settings of a plan, as a sentence."""
    settings = plan.settings
    parts = []
    if settings.scale < 1:
        parts.append(
            f"scale {settings.scale:g}: the budgets, the lines' times and the numbers of runs "
            f"(at least 2) are {settings.scale:g} of the full experiment's"
        )
    if settings.seconds is not None:
        parts.append(f"runs of at most {settings.seconds:g} s; lines beyond that are left out")
    if settings.by == "playouts":
        stand = ", which stand for the lines' times" if plan.experiment.paper else ""
        parts.append(f"budgets in playouts{stand}")
    if settings.runs is not None:
        parts.append(f"{settings.runs} runs of each search")
    if settings.only:
        parts.append("only " + ", ".join(settings.only))
    return "; ".join(parts) if parts else "the full experiment" if plan.experiment.paper else ""


def _not_run(drafts: list[_Draft], left_out: Mapping[str, str]) -> list[str]:
    """What of the whole experiment is missing, and why."""
    lines = []
    for reason in dict.fromkeys(left_out.values()):
        lines.append(reason)
    for draft in drafts:
        table = draft.planned.table
        where = f"Table {table.name}" if table.name[:1].isdigit() else table.name
        if all(ours is None for *_, ours in draft.cells):
            lines.append(where)
            continue
        for column in table.columns():
            cells = [
                (place, row, ours)
                for place, row, _, ours in draft.cells
                if place.cell.column == column
            ]
            if not any(place.cell.searches for place, *_ in cells):
                lines.append(f"{where}, {column}: the paper's figures only")
                continue
            missing = [row for place, row, ours in cells if place.cell.searches and ours is None]
            if len(missing) == len(cells):
                lines.append(f"{where}, {column}")
            elif missing:
                lines.append(f"{where}, {column}: {_span(missing)}")
        fewest = min(ours.runs for *_, ours in draft.cells if ours is not None)
        if fewest < table.runs:
            lines.append(f"{where}: {fewest} of the {table.runs} runs of each search")
    return lines


def _span(rows: list[str]) -> str:
    if len(rows) <= 4:
        return "lines " + ", ".join(rows) if len(rows) > 1 else f"line {rows[0]}"
    return f"lines {rows[0]}, {rows[1]}, ..., {rows[-1]} ({len(rows)})"
