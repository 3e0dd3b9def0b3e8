"""Runs of a store that are not what was written count nowhere, and are made again."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from playout.errors import DataError, DataWarning
from playout.lab.reading import Reading
from playout.report.curves import Curves
from playout.study.export import runs
from playout.study.finished_runs import FinishedRuns
from playout.study.specification import Cell, Experiment, Table
from playout.study.store.results_store import Store
from playout.study.store.row import RUN_COLUMNS, Row, RunKey, checksum

KEY = RunKey("e", "cell", 1, "seconds", 1.0, "0.1", "code")
ROW = Row(problem="p", algorithm="a", score=1.5, playouts=3, seconds=1.0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


@pytest.fixture
def three(path):
    with Store(path) as store:
        for seed in (1, 2, 3):
            store.finish(replace(KEY, seed=seed), ROW)
    return path


@pytest.mark.parametrize(
    "change",
    [
        "score = 1.75",
        "curve = x'00'",
        "curve = zeroblob(24)",
        "seconds = seconds + 1",
        "verified = 2",
        "moves = '[]' || ' '",
        "machine = 'another'",
        "checksum = '', curve = x'00'",
        "checksum = '', curve = ''",
        "checksum = '', curve = 5",
        "checksum = '', details = '[1]'",
        "checksum = '', details = '{'",
        "checksum = '', score = 'high'",
    ],
)
def test_a_changed_row(three, change):
    with sqlite3.connect(three) as connection:
        connection.execute(f"UPDATE runs SET {change} WHERE seed = 2")
    connection.close()
    keys = [replace(KEY, seed=seed) for seed in (1, 2, 3)]
    store = Store(three)
    for _ in range(2):  # and told of once
        assert [run["seed"] for run in runs(store, None)] == [1, 3]
    assert store.missing(keys) == [keys[1]]
    store.finish(keys[1], ROW)
    assert store.missing(keys) == []
    assert sorted(run["seed"] for run in runs(store, None)) == [1, 2, 3]
    with pytest.warns(DataWarning, match=r"run 2 \(.*seed 2\) is damaged and left out") as told:
        store.close()
    assert len(told) == 1


@pytest.mark.parametrize(
    "change",
    ["seed = 'two'", "score = 'high'", "curve = x'00'", "curve = ''", "finished = x'ff'"],
)
def test_a_crafted_row_with_the_right_checksum(three, change):
    craft(three, change)
    reading = Reading(three)
    assert json.dumps(reading.store())
    assert [run["seed"] for run in reading.runs("e")["runs"]] == [3, 1]
    store = Store(three)
    assert [run["seed"] for run in runs(store, None)] == [1, 3]
    with pytest.warns(DataWarning, match=r"run 2 .* is damaged"):
        store.close()


def craft(path, change):
    """Change a row as somebody does who knows how it is made."""
    with sqlite3.connect(path) as connection:
        connection.create_function("checksum_of", -1, checksum)
        connection.execute(f"UPDATE runs SET {change} WHERE id = 2")
        columns = ", ".join(RUN_COLUMNS)
        connection.execute(f"UPDATE runs SET checksum = checksum_of({columns}) WHERE id = 2")
    connection.close()


@pytest.mark.parametrize("details", ["{", "[1]", '{"counted": "x"}', "[" * 99_999])
def test_crafted_json_with_the_right_checksum(three, details):
    craft(three, f"details = '{details}'")
    with Store(three, read_only=True) as store:
        found = [details for _, details in store.runs(("id", "details"))]
    finished = FinishedRuns(Curves([], "playouts"), np.zeros(0), np.zeros(0), found)
    with pytest.raises(DataError, match="a run in the store is damaged: its JSON"):
        finished.counted("counted")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", 5),
        ("name", 10**400),
        ("paper", 1e308),
        ("tables.seconds", "x"),
        ("tables.note", 1),
    ],
)
def test_a_crafted_experiment_is_one_line(path, name, value):
    table = Table("1", "t", (Cell("r", "c", 1.0),), 1.0, 9, 2)
    data = Experiment("e", "E", (table,)).to_json()
    assert Experiment.from_json(data).to_json() == data
    *inside, last = name.split(".")
    (data["tables"][0] if inside else data)[last] = value
    with pytest.raises(DataError, match="the store has an experiment that cannot be read"):
        Experiment.from_json(data)


def test_damage_in_several_experiments_is_told_once(three):
    with Store(three) as store:
        store.finish(replace(KEY, experiment="f"), ROW)
    with sqlite3.connect(three) as connection:
        connection.execute("UPDATE runs SET score = 9 WHERE seed = 1")
    connection.close()
    store = Store(three, read_only=True)
    assert [run["seed"] for name in ("e", "f") for run in runs(store, name)] == [2, 3]
    with pytest.warns(DataWarning) as told:
        store.close()
    (only,) = told
    assert "run 1 (cell, seed 1), and 1 more, is damaged and left out" in str(only.message)


def test_ctrl_c_while_sqlite_checks_a_run_is_ctrl_c(three, monkeypatch):
    def ctrl_c(*values):
        raise KeyboardInterrupt

    monkeypatch.setattr("playout.study.store.results_store.is_good", ctrl_c)
    with Store(three) as store:
        with pytest.raises(KeyboardInterrupt):
            store.missing([KEY])
        with pytest.raises(KeyboardInterrupt):
            store.finish(KEY, ROW)


def test_no_curve_at_all(three):
    """SQLite lets a file say so that its own layout forbids."""
    with sqlite3.connect(three) as connection:
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'curve BLOB NOT NULL', 'curve BLOB')"
        )
    connection.close()
    with sqlite3.connect(three) as connection:
        connection.execute("UPDATE runs SET curve = NULL, checksum = '' WHERE seed = 2")
    connection.close()
    with pytest.warns(DataWarning, match="run 2"), Store(three, read_only=True) as store:
        assert [run["seed"] for run in runs(store, None)] == [1, 3]


@pytest.mark.parametrize(
    ("damaged", "found"), [("sqlite_autoindex_runs_1", [1, 2, 3]), ("runs", [1, 2])]
)
def test_a_page_that_has_lost_rows(three, damaged, found):
    """Damage to the index loses nothing, and damage to the table is not silent."""
    connection = sqlite3.connect(three)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    page = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    ((number,),) = connection.execute(page, (damaged,)).fetchall()
    connection.close()
    content = bytearray(three.read_bytes())
    cells = (number - 1) * size + 3  # how many rows are on the page, in two bytes
    assert content[cells : cells + 2] == b"\0\3"
    content[cells + 1] = 2
    three.write_bytes(content)
    store = Store(three, read_only=True)
    assert [run["seed"] for run in runs(store, "e")] == found
    with pytest.warns(DataWarning, match=r"its runs are .* some may be missing"):
        store.close()


def test_damaged_trials(path):
    with Store(path) as store:
        store.add_trial("s", {"a": 1}, 1.0, "now")
        for options in ("[" * 100_000, "5", "{"):
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE trials SET options = ?", (options,))
            connection.close()
            with pytest.raises(DataError, match="a trial of the study s is damaged"):
                store.trials("s")


@pytest.mark.parametrize(
    "change", ["options = '{\"a\": 2}'", "value = 1.25", "study = 'r'", "finished = 'never'"]
)
def test_a_changed_trial_is_told(path, change):
    with Store(path) as store:
        for study in ("r", "s"):
            store.add_trial(study, {"a": 1}, 1.0, "now")
        with sqlite3.connect(path) as connection:
            connection.execute(f"UPDATE trials SET {change} WHERE study = 's'")
        connection.close()
        with pytest.raises(DataError, match=r"a trial of the study . is damaged"):
            store.trials("r" if "study" in change else "s")


def test_a_store_whose_tables_are_no_text(three):
    three.write_bytes(
        three.read_bytes().replace(b"study TEXT NOT NULL", b"study TEXT N\xcfT NULL", 1)
    )
    with pytest.raises(DataError) as caught:
        Store(three, read_only=True)
    assert str(caught.value) == f"{three}: is damaged: a text of it is none; it was left alone"
