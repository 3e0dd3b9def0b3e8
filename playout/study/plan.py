"""What an experiment asks for under given settings: the marks of its cells, and the runs to do.

`scale` shortens times (or playouts) and the number of runs alike; the paper's axis is scaled with
it. `seconds` keeps the paper's axis and leaves out the lines beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from playout._version import __version__
from playout.errors import OptionError
from playout.study.kinds.kind import Kind
from playout.study.specification import Cell, Experiment, Table
from playout.study.store.row import RunKey

FEWEST_RUNS = 2  # an interval needs two


@dataclass(frozen=True)
class Settings:
    """How much of an experiment is run, and how its budgets are measured."""

    scale: float = 1.0
    runs: int | None = None
    seconds: float | None = None
    playouts: int | None = None
    by: str | None = None  # "seconds" or "playouts"; None: as each table is in its paper
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1:
            raise OptionError(f"scale {self.scale:g}: a number over 0, at most 1")
        if self.by not in (None, "seconds", "playouts"):
            raise OptionError(f"by {self.by!r}: seconds or playouts")
        if self.seconds is not None and self.by == "playouts":
            raise OptionError("give seconds, or a budget by playouts, not both")
        if self.scale < 1 and (self.seconds is not None or self.playouts is not None):
            raise OptionError("give a scale, or the seconds or playouts of a run, not both")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "only": list(self.only)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Settings:
        return cls(**{**data, "only": tuple(data["only"])})


@dataclass(frozen=True)
class PlannedRun:
    """One run: a search, a seed and a budget in seconds or playouts."""

    search: Kind
    seed: int
    unit: str
    budget: float

    def cell(self) -> str:
        """The name of its runs in the store."""
        return self.search.cell(self.unit, self.budget)

    def run_key(self, experiment: str, code: str) -> RunKey:
        """What it is in the store, with the present state of its code."""
        return RunKey(experiment, self.cell(), self.seed, self.unit, self.budget, __version__, code)


@dataclass(frozen=True)
class PlannedCell:
    """A cell with its mark on the axis of the runs; None if the settings leave it out."""

    cell: Cell
    mark: float | None


@dataclass(frozen=True)
class PlannedTable:
    """A table under settings: how long its runs are, how many, and where its cells are read."""

    table: Table
    unit: str
    budget: float
    runs: int
    cells: tuple[PlannedCell, ...]

    def planned_runs(self) -> list[PlannedRun]:
        """The runs, one seed of every search after the other, so that all cells fill alike."""
        needed: dict[str, tuple[Kind, float]] = {}
        for planned in self.cells:
            if planned.mark is None:
                continue
            for search in planned.cell.searches:
                name = search.cell(self.unit, planned.mark)
                longest = needed.get(name, (search, 0.0))[1]
                needed[name] = search, max(longest, planned.mark)
        return [
            PlannedRun(search, seed, self.unit, budget)
            for seed in range(self.table.first_seed, self.table.first_seed + self.runs)
            for search, budget in needed.values()
        ]

    def counts(self) -> str:
        """What the budgets count, where they are not seconds."""
        words = {search.counts for place in self.cells for search in place.cell.searches}
        return words.pop() if len(words) == 1 else "playouts"


@dataclass(frozen=True)
class Plan:
    """An experiment under settings."""

    experiment: Experiment
    settings: Settings
    tables: tuple[PlannedTable, ...]

    def planned_runs(self) -> list[PlannedRun]:
        """Every run that the plan asks for, each once, with the longest budget asked for."""
        longest: dict[tuple[str, int, str], PlannedRun] = {}
        for table in self.tables:
            for run in table.planned_runs():
                place = run.cell(), run.seed, run.unit
                if place not in longest or longest[place].budget < run.budget:
                    longest[place] = run
        return sorted(longest.values(), key=lambda run: run.seed)


def make_plan(experiment: Experiment, settings: Settings) -> Plan:
    """The plan of an experiment; OptionError if `only` names nothing in it."""
    tables = []
    chosen = [_chosen(experiment, word) for word in settings.only]
    for table in experiment.tables:
        cells = [
            cell
            for cell in table.cells
            if not chosen or any((table.name, cell.row, cell.column) in some for some in chosen)
        ]
        tables.append(_planned(table, {id(cell) for cell in cells}, settings))
    plan = Plan(experiment, settings, tuple(tables))
    if not plan.planned_runs():
        raise OptionError(_nothing_to_run(experiment, settings))
    return plan


def _planned(table: Table, wanted: set[int], settings: Settings) -> PlannedTable:
    unit, full = settings.by or table.by, table.seconds
    if unit == "playouts":
        full = float(settings.playouts or table.playouts)
    elif table.by == "playouts":
        raise OptionError(f"table {table.name} is by playouts: leave out --by seconds")
    per_second = full / table.seconds * settings.scale
    limit = settings.seconds if settings.seconds is not None else float("inf")
    if not table.is_curve() and limit < float("inf"):
        per_second, limit = limit / table.seconds, float("inf")  # the one mark moves
    cells = []
    for cell in table.cells:
        mark: float | None = cell.mark * per_second
        if unit == "playouts":
            mark = max(1.0, float(round(cell.mark * per_second)))
        if id(cell) not in wanted or cell.mark > limit * (1 + 1e-9):
            mark = None
        cells.append(PlannedCell(cell, mark))
    budget = max((cell.mark for cell in cells if cell.mark is not None), default=0.0)
    runs = settings.runs or min(table.runs, max(FEWEST_RUNS, round(table.runs * settings.scale)))
    return PlannedTable(table, unit, budget, runs, tuple(cells))


def _chosen(experiment: Experiment, word: str) -> set[tuple[str, str, str]]:
    """The cells that a word names: a table, a line or a column, or TABLE/LINE, TABLE/COLUMN."""
    places = [(t.name, c.row, c.column) for t in experiment.tables for c in t.cells]
    wanted = _plain(word)
    names: list[Callable[[str, str, str], list[str]]] = [
        lambda table, row, column: [table, f"table {table}"],
        lambda table, row, column: [row, column],
        lambda table, row, column: [f"{table}/{row}", f"{table}/{column}"],
    ]
    for names_of in names:
        found = {place for place in places if wanted in map(_plain, names_of(*place))}
        if found:
            return found
    tables = ", ".join(table.name for table in experiment.tables)
    columns = _some({place[2]: None for place in places})
    rows = _some({place[1]: None for place in places})
    raise OptionError(
        f"{experiment.name} has no table, line or column {word!r}; tables are {tables}; "
        f"columns {columns}; lines {rows}; or TABLE/LINE, TABLE/COLUMN"
    )


def _some(names: Iterable[str], most: int = 8) -> str:
    every = list(names)
    return ", ".join(every if len(every) <= most else [*every[: most - 1], "...", every[-1]])


def _plain(text: str) -> str:
    return text.replace(" ", "").lower()


def _nothing_to_run(experiment: Experiment, settings: Settings) -> str:
    if settings.seconds is not None:
        first = min(cell.mark for table in experiment.tables for cell in table.cells)
        return (
            f"no line of {experiment.name} is within {settings.seconds:g} s; "
            f"the first is at {first:g} s"
        )
    return f"there is nothing to run in {', '.join(settings.only) or experiment.name}"
