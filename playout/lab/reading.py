"""What the lab's reading pages show: the results store, its runs, the papers.

All of it is read, never written. A name or a number that a page gives is looked up among what is
there; nothing else is opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from playout.errors import DataError, PlayoutError
from playout.experiments import EXPERIMENTS, load_experiment
from playout.lab.films import filmed, option_pairs, problem_of
from playout.pictures.film import Film
from playout.problems import PROBLEMS
from playout.report.as_html import html_parts
from playout.report.report import Report
from playout.study.plan import make_plan
from playout.study.run_plan import stored_reports
from playout.study.store.results_store import Store, open_store
from playout.study.store.row import GOOD
from playout.study.store.store_file import default_path

MOST_RUNS = 2000
WAIT = 2.0  # seconds that a page waits for a store that another process holds
RUN = ("id", "cell", "instance", "seed", "score", "playouts", "seconds", "finished", "verified")
# the policy of the lab's pages allows no style in an attribute
_STYLE = re.compile(r' style="[^"]*"')


class Reading:
    """The store; what was read is kept for as long as its file does not change.

    `own` are the user's own problems that were named at the start: the only files that are run.
    """

    def __init__(self, store: Path | None, own: Iterable[str] = ()) -> None:
        self.path = store or default_path()
        self._given, self._own = store, frozenset(own)
        self._reports: dict[str, tuple[Any, Report]] = {}

    # the store

    def _open(self) -> Store:
        return open_store(self._given, read_only=True, wait=WAIT)

    def store(self) -> dict[str, Any]:
        """The experiments with their runs, best score and last change."""
        found: dict[str, Any] = {"store": self.path.name, "error": "", "experiments": []}
        if not self.path.exists():
            return found
        try:
            with self._open() as store:
                rows = store.rows(
                    "SELECT experiment, COUNT(*), MAX(score), MAX(finished) FROM runs WHERE "
                    "typeof(score) = 'real' AND typeof(finished) = 'text' "
                    "GROUP BY experiment ORDER BY MAX(finished) DESC"
                )
                for name, runs, best, changed in rows:
                    known = store.experiment(name)
                    title = known[0].title if known else name
                    found["experiments"].append(
                        {
                            "name": name,
                            "title": title,
                            "runs": runs,
                            "best": best,
                            "changed": changed,
                            "page": page_of("store", name),
                        }
                    )
        except PlayoutError as error:
            found["error"] = str(error)
        return found

    def report(self, name: str) -> Report:
        """The report of an experiment that the store has."""
        stamp = stamp_of(self.path)
        if name not in self._reports or self._reports[name][0] != stamp:
            with self._open() as store:
                (report,) = stored_reports(store, name, papers=EXPERIMENTS)
            self._reports[name] = stamp, report
        return self._reports[name][1]

    def report_json(self, name: str) -> dict[str, Any]:
        return self.report(name).to_json()

    def report_html(self, name: str) -> tuple[str, str, str]:
        """Title, header and main part of an experiment's page."""
        title, header, main = html_parts(self.report(name))
        return title, _STYLE.sub("", header), _STYLE.sub("", main)

    def runs(self, name: str) -> dict[str, Any]:
        """The runs of an experiment, the newest first."""
        with self._open() as store:
            rows = store.rows(
                f"SELECT {', '.join(RUN)}, records != '[]' FROM runs "
                f"WHERE experiment = ? AND {GOOD} ORDER BY id DESC LIMIT ?",
                (name, MOST_RUNS),
            )
        return {"runs": [_run(name, row) for row in rows]}

    def run(self, name: str, number: int) -> dict[str, Any]:
        """One run with its curve."""
        *values, blob, film = self._row(name, number, f"{', '.join(RUN)}, curve, records != '[]'")
        curve = np.frombuffer(blob, "<f8").reshape(-1, 3).tolist()
        return {**_run(name, (*values, film)), "curve": curve}

    def run_film(self, name: str, number: int) -> tuple[Film, str]:
        """The pictures of what a run found."""
        columns = "problem, instance, problem_options, records"
        problem, instance, options, records = self._row(name, number, columns)
        if problem not in PROBLEMS and problem not in self._own:
            raise DataError(f"to run {problem}, name it when the lab starts")
        try:
            found, moves = json.loads(options), json.loads(records)
        except (ValueError, TypeError, RecursionError):
            raise DataError(f"run {number} is damaged") from None
        if not moves:
            raise DataError("of this run no moves are kept")
        game = problem_of(problem, instance, option_pairs(found))
        if game.chance:
            raise DataError("the luck of a run is drawn again: no film of it")
        played = game.as_moves(moves)
        game.replay(played)  # refused if they are moves of another problem
        return filmed(game, played)

    def _row(self, name: str, number: int, columns: str) -> tuple[Any, ...]:
        with self._open() as store:
            sql = f"SELECT {columns} FROM runs WHERE experiment = ? AND id = ? AND {GOOD}"
            rows = store.rows(sql, (name, number))
        if not rows:
            raise DataError(f"there is no run {number} of {name}")
        return tuple(rows[0])

    # papers

    @cached_property
    def _experiments(self) -> dict[str, Any]:
        return {name: load_experiment(name) for name in EXPERIMENTS}

    def titles(self) -> list[dict[str, str]]:
        """The papers by their names."""
        return [
            {"name": name, "title": found.title, "paper": found.paper}
            for name, found in self._experiments.items()
        ]

    def papers(self) -> list[dict[str, Any]]:
        """The papers with what the store has of them, at the settings of their last run."""
        counts: dict[str, int] = {}
        settings: dict[str, Any] = {}
        error = ""
        if self.path.exists():
            try:
                with self._open() as store:
                    sql = "SELECT experiment, COUNT(*) FROM runs GROUP BY experiment"
                    counts = dict(store.rows(sql))
                    for name in counts.keys() & self._experiments.keys():
                        known = store.experiment(name)
                        if known is not None:
                            settings[name] = known[1]
            except PlayoutError as fault:
                error = str(fault)
        found = []
        for paper in self.titles():
            name, total, scale = paper["name"], None, None
            if name in settings:
                plan = make_plan(self._experiments[name], replace(settings[name], only=()))
                total, scale = len(plan.planned_runs()), settings[name].scale
            done = min(counts[name], total) if total is not None else None
            found.append(
                {
                    **paper,
                    "done": done,
                    "total": total,
                    "scale": scale,
                    "error": error,
                    "page": page_of("papers", name) if name in counts else "",
                }
            )
        return found


def stamp_of(path: Path) -> Any:
    """What differs once a file has changed; of a store, its log too."""
    stamps = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            found = file.stat()
            stamps.append((found.st_mtime_ns, found.st_size))
        except OSError:
            stamps.append((0, 0))
    return tuple(stamps)


def page_of(kind: str, name: str) -> str:
    """The address of an experiment's page: names have blanks, and may have strokes."""
    return f"/{kind}/{quote(name, safe='')}"


def _run(name: str, row: Sequence[Any]) -> dict[str, Any]:
    *values, film = row
    known = dict(zip(("number", *RUN[1:]), values, strict=True))
    page = f"{page_of('store', name)}/runs/{known['number']}"
    return {**known, "film": bool(film), "page": page}
