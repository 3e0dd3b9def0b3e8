"""What the lab's reading pages show: the results store, the papers, matches.

All of it is read, never written. A name or a number that a page gives is looked up among what is
there; nothing else is opened.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from playout.errors import DataError, PlayoutError
from playout.experiments import EXPERIMENTS, load_experiment
from playout.lab.films import filmed
from playout.matches.match_result import MatchResult
from playout.matches.transcript import MatchGame, one_match, read_transcript
from playout.pictures.film import Film
from playout.report.as_html import html_parts
from playout.report.report import Report
from playout.study.plan import make_plan
from playout.study.run_plan import stored_reports
from playout.study.store.results_store import Store, default_path, open_store

MOST_RUNS = 2000
# the policy of the lab's pages allows no style in an attribute
_STYLE = re.compile(r' style="[^"]*"')


class Reading:
    """Store and transcripts; what was read is kept for as long as its file does not change."""

    def __init__(self, store: Path | None, transcripts: list[Path]) -> None:
        self.path = store or default_path()
        self._given, self._transcripts = store, transcripts
        self._reports: dict[str, tuple[Any, Report]] = {}
        self._matches: dict[int, tuple[Any, list[MatchGame]]] = {}

    # the store

    def _open(self) -> Store:
        return open_store(self._given, read_only=True)

    def store(self) -> dict[str, Any]:
        """The experiments with their runs, best score and last change."""
        found: dict[str, Any] = {"store": self.path.name, "error": "", "experiments": []}
        if not self.path.exists():
            return found
        try:
            with self._open() as store:
                rows = store.rows(
                    "SELECT experiment, COUNT(*), MAX(score), MAX(finished) FROM runs "
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
                            "page": f"/store/{name}",
                        }
                    )
        except PlayoutError as error:
            found["error"] = str(error)
        return found

    def report(self, name: str) -> Report:
        """The report of an experiment that the store has."""
        stamp = self._stamp(self.path)
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
        """The runs of an experiment, the newest first, with their curves."""
        with self._open() as store:
            rows = store.rows(
                "SELECT id, cell, seed, score, playouts, seconds, finished, verified, curve "
                "FROM runs WHERE experiment = ? ORDER BY id DESC LIMIT ?",
                (name, MOST_RUNS),
            )
        runs = []
        for *values, blob in rows:
            keys = (
                "number",
                "cell",
                "seed",
                "score",
                "playouts",
                "seconds",
                "finished",
                "verified",
            )
            curve = np.frombuffer(blob, np.float64).reshape(-1, 3).tolist()
            runs.append({**dict(zip(keys, values, strict=True)), "curve": curve})
        return {"runs": runs}

    @staticmethod
    def _stamp(path: Path) -> Any:
        """What differs once a file has changed; of a store, its log too."""
        stamps = []
        for file in (path, path.with_name(path.name + "-wal")):
            try:
                found = file.stat()
                stamps.append((found.st_mtime_ns, found.st_size))
            except OSError:
                stamps.append((0, 0))
        return tuple(stamps)

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
                total, scale = len(plan.tasks()), settings[name].scale
            done = min(counts[name], total) if total is not None else None
            found.append(
                {**paper, "done": done, "total": total, "scale": scale, "error": error,
                 "page": f"/papers/{name}" if name in counts else ""}
            )  # fmt: skip
        return found

    # matches

    def changed(self, number: int) -> Any:
        """What differs once a transcript has changed."""
        return self._stamp(self._path(number))

    def _path(self, number: int) -> Path:
        if not 0 <= number < len(self._transcripts):
            raise DataError(f"there is no transcript {number}")
        return self._transcripts[number]

    def _games(self, number: int) -> list[MatchGame]:
        path, stamp = self._path(number), self.changed(number)
        if number not in self._matches or self._matches[number][0] != stamp:
            games = sorted(read_transcript(path), key=lambda game: game.number)
            if not games:
                raise DataError(f"{path.name} has no games")
            self._matches[number] = stamp, games
        return self._matches[number][1]

    def _result(self, number: int) -> MatchResult:
        games = self._games(number)
        seats = len(games[0].seats)
        return MatchResult(one_match(self._path(number), games), tuple(games), seats)

    def matches(self) -> dict[str, Any]:
        """The transcripts that were named at the start, each with its score."""
        found = []
        for number, path in enumerate(self._transcripts):
            row: dict[str, Any] = {"number": number, "name": path.name, "error": ""}
            try:
                result = self._result(number)
                row |= {
                    "game": result.game,
                    "players": result.players,
                    "games": result.games,
                    "score": result.win_rate,
                    "interval": list(result.interval),
                    "elo": result.elo,
                }
            except PlayoutError as error:
                row["error"] = str(error)
            found.append(row)
        return {"transcripts": found}

    def match(self, number: int) -> dict[str, Any]:
        """A match with its games."""
        result = self._result(number)
        games = [
            {
                "game": i,
                "number": game.number,
                "players": [result.players[player] for player in game.seats],
                "moves": len(game.moves),
                "rewards": game.result,
                "plies": game.plies,
            }
            for i, game in enumerate(self._games(number))
        ]
        name = self._path(number).name
        return {**result.to_json(), "name": name, "text": str(result), "list": games}

    def game_film(self, number: int, game: int) -> tuple[Film, str]:
        """The pictures of a game of a match."""
        from playout.games.game_text import game_of_file

        games = self._games(number)
        if not 0 <= game < len(games):
            raise DataError(f"there is no game {game}")
        played = games[game]
        rules = game_of_file(played.match.game)
        if rules.hidden or rules.chance:
            raise DataError("the cards and the luck of a match are dealt again: no film of it yet")
        return filmed(rules, played.moves)
