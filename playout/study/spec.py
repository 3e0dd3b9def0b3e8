"""An experiment as plain data: tables of cells, the runs behind each, and the paper's figures.

A table is a grid. Each cell names the search that fills it (`Solve`), the time on the paper's
axis at which the score is read (`mark`), and what the paper printed (`Figure`). Two functions
write the usual shapes: `curve_table`, a line for each time and a column for each algorithm, and
`instance_table`, a line for each instance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

from playout.errors import DataError, OptionError, nearest

MEASURES = ("mean", "best", "success", "solved", "proof", "count")


@dataclass(frozen=True)
class Figure:
    """A figure as a paper prints it, with the half-width of its 95% interval if it gives one."""

    value: float
    half: float | None = None


@dataclass(frozen=True)
class Solve:
    """What a run does, apart from its seed and its budget.

    `problem` is a name or `file.py:Class`; `instance`, `options` and `problem_options` are as the
    command line has them. In an instance such as `random:{seed}` the run's seed is put in, so that
    each run has an instance of its own. A run ends at the score `target`, if there is one.
    `workers` threads search, each for itself or, with `parallel="leaf"`, together. With `whole`
    every budget is a run of its own: a search that shares its time out over the moves of a game is
    not at 1 s of 15 where it is at the end of 1 s. Such a run may show its `playouts` in place of
    its score, or one of the algorithm's `counters`.
    """

    problem: str
    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    compiled: bool = True
    target: float | None = None
    workers: int = 1
    parallel: str = "root"
    whole: bool = False
    shows: str = "score"

    kind: ClassVar[str] = "solve"

    def where(self) -> str:
        """The problem, its instance and its options, as one text."""
        return " ".join([self.problem, self.instance or "default", *_pairs(self.problem_options)])

    def key(self) -> str:
        """The cell's name in the store: equal searches have equal keys."""
        how = [self.algorithm, *_pairs(self.options), *([] if self.compiled else ["interpreted"])]
        how += [] if self.target is None else [f"to {self.target:g}"]
        how += [] if self.workers == 1 else [f"on {self.workers} {self.parallel} threads"]
        return f"{self.where()} | {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return f"{self.key()} | {budget:g} {unit}" if self.whole else self.key()


@dataclass(frozen=True)
class Match:
    """Two games between two players, each moving first once; the score is the first's points.

    The budget is that of a move, unless a player's text has one of its own. A run's score is 1 for
    two wins, 0.5 for one, and so on, so that the mean is the win rate, with draws as half a win.
    Without `swap` the first player always moves first, in one game a run; with `wins_only` a
    draw is worth nothing.
    """

    game: str
    first: str
    second: str
    swap: bool = True
    wins_only: bool = False

    kind: ClassVar[str] = "match"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        how = ["", " | first seat"][not self.swap] + ["", " | wins only"][self.wins_only]
        return f"{self.game} | {self.first} against {self.second}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a match of its own."""
        return f"{self.key()} | {budget:g} {unit} a move"


@dataclass(frozen=True)
class Choice:
    """One search of the start of a game; the score is 1 if the move is one of the good ones.

    With no good moves the score is the time it took.
    """

    game: str
    search: str
    good: tuple[str, ...] = ()

    kind: ClassVar[str] = "choice"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        return f"{self.game} | {self.search}" + (" | time" if not self.good else "")

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a search of its own."""
        return f"{self.key()} | {budget:g} {unit}"


@dataclass(frozen=True)
class Color:
    """A graph coloured with few colours; the score is minus their number.

    `algorithm` is one of ours, or `dsatur` or `sat`; `instance` names the graph.
    """

    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)

    kind: ClassVar[str] = "color"

    def where(self) -> str:
        """The graph."""
        return " ".join(["color", self.instance or "default"])

    def key(self) -> str:
        """The cell's name in the store: equal searches have equal keys."""
        how = [self.algorithm, *_pairs(self.options), *_pairs(self.problem_options)]
        return f"{self.where()} | {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Scan:
    """A figure of zoNNscan on classifiers of images, which are trained first; see docs/zonnscan.md.

    The budget, in playouts, is how many inputs of each zone are drawn.
    """

    data: str
    classifier: str
    what: str
    radius: float = 0.0

    kind: ClassVar[str] = "scan"
    counts: ClassVar[str] = "samples"  # what stands for playouts

    def where(self) -> str:
        """The images."""
        return f"images {self.data}"

    def key(self) -> str:
        """The cell's name in the store."""
        how = f" at {self.radius:g}" if self.what == "index" else ""
        return f"{self.where()} | {self.classifier} | {self.what}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each number of samples is a figure of its own."""
        return f"{self.key()} | {budget:g} samples"


