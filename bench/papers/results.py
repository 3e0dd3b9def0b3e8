"""What is known of a paper's tables: one JSON file, a line for each cell, read strictly.

A figure of ours is what an interval needs: the mean of some runs with their standard deviation (or
the half-width of its 95% interval, where no more was recorded), the points of some games, or a
value that is no mean, such as the best of some runs. Figures are as the paper prints them; points
are shares, printed times the table's `per`. A proof that was broken off took more than its value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from playout.errors import DataError

FOLDER = Path(__file__).parent
WIDTH = 150  # of a line in a file
CLAIMS = ("order", "mostly", "side", "figures", "reach")

Made = TypeVar("Made", "Ours", "Cell", "Claim", "Source", "Table", "Results")


@dataclass(frozen=True)
class Ours:
    """Our figure: a mean (`runs`, and `sd` or `half`), points of `games`, or a `value`.

    With `over` the value is a bound: the run was broken off there, and would have had more.
    """

    mean: float | None = None
    sd: float | None = None
    half: float | None = None
    points: float | None = None
    games: int | None = None
    value: float | None = None
    runs: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        known = [name for name in ("mean", "points", "value") if getattr(self, name) is not None]
        if len(known) != 1:
            raise DataError(f"a figure of ours is a mean, points or a value, not {known}")
        if self.points is not None and not (self.games and 0 <= self.points <= self.games):
            raise DataError(f"{self.points} points of {self.games} games")
        if self.points is None and self.runs < 1:
            raise DataError("a figure of ours has runs")
        if self.over and self.value is None:
            raise DataError("a mean, or points of games, cannot be over a value")

    def count(self) -> int:
        """How many runs, or games, are behind it."""
        return self.games or self.runs


@dataclass(frozen=True)
class Cell:
    """A place in a table: the paper's figure, ours, where ours comes from, and at what budget."""

    row: str
    column: str
    paper: float | None = None
    half: float | None = None  # of the paper's 95% interval
    ours: Ours | None = None
    source: str = ""
    at: str = ""


@dataclass(frozen=True)
class Claim:
    """What a table is tested for.

    `order`: the cells of column `better` are better than those of `than`, in each line of `rows`
    or in all; or cells of lines, with `columns` in place of `rows` where `by` is "row".
    `mostly`: the same in most of the lines, or columns, taken together; with a `value` in place of
    two columns, most cells are on the side of it on which the paper's are.
    `side`: ours are on the side of `value` on which the paper's are, where these tell it; above it
    where the paper prints no figure.
    `figures`: ours are the paper's at equal effort, to within `margin`.
    `reach`: ours are as good as the paper's, or better.
    """

    kind: str
    words: str
    better: str = ""
    than: str = ""
    by: str = "column"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    margin: float = 0.0
    value: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in CLAIMS:
            raise DataError(f"claim {self.kind!r}: one of {', '.join(CLAIMS)}")
        compares = self.kind == "order" or (self.kind == "mostly" and self.value is None)
        if compares and not (self.better and self.than):
            raise DataError(f"the claim {self.words!r} names no two columns or lines")
        if self.kind == "side" and self.value is None:
            raise DataError(f"the claim {self.words!r} has no value")
        if self.kind == "figures" and not self.margin > 0:
            raise DataError(f"the claim {self.words!r} has no margin")


@dataclass(frozen=True)
class Source:
    """Where figures come from: a command, or a page that has them; the machine, the code."""

    command: str
    machine: str
    effort: str
    code: str = ""


@dataclass(frozen=True)
class Table:
    """A table or figure of the paper; without cells it was not run."""

    name: str
    title: str
    measure: str = "mean"
    lower: bool = False
    per: float = 1.0  # what a share of 1 is printed as
    paper_runs: int = 0
    paper_games: int = 0
    row_title: str = ""
    note: str = ""
    claims: tuple[Claim, ...] = ()
    why: str = ""  # it differs
    more: str = ""  # what was not run, the command, and what it costs
    cells: tuple[Cell, ...] = ()

    def rows(self) -> list[str]:
        """The names of the lines, in order."""
        return list(dict.fromkeys(cell.row for cell in self.cells))

    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(dict.fromkeys(cell.column for cell in self.cells))

    def cell(self, row: str, column: str) -> Cell | None:
        """The cell of a line and a column."""
        for cell in self.cells:
            if (cell.row, cell.column) == (row, column):
                return cell
        return None


