"""An experiment as plain data: tables of cells, the runs behind each, and the paper's figures.

A table is a grid. Each cell names the search that fills it (`Solve`), the time on the paper's
axis at which the score is read (`mark`), and what the paper printed (`Figure`). Two functions
write the usual shapes: `curve_table`, a line for each time and a column for each algorithm, and
`instance_table`, a line for each instance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

from playout.errors import DataError, OptionError, nearest
from playout.study.kinds import KINDS
from playout.study.kinds.color import Color
from playout.study.kinds.kind import Kind
from playout.study.kinds.match import Match
from playout.study.kinds.solve import Solve
from playout.text.json_text import is_number

What = TypeVar("What")
Made = TypeVar("Made")

MEASURES = ("mean", "best", "success", "solved", "proof", "count", "rank")


@dataclass(frozen=True)
class Figure:
    """A figure as a paper prints it, with the half-width of its 95% interval if it gives one."""

    value: float
    half: float | None = None


@dataclass(frozen=True)
class Cell:
    """One place in a table.

    The figure is the table's measure over the runs of `searches` (the sum over them if there are
    several), read at `mark` seconds. No search: the paper's figure alone.
    """

    row: str
    column: str
    mark: float
    searches: tuple[Kind, ...] = ()
    paper: Figure | None = None


@dataclass(frozen=True)
class Table:
    """A table of a paper, or of a comparison.

    Attributes
    ----------
    seconds : float
        How long a run takes in full, the last mark.
    playouts : int
        What stands for `seconds` when the budget is in playouts.
    compared : bool
        Whether the columns are compared with the first, in a table without a paper's figures.
    by : "seconds" or "playouts"
        What the paper's budgets are. With "playouts", `seconds` and the marks are playouts too.
    runs : int
        How many seeds each search has in full.
    measure : "mean", "best", "success", "solved", "proof", "count" or "rank"
        The mean of the scores, the best of them, the share of runs that reach `target`, or how
        many of a cell's searches reach it in a run, on average; "proof" is the mean of what is
        shown of proofs, or that one of them was not complete; "count" is the mean of numbers of
        which none is better than another; "rank" is the place of a cell's mean among all of the
        table, 1 for the highest.
    lower : bool
        Whether a lower figure is the better one.
    unit : float
        Figures are printed divided by this.
    paper_runs : int
        Runs behind each figure of the paper; 0 if it does not say.
    times : bool
        Whether the pictures show the share of runs that have reached `target` over time.
    first_seed : int
        The runs have this seed and those after it.
    ranked : bool
        Whether the report tells the columns' mean ranks over the lines, and tests them.
    """

    name: str
    title: str
    cells: tuple[Cell, ...]
    seconds: float
    playouts: int
    runs: int
    measure: str = "mean"
    target: float | None = None
    lower: bool = False
    unit: float = 1.0
    paper_runs: int = 0
    row_title: str = ""
    note: str = ""
    first_seed: int = 1
    by: str = "seconds"
    compared: bool = True
    times: bool = False
    ranked: bool = False

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise OptionError(
                f"table {self.name}: measure {self.measure!r}; {nearest(self.measure, MEASURES)}"
            )
        if self.is_share() and self.target is None:
            raise OptionError(f"table {self.name}: a success rate needs a target")
        if not self.cells:
            raise OptionError(f"table {self.name} has no cells")
        if not self.seconds > 0 or self.playouts < 1 or self.runs < 1:
            raise OptionError(f"table {self.name}: seconds, playouts and runs are over 0")
        for cell in self.cells:
            if not 0 < cell.mark <= self.seconds:
                raise OptionError(
                    f"table {self.name}: the mark {cell.mark:g} of {cell.row}, {cell.column} "
                    f"is not within its {self.seconds:g} seconds"
                )

    def has_costs(self) -> bool:
        """Whether the runs' scores are costs: lower is better."""
        return any(
            getattr(search, "sense", "max") == "min"
            for cell in self.cells
            for search in cell.searches
        )

    def rows(self) -> list[str]:
        """The names of the lines, in order."""
        return list(dict.fromkeys(cell.row for cell in self.cells))

    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(dict.fromkeys(cell.column for cell in self.cells))

    def is_share(self) -> bool:
        """Whether its figures are shares of runs that reach a target."""
        return self.measure in ("success", "solved")

    def is_curve(self) -> bool:
        """Whether its lines are times of one run."""
        return len({cell.mark for cell in self.cells}) > 1


@dataclass(frozen=True)
class Experiment:
    """The tables of one paper, or of one comparison."""

    name: str
    title: str
    tables: tuple[Table, ...]
    paper: str = ""

    def __post_init__(self) -> None:
        if not self.tables:
            raise OptionError(f"the experiment {self.name} has no tables")

    def to_json(self) -> dict[str, Any]:
        """The experiment as JSON data."""
        data = asdict(self)
        for table, own in zip(data["tables"], self.tables, strict=True):
            for cell, mine in zip(table["cells"], own.cells, strict=True):
                for search, known in zip(cell["searches"], mine.searches, strict=True):
                    search["kind"] = known.kind
        return data

    @classmethod
    def from_json(cls, data: Any) -> Experiment:
        """An experiment from what `to_json` gave."""
        try:
            return _declared(cls(**{**data, "tables": tuple(map(_table, data["tables"]))}))
        except (TypeError, KeyError, ValueError, AttributeError):
            raise DataError("the store has an experiment that cannot be read") from None