@dataclass(frozen=True)
class Prove:
    """An exact solution of a game: the moves or the seconds that it takes, or who wins.

    `solver` and `order` are as `playout prove` has them. The winner is 1 for the first player and
    2 for the second. Whatever is shown of it, a proof is one run.
    """

    game: str
    solver: str = "alphabeta"
    order: str = "game"
    symmetry: bool = False
    shows: str = "moves"

    kind: ClassVar[str] = "prove"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        """The cell's name in the store: equal proofs have equal keys."""
        how = [self.solver, self.order, *(["symmetry"] if self.symmetry else [])]
        return f"{self.game} | prove {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Train:
    """A network trained for a game by AlphaZero or MbM, measured against a rival as it goes.

    The budget, in playouts, is the number of epochs. The score is the network's mean result against
    `rival`, "random" or "perfect" (a draw is half a win), or with `losses` the share of games that
    it loses. Both are exact. `options` are those of `playout.learn.zerosettings`. Runs that differ
    in the rival or in `losses` alone are one training.
    """

    game: str
    rival: str
    options: Mapping[str, Any] = field(default_factory=dict)
    losses: bool = False

    kind: ClassVar[str] = "train"
    counts: ClassVar[str] = "epochs"  # what stands for playouts

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        """The cell's name in the store."""
        what = "losses" if self.losses else "result"
        return f"{self.game} | train {' '.join(_pairs(self.options))} | {what} against {self.rival}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Generations:
    """The mean score of self-play by generation, as the training of a policy has noted it.

    `model` is the file; empty: the package's own for the problem. The budget, in playouts, is the
    last generation that is shown.
    """

    problem: str
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""

    kind: ClassVar[str] = "generations"
    counts: ClassVar[str] = "generations"  # what stands for playouts

    def where(self) -> str:
        """The problem and its options."""
        return " ".join(["training of", self.problem, *_pairs(self.problem_options)])

    def key(self) -> str:
        """The cell's name in the store."""
        return f"{self.where()} | {self.model or 'the policy of the package'}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: more generations have the fewer in their curve."""
        return self.key()


Run = Solve | Match | Choice | Color | Scan | Prove | Train | Generations
KINDS: dict[str, Any] = {
    cls.kind: cls for cls in (Solve, Match, Choice, Color, Scan, Train, Prove, Generations)
}


@dataclass(frozen=True)
class Cell:
    """One place in a table.

    The figure is the table's measure over the runs of `searches` (the sum over them if there are
    several), read at `mark` seconds. No search: the paper's figure alone.
    """

    row: str
    column: str
    mark: float
    searches: tuple[Run, ...] = ()
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
    measure : "mean", "best", "success", "solved", "proof" or "count"
        The mean of the scores, the best of them, the share of runs that reach `target`, or how
        many of a cell's searches reach it in a run, on average; "proof" is the mean of what is
        shown of proofs, or that one of them was not complete; "count" is the mean of numbers of
        which none is better than another.
    lower : bool
        Whether a lower figure is the better one.
    unit : float
        Figures are printed divided by this.
    paper_runs : int
        Runs behind each figure of the paper; 0 if it does not say.
    first_seed : int
        The runs have this seed and those after it.
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

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise OptionError(
                f"table {self.name}: measure {self.measure!r}; {nearest(self.measure, MEASURES)}"
            )
        if self.measure in ("success", "solved") and self.target is None:
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

    def rows(self) -> list[str]:
        """The names of the lines, in order."""
        return list(dict.fromkeys(cell.row for cell in self.cells))

    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(dict.fromkeys(cell.column for cell in self.cells))

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
            return cls(**{**data, "tables": tuple(map(_table, data["tables"]))})
        except (TypeError, KeyError, ValueError, AttributeError):
            raise DataError("the store has an experiment that cannot be read") from None


