"""What experiments cost: the harness on runs of one second, and a report on 100,000 runs.

python -m bench --only study-samegame --only study-tsptw --only study-maximum
python -m bench --only report-all --only report-some
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import playout as po
from bench.common import data_folder, row
from playout.algorithms import ALGORITHMS
from playout.experiments import load_experiment
from playout.study.conduct import conduct
from playout.study.kinds.solve import Solve
from playout.study.plan import Settings, make_plan
from playout.study.specification import Experiment, curve_table
from playout.study.standing import Standing
from playout.study.store.results_store import Store
from playout.study.store.row import RUN_COLUMNS, Row, RunKey, checksum

ROUNDS = 3
RUNS = 8  # a round, after a first one that does not count
SECONDS = 1.0
CODE = "0123456789ab-0123456789ab"  # a state of problem and algorithm
CHILDREN = ("children_user", "children_system")

SEARCHES = {
    "samegame": Solve("samegame", "gnrpa", "standard/1", {"level": 4}),
    "tsptw": Solve("tsptw", "gnrpa", "SolomonPotvinBengio/rc_204.1", {"level": 4}),
    "maximum": Solve("maximum", "snrpa", "", {"level": 4}),
}


def harness(name: str) -> dict[str, Any]:
    """Wall time of a run in an experiment against that of a plain `solve`, in turn."""
    search = SEARCHES[name]
    if search.instance:
        if data_folder() is None:
            raise LookupError("no $PLAYOUT_DATA")
        os.environ.setdefault("PLAYOUT_DATA", str(data_folder()))
    problem = search.load()
    algorithm = ALGORITHMS.find(search.algorithm)(**search.options)
    ours, theirs, our_rest, their_rest = [], [], [], []
    for _ in range(ROUNDS):
        walls, searches = _experiment(search)
        ours += walls
        our_rest += [wall - spent for wall, spent in zip(walls, searches, strict=True)]
        walls, searches = _loop(problem, algorithm)
        theirs += walls
        their_rest += [wall - spent for wall, spent in zip(walls, searches, strict=True)]
    a, b = median(ours), median(theirs)
    out = row(f"an experiment's runs of 1 s against plain solve(), {name}", a, b, a / b, None, 1.02)
    out["beyond the search, ms a run, experiment"] = round(1e3 * median(our_rest), 2)
    out["beyond the search, ms a run, plain"] = round(1e3 * median(their_rest), 2)
    return out


def _experiment(search: Solve) -> tuple[list[float], list[float]]:
    """Seconds from the end of a run to that of the next, and how long each searched."""
    table = curve_table("1", "t", {"a": search}, (SECONDS,), playouts=1, runs=RUNS + 1)
    plan = make_plan(Experiment("bench", "Bench", (table,)), Settings())
    ends: list[float] = []

    def look(standing: Standing) -> None:
        if standing.done > len(ends):
            ends.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        conduct(plan, store=path, workers=1, progress=look)
        with Store(path, read_only=True) as store:
            seconds = [spent for (spent,) in store.rows("SELECT seconds FROM runs ORDER BY id")]
    return [b - a for a, b in pairwise(ends)], seconds[1:]


def _loop(problem: Any, algorithm: Any) -> tuple[list[float], list[float]]:
    """The same for a loop of plain calls."""
    walls, seconds = [], []
    for seed in range(1, RUNS + 2):
        start = time.perf_counter()
        result = po.solve(problem, algorithm, po.Seconds(SECONDS), seed=seed)
        walls.append(time.perf_counter() - start)
        seconds.append(result.seconds)
    return walls[1:], seconds[1:]


def report(all_of_it: bool) -> dict[str, Any]:
    """CPU seconds of `playout report` on a store of 100,000 runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        count = large_store(path, 100_000, None if all_of_it else 2_000)
        seconds, page = [], []
        for _ in range(5):
            seconds.append(_command("report", "snrpa", "--store", str(path)))
            page.append(_command("report", "snrpa", "--store", str(path), "--format", "html"))
    text = median(seconds)
    which = f"{count:,} of them in it"
    out = row(
        f"playout report in a store of 100,000 runs, {which}, CPU seconds",
        text,
        None,
        text,
        None,
        3,
    )
    out["as HTML, CPU seconds"] = round(median(page), 2)
    return out


def _command(*words: str) -> float:
    """CPU seconds of a command, which has one thread."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "playout", *words], check=True, capture_output=True, text=True
    )
    after = os.times()
    if done.stderr:  # runs that are left out would cost nothing
        raise RuntimeError(done.stderr)
    user, system = (getattr(after, of) - getattr(before, of) for of in CHILDREN)
    return user + system


def large_store(path: Path, total: int, wanted: int | None) -> int:
    """A store of made-up runs: `wanted` of them (or all) of the experiment snrpa.

    A curve has 60 points, the moves and their records 2.5 kB, as runs on a SameGame board have.
    """
    experiment = load_experiment("snrpa")
    tasks = make_plan(experiment, Settings()).planned_runs()
    places = list({task.search.key(): task for task in tasks}.items())
    rng = np.random.default_rng(1)
    ends = [_end_of_run(rng) for _ in range(1000)]
    with Store(path) as store:
        store.remember(experiment, Settings())

    def rows(name: str, count: int) -> Iterator[list[Any]]:
        for i in range(count):
            cell, task = places[i % len(places)]
            seed = 1 + i // len(places)
            key = RunKey(name, cell, seed, "seconds", task.budget, po.__version__, CODE)
            columns = {**vars(key), **ends[i % len(ends)]}
            yield [columns[column] for column in RUN_COLUMNS]

    wanted = total if wanted is None else wanted
    names, marks = ", ".join(RUN_COLUMNS), ", ".join("?" * len(RUN_COLUMNS))
    sql = f"INSERT INTO runs ({names}) VALUES ({marks})"
    with sqlite3.connect(path) as connection:
        connection.create_function("checksum_of", -1, checksum, deterministic=True)
        connection.executemany(sql, rows("another", total - wanted))
        connection.executemany(sql, rows("snrpa", wanted))
        connection.execute(f"UPDATE runs SET checksum = checksum_of({names})")
    connection.close()
    return wanted


def _end_of_run(rng: np.random.Generator) -> dict[str, Any]:
    """What came of a made-up run, as the store has it."""
    curve = _curve(rng)
    return Row(
        problem="samegame",
        algorithm="snrpa",
        score=float(curve[-1, 2]),
        playouts=500_000,
        seconds=float(curve[-1, 0]),
        curve=curve,
        moves=[f"{i % 15},{i % 13}" for i in range(60)],
        records=[[i, 2 * i, 3 * i, 4, 123456789012345678] for i in range(60)],
    ).columns()


def _curve(rng: np.random.Generator) -> np.ndarray:
    points = np.empty((60, 3), "<f8")
    points[:, 0] = np.sort(np.exp(rng.uniform(np.log(1e-4), np.log(160.0), 60)))
    points[:, 1] = np.ceil(points[:, 0] * 3000)
    points[:, 2] = np.sort(rng.uniform(400, 3100, 60))
    return points