@dataclass(frozen=True)
class Results:
    """All that is known of a paper."""

    name: str
    title: str
    paper: str
    says: tuple[str, ...]  # what the paper claims, in our own words
    sources: Mapping[str, Source]
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """A table by its name."""
        return next((table for table in self.tables if table.name == name), None)

    def with_table(self, table: Table) -> Results:
        """The same with a table in place of that of its name, or behind the others."""
        if self.table(table.name) is None:
            return replace(self, tables=(*self.tables, table))
        return replace(
            self, tables=tuple(table if t.name == table.name else t for t in self.tables)
        )


def names() -> list[str]:
    """The papers that there are files of."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def read(name: str) -> Results:
    """A paper's file; DataError names what is wrong in it."""
    return from_json(json.loads((FOLDER / f"{name}.json").read_text()))


def write(results: Results) -> None:
    """Write a paper's file."""
    (FOLDER / f"{results.name}.json").write_text(as_text(to_json(results)) + "\n")


def from_json(data: Any) -> Results:
    """Results from JSON data."""
    results = _made(
        Results,
        data,
        says=tuple(data.get("says", ())),
        sources={key: _made(Source, value) for key, value in data.get("sources", {}).items()},
        tables=tuple(map(_table, data.get("tables", ()))),
    )
    for table in results.tables:
        for cell in table.cells:
            where = f"{results.name}, table {table.name}, {cell.row}, {cell.column}"
            if cell.ours is not None and cell.source not in results.sources:
                raise DataError(f"{where}: there is no source {cell.source!r}")
        if len({(cell.row, cell.column) for cell in table.cells}) < len(table.cells):
            raise DataError(f"{results.name}, table {table.name} has a cell twice")
    return results


def to_json(results: Results) -> dict[str, Any]:
    """Results as JSON data, without what is as by default."""
    data = _without_defaults(results)
    data["sources"] = {key: _without_defaults(value) for key, value in results.sources.items()}
    data["tables"] = [
        {
            **_without_defaults(table),
            **({"claims": [_without_defaults(c) for c in table.claims]} if table.claims else {}),
            **({"cells": [_cell_json(c) for c in table.cells]} if table.cells else {}),
        }
        for table in results.tables
    ]
    return data


def as_text(value: Any, indent: int = 0) -> str:
    """JSON in which what fits on a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list):
        return line
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {as_text(part, indent + 1)}"
            for key, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [pad + as_text(part, indent + 1) for part in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def _table(data: Any) -> Table:
    return _made(
        Table,
        data,
        claims=tuple(map(_claim, data.get("claims", ()))),
        cells=tuple(map(_cell, data.get("cells", ()))),
    )


def _claim(data: Any) -> Claim:
    rows, columns = (tuple(data.get(name, ())) for name in ("rows", "columns"))
    return _made(Claim, data, rows=rows, columns=columns)


def _cell(data: Any) -> Cell:
    ours = _made(Ours, data["ours"]) if data.get("ours") else None
    return _made(Cell, data, ours=ours)


def _made(cls: type[Made], data: Any, **parts: Any) -> Made:
    unknown = set(data) - {field.name for field in fields(cls)}
    if unknown:
        raise DataError(f"{cls.__name__.lower()} has no {', '.join(sorted(unknown))}: {data}")
    try:
        return cls(**{**data, **parts})
    except TypeError as error:
        raise DataError(f"{cls.__name__.lower()} {data}: {error}") from None


def _without_defaults(value: Any) -> dict[str, Any]:
    kept = {}
    for field in fields(value):
        given = getattr(value, field.name)
        if given != field.default:
            kept[field.name] = list(given) if isinstance(given, tuple) else given
    return kept


def _cell_json(cell: Cell) -> dict[str, Any]:
    data = _without_defaults(cell)
    if cell.ours is not None:
        data["ours"] = _without_defaults(cell.ours)
    return data
