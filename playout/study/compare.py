"""Comparing algorithms on one problem: the report of an experiment that is no paper's."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Unpack

from playout.algorithms import ALGORITHMS, load_algorithm
from playout.algorithms.algorithm import Algorithm
from playout.cluster import crew_on
from playout.contract import Problem, score_word
from playout.errors import DataError, OptionError
from playout.report.as_html import html
from playout.report.as_markdown import markdown
from playout.report.as_text import text
from playout.report.report import Report, ReportCell
from playout.stop import Budget, Playouts, Seconds, Stop, stop_of
from playout.study.conduct import conduct
from playout.study.kinds.solve import Solve
from playout.study.make_report import make_report
from playout.study.plan import Plan, Settings, make_plan
from playout.study.specification import Cell, Experiment, Table
from playout.study.standing import Standing
from playout.study.store.results_store import open_store
from playout.text.grammar import parse_named, value_text
from playout.text.notebook_line import watched
from playout.text.output_files import write_atomically

LINES = 6  # the whole budget, a half of it, a quarter, ...


def compare(
    problem: Problem | str,
    algorithms: Iterable[Algorithm | str] | Mapping[str, Algorithm | str],
    stop: Stop | float | str | None = None,
    *,
    runs: int = 20,
    target: float | None = None,
    workers: int = 1,
    store: str | Path | None = None,
    instance: str = "",
    progress: Callable[[Standing], None] | None = None,
    cluster: str | None = None,
    **budget: Unpack[Budget],
) -> Comparison:
    """Compare algorithms on a problem, over several seeds.

    Parameters
    ----------
    problem : Problem, or text
        In text as on the command line: `"samegame"`, `"tsptw:objective=makespan"`.
    algorithms : list of Algorithm or text, or a dictionary that names them
        The others are compared with the first.
    stop : Seconds or Playouts, seconds or text
        The budget of each run, `Seconds(10)` if none is given; in text `"10m"`,
        `"5000 playouts"`.
    seconds, playouts
        The same by name: `compare(problem, algorithms, seconds=60)`.
    runs : int
        Runs of each algorithm, with the seeds 1, 2, 3, ...
    target : float
        Compare how soon runs reach this score, or this cost: the table has the share of runs that
        reached it by each time, and the picture that share over time. A run ends there; one that
        did not get there counts as not there yet, which is all that is known of it.
    workers : int
        Runs at once: threads, or processes where the problem is given as text.
    store : path
        A results store to keep the runs in: what it has already is not run again. Without one
        they are kept nowhere.
    cluster : str
        Have the workers on nodes of a Ray cluster, as `solve` does.

    Examples
    --------
    >>> import playout as po
    >>> table = po.compare(po.problems.Maximum(15), [po.Random(), po.NRPA(level=1)],
    ...                    po.Playouts(200), runs=5)
    >>> [(row["algorithm"], row["runs"]) for row in table.rows()]
    [('random', 5), ('nrpa:level=1', 5)]
    >>> again = po.compare("maximum:n=15", ["random", "nrpa:level=1"], "200 playouts", runs=5)
    >>> again.rows() == table.rows()
    True
    """
    stop = stop_of(stop, 10, budget, compare)
    if not isinstance(stop, Seconds | Playouts):
        raise OptionError(f"{stop!r} is no budget to compare by: give Seconds or Playouts")
    if not isinstance(problem, Problem | str):
        raise OptionError(f"{problem!r} is no problem: give an instance of a playout.Problem class")
    if not isinstance(workers, int) or workers < 1 or not isinstance(runs, int) or runs < 1:
        raise OptionError("runs and workers are whole numbers from 1")
    named = _named(algorithms)
    problems: dict[str, Problem] = {}
    if isinstance(problem, str):
        _check_registered(named.values())
        searches = {name: Solve.parse(problem, _text(a), instance) for name, a in named.items()}
    else:
        searches = {name: _search(problem, a, instance) for name, a in named.items()}
        problems = {search.where(): problem for search in searches.values()}
    plan = comparison_plan(searches, stop, runs, target)
    with tempfile.TemporaryDirectory(prefix="playout-") as folder:
        path = Path(folder) / "results.sqlite" if store is None else store
        with crew_on(cluster, workers) as crew, watched(progress, Standing.shown) as told:
            outcome = conduct(
                plan, store=path, workers=workers, progress=told, problems=problems, crew=crew
            )
        with open_store(path, read_only=True) as opened:
            report = make_report(opened, plan, outcome.left_out, codes=outcome.codes)
            return Comparison(report)


@dataclass(frozen=True, repr=False)
class Comparison:
    """The outcome of `compare`: prints as a table, shows itself in a notebook.

    Examples
    --------
    >>> import playout as po
    >>> table = po.compare(po.problems.Maximum(9), ["random", "nmcs"], "50 playouts", runs=2)
    >>> [row["algorithm"] for row in table.rows()]
    ['random', 'nmcs']
    """

    report: Report

    def rows(self) -> list[dict[str, Any]]:
        """The figures at the whole budget, a dictionary for each algorithm."""
        table = self.report.tables[0]
        cells = [table.cell(table.rows[-1], column) for column in table.columns]
        return [_figures(cell) for cell in cells if cell is not None and cell.ours is not None]

    def to_dataframe(self) -> Any:
        """Every line and column as a pandas DataFrame."""
        try:
            import pandas
        except ImportError:
            raise DataError("a DataFrame needs pandas: pip install 'playout[pandas]'") from None
        table = self.report.tables[0]
        return pandas.DataFrame(
            [
                {table.row_title: float(cell.row.replace(",", "")), **_figures(cell)}
                for cell in table.cells
                if cell.ours is not None
            ]
        )

    def save(self, path: str | Path) -> None:
        """Write the report: .html, .md or .txt."""
        kinds: dict[str, Callable[[Report], str]] = {".html": html, ".md": markdown, ".txt": text}
        kind = Path(path).suffix
        if kind not in kinds:
            raise OptionError(f"cannot write {path}: its name should end in {', '.join(kinds)}")
        write_atomically(Path(path), kinds[kind](self.report).encode())

    def __str__(self) -> str:
        return text(self.report)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        # a page of its own, so that its style stays there
        style = "width:100%;height:42rem;border:0"
        return f'<iframe srcdoc="{escape(html(self.report))}" style="{style}"></iframe>'


def _figures(cell: ReportCell) -> dict[str, Any]:
    """What is known of a cell, by name."""
    ours = cell.ours
    assert ours is not None
    return {
        "algorithm": cell.column,
        "mean": ours.value,
        "low": ours.low,
        "high": ours.high,
        "runs": ours.runs,
        "verdict": cell.verdict,
        "p": cell.p,
    }


def comparison_plan(
    searches: Mapping[str, Solve], stop: Seconds | Playouts, runs: int, target: float | None = None
) -> Plan:
    """The plan of a comparison: a column for each search, lines at halves of the budget.

    With a target it is about the share of runs that have reached it, and a run ends there.
    """
    if not searches:
        raise OptionError("give at least one algorithm to compare")
    by = "playouts" if isinstance(stop, Playouts) else "seconds"
    budget = float(stop.playouts if isinstance(stop, Playouts) else stop.seconds)
    if target is not None:
        searches = {name: replace(s, target=target) for name, s in searches.items()}
    marks = [budget / 2**k for k in reversed(range(LINES))]
    if by == "playouts":
        marks = sorted({max(1.0, float(round(mark))) for mark in marks})
    cells = [
        Cell(f"{mark:,.0f}" if by == "playouts" else f"{mark:.6g}", column, mark, (search,))
        for mark in marks
        for column, search in searches.items()
    ]
    first = next(iter(searches.values()))
    where, called = first.where(), score_word(first.sense)
    shown = f"mean {called}" if target is None else f"runs that reach a {called} of {target:.10g},"
    table = Table(
        "1",
        f"{where}, {shown} by {by}",
        tuple(cells),
        seconds=budget,
        playouts=max(1, round(budget)),
        runs=runs,
        row_title=by,
        lower=first.sense == "min" and target is None,
        measure="mean" if target is None else "success",
        target=target,
        times=target is not None,
    )
    name = f"compare {where}"
    experiment = Experiment(name, f"Comparison on {where}", (table,))
    settings = Settings(by=by, playouts=round(budget) if by == "playouts" else None)
    return make_plan(experiment, settings)


def label(algorithm: str, options: Mapping[str, Any]) -> str:
    """An algorithm and its options as the command line takes them: gnrpa:tau=1.4,level=3."""
    pairs = [f"{name}={value_text(value)}" for name, value in options.items()]
    return f"{algorithm}:{','.join(pairs)}" if pairs else algorithm


def _named(
    algorithms: Iterable[Algorithm | str] | Mapping[str, Algorithm | str],
) -> dict[str, Algorithm | str]:
    if isinstance(algorithms, Mapping):
        return {name: _checked(algorithm) for name, algorithm in algorithms.items()}
    named: dict[str, Algorithm | str] = {}
    for algorithm in map(_checked, algorithms):
        name = _text(algorithm)
        if name in named:
            raise OptionError(f"{name} is given twice: name the algorithms in a dictionary")
        named[name] = algorithm
    return named


def _checked(algorithm: Any) -> Algorithm | str:
    if not isinstance(algorithm, Algorithm | str):
        raise OptionError(f"{algorithm!r} is no algorithm: give one such as playout.GNRPA()")
    return algorithm


def _check_registered(algorithms: Iterable[Algorithm | str]) -> None:
    """Refuse objects that another process cannot make from their names."""
    for algorithm in algorithms:
        if not isinstance(algorithm, str) and algorithm.name not in ALGORITHMS.listed():
            raise OptionError(
                f"{algorithm.name} is a class of your own, which other processes do not know: name "
                "it path/to/file.py:Class, or give the problem as an object, too"
            )


def _text(algorithm: Algorithm | str) -> str:
    return algorithm if isinstance(algorithm, str) else label(algorithm.name, _given(algorithm))


def _search(problem: Problem, given: Algorithm | str, instance: str) -> Solve:
    named = parse_named(given, ALGORITHMS).name if isinstance(given, str) else given.name
    algorithm = load_algorithm(given) if isinstance(given, str) else given
    if not isinstance(given, str):
        ALGORITHMS.adopt(named, type(given))
    name = type(problem).__name__
    return Solve(name, named, instance, _given(algorithm), sense=problem.sense)


def _given(algorithm: Algorithm) -> dict[str, Any]:
    """The options that are not the defaults."""
    usual = type(algorithm)().options()
    return {name: v for name, v in algorithm.options().items() if v != usual[name]}