def curve_table(
    name: str,
    title: str,
    columns: Mapping[str, Run | None],
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
    figures = printed_table(paper)
    rows = {float(label): values for label, values in figures.items()}
    cells = []
    for time in times:
        theirs = rows.get(time, [])
        _check_width(name, f"{time:g}", theirs, columns)
        for place, (column, search) in enumerate(columns.items()):
            searches = () if search is None else (search,)
            figure = theirs[place] if theirs else None
            cells.append(Cell(f"{time:g}", column, time, searches, figure))
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
    playouts: int,
    runs: int,
    total: str = "",
    paper: str = "",
    **settings: Any,
) -> Table:
    """A table with a line for each instance, and one named `total` for their sum if asked for.

    `columns` has searches whose instance is filled in here; `instances` names each line's.
    `paper` is the paper's table as printed, a line for each instance.
    """
    figures = printed_table(paper)
    cells = []
    for label in [*instances, *([total] if total else [])]:
        theirs = figures.get(label, [])
        _check_width(name, label, theirs, columns)
        names = [instances[label]] if label in instances else list(instances.values())
        for place, (column, search) in enumerate(columns.items()):
            searches = () if search is None else tuple(replace(search, instance=n) for n in names)
            figure = theirs[place] if theirs else None
            cells.append(Cell(label, column, seconds, searches, figure))
    return Table(name, title, tuple(cells), seconds, playouts, runs, **settings)


def game_table(
    name: str,
    title: str,
    columns: Mapping[str, tuple[str, str] | None],
    games: Mapping[str, str],
    *,
    simulations: int,
    runs: int,
    total: str = "",
    paper: str = "",
    **settings: Any,
) -> Table:
    """A table with a line for each game and a column for each pair of players.

    Figures are win percentages of the first of the pair. A line named `total`, if asked for, is
    the paper's alone: it is over games that are not all here.
    """
    figures = printed_table(paper)
    cells = []
    for label in [*games, *([total] if total else [])]:
        theirs = figures.get(label, [])
        _check_width(name, label, theirs, columns)
        for place, (column, pair) in enumerate(columns.items()):
            searches: tuple[Run, ...] = ()
            if pair is not None and label in games:
                searches = (Match(games[label], *pair),)
            figure = theirs[place] if theirs else None
            cells.append(Cell(label, column, float(simulations), searches, figure))
    settings = {"row_title": "game", "unit": 0.01, "by": "playouts", **settings}
    return Table(name, title, tuple(cells), float(simulations), simulations, runs, **settings)


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


def _check_width(table: str, row: str, figures: Sequence[Any], columns: Mapping[str, Any]) -> None:
    if figures and len(figures) != len(columns):
        raise OptionError(
            f"table {table}: the printed line {row} has {len(figures)} figures "
            f"for {len(columns)} columns"
        )


def _pairs(options: Mapping[str, Any]) -> list[str]:
    """Options as NAME=VALUE, by name; a tuple is 1,2."""
    return [f"{name}={option_text(value)}" for name, value in sorted(options.items())]


def option_text(value: Any) -> str:
    """An option's value as the command line takes it."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def _table(data: Mapping[str, Any]) -> Table:
    return Table(**{**data, "cells": tuple(map(_cell, data["cells"]))})


def _cell(data: Mapping[str, Any]) -> Cell:
    searches = tuple(_search(dict(search)) for search in data["searches"])
    paper = Figure(**data["paper"]) if data["paper"] else None
    return Cell(**{**data, "searches": searches, "paper": paper})


def _search(data: dict[str, Any]) -> Run:
    made: Run = KINDS[data.pop("kind", "solve")](**data)
    return replace(made, good=tuple(made.good)) if isinstance(made, Choice) else made