def curve_table(
    name: str,
    title: str,
    columns: Mapping[str, Kind | None],
    times: Sequence[float],
    *,
    playouts: int,
    runs: int,
    paper: str = "",
    **settings: Any,
) -> Table:
    """A table with a line for each time of the runs and a column for each algorithm.

    `paper` is the paper's table as printed, a line for each time: the time, then a figure for
    each column, with its interval in parentheses behind it if there is one. With matches, the
    lines are budgets of a move.
    """
    figures = {float(label): values for label, values in printed_table(paper).items()}
    cells = []
    for time in times:
        row = f"{time:g}"
        for column, search, figure in _line(name, row, columns, figures.get(time)):
            searches = () if search is None else (search,)
            cells.append(Cell(row, column, time, searches, figure))
    settings = {"row_title": "seconds", **settings}
    return Table(
        name, title, tuple(cells), seconds=max(times), playouts=playouts, runs=runs, **settings
    )


def instance_table(
    name: str,
    title: str,
    columns: Mapping[str, Solve | Color | None],
    instances: Mapping[str, str],
    *,
    seconds: float,
    total: str = "",
    paper: str = "",
    **settings: Any,
) -> Table:
    """A table with a line for each instance, and one named `total` for their sum if asked for.

    `columns` has searches whose instance is filled in here; `instances` names each line's.
    `paper` is the paper's table as printed, a line for each instance. `settings` are those of the
    table, among them `playouts` and `runs`.
    """
    figures = printed_table(paper)
    cells = []
    for label in [*instances, *([total] if total else [])]:
        names = [instances[label]] if label in instances else list(instances.values())
        for column, search, figure in _line(name, label, columns, figures.get(label)):
            searches = () if search is None else tuple(replace(search, instance=n) for n in names)
            cells.append(Cell(label, column, seconds, searches, figure))
    return Table(name, title, tuple(cells), seconds, **settings)


def game_table(
    name: str,
    title: str,
    columns: Mapping[str, tuple[str, str] | None],
    games: Mapping[str, str],
    *,
    simulations: int,
    total: str = "",
    paper: str = "",
    **settings: Any,
) -> Table:
    """A table with a line for each game and a column for each pair of players.

    Figures are win percentages of the first of the pair. A line named `total`, if asked for, is
    the paper's alone: it is over games that are not all here. `settings` are those of the table,
    among them `runs`.
    """
    figures = printed_table(paper)
    cells = []
    for label in [*games, *([total] if total else [])]:
        for column, pair, figure in _line(name, label, columns, figures.get(label)):
            searches: tuple[Kind, ...] = ()
            if pair is not None and label in games:
                searches = (Match(games[label], *pair),)
            cells.append(Cell(label, column, float(simulations), searches, figure))
    settings = {"row_title": "game", "unit": 0.01, "by": "playouts", **settings}
    return Table(name, title, tuple(cells), float(simulations), simulations, **settings)


def doubling(first: float, last: float) -> tuple[float, ...]:
    """first, 2 first, 4 first, ... up to last."""
    times = [first]
    while times[-1] * 2 <= last * (1 + 1e-9):
        times.append(round(times[-1] * 2, 10))
    return tuple(times)


def printed_table(text: str) -> dict[str, list[Figure | None]]:
    """The lines of a printed table: a label, then figures such as 3,121 or 2435.12 (49.26).

    A dash stands for a figure that is not there.
    """
    table: dict[str, list[Figure | None]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        label, *words = re.sub(r"\s*\(\s*±?\s*([^)]*?)\s*\)", r"(\1)", line).split()
        if label in table:
            raise OptionError(f"a printed table has the line {label!r} twice")
        table[label] = [_figure(word, line) for word in words]
    return table


def _figure(word: str, line: str) -> Figure | None:
    if word == "-":
        return None
    match = re.fullmatch(r"([-+]?[\d,]*\.?\d+)(?:\(([\d,]*\.?\d+)\))?", word)
    if match is None:
        raise OptionError(f"{word!r} is no figure, in the printed line {line!r}")
    half = float(match[2].replace(",", "")) if match[2] else None
    return Figure(float(match[1].replace(",", "")), half)


def _line(
    table: str, row: str, columns: Mapping[str, What], figures: Sequence[Figure | None] | None
) -> Iterator[tuple[str, What, Figure | None]]:
    """A line of a table: each column, what fills it, and the paper's figure if it has the line."""
    theirs = figures or [None] * len(columns)
    if len(theirs) != len(columns):
        raise OptionError(
            f"table {table}: the printed line {row} has {len(theirs)} figures "
            f"for {len(columns)} columns"
        )
    for (column, what), figure in zip(columns.items(), theirs, strict=True):
        yield column, what, figure


def _table(data: Mapping[str, Any]) -> Table:
    return _declared(Table(**{**data, "cells": tuple(map(_cell, data["cells"]))}))


def _cell(data: Mapping[str, Any]) -> Cell:
    searches = tuple(_search(dict(search)) for search in data["searches"])
    paper = _declared(Figure(**data["paper"])) if data["paper"] else None
    return _declared(Cell(**{**data, "searches": searches, "paper": paper}))


def _declared(made: Made) -> Made:
    """What was read, if its texts and numbers are such; ValueError if not."""
    for one in fields(made):  # type: ignore[arg-type]
        good, value = _IS_GOOD.get(str(one.type)), getattr(made, one.name)
        if good is not None and not good(value):
            raise ValueError(one.name)
    return made


# by what a field is declared as
_IS_GOOD: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "int": is_number,
    "float": is_number,
    "float | None": lambda value: value is None or is_number(value),
}


def _search(data: dict[str, Any]) -> Kind:
    kind = data.pop("kind", "solve")
    if kind not in KINDS:
        raise DataError(
            f"the store has an experiment with runs of the kind {kind!r}, which no installed "
            "package brings (entry points of the group playout.kinds)"
        )
    made: Kind = KINDS[kind].from_json(data)
    return made
