"""The store: claims, rows that never change, and files that are no store or cannot be written."""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
import os
import platform
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from playout.errors import DataError
from playout.study.export import runs, write_csv
from playout.study.plan import Settings
from playout.study.specification import Cell, Experiment, Table
from playout.study.store.claim_owner import Owner, is_alive
from playout.study.store.results_store import (
    DONE,
    MINE,
    TAKEN,
    Store,
    open_store,
)
from playout.study.store.row import RUN_COLUMNS, Row, RunKey
from playout.study.store.schema import VERSION
from playout.study.store.store_file import default_path

KEY = RunKey("e", "cell", 1, "seconds", 1.0, "0.1", "code")
ROW = Row(problem="p", algorithm="a", score=1.5, playouts=3, seconds=1.0)


def count(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT COUNT(*) FROM runs").fetchone()[0]


def experiment(title="E"):
    table = Table("1", "t", (Cell("r", "c", 1.0),), seconds=1, playouts=1, runs=1)
    return Experiment("e", title, (table,))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def test_a_row_is_what_sqlite_keeps(path):
    row = Row(
        problem="p",
        algorithm="a",
        options={"level": 2},
        score=2.0,
        playouts=5,
        seconds=0.5,
        verified=False,
        curve=[(0.1, 1, 1.0), (0.2, 4, 2.0)],
        moves=["left"],
    )
    with Store(path) as store:
        store.finish(KEY, row)
        store.finish(replace(KEY, seed=2), replace(row, curve=None))
        first, second = runs(store, None)
    assert tuple(first) == RUN_COLUMNS
    assert first["options"] == '{"level": 2}'
    assert (first["verified"], first["moves"], first["records"]) == (False, '["left"]', "[]")
    assert first["curve"] == [[0.1, 1.0, 1.0], [0.2, 4.0, 2.0]]
    assert second["curve"] == [[0.0, 0.0, 2.0]]
    assert first["python"] == platform.python_version()
    with sqlite3.connect(path) as connection:
        described = connection.execute("SELECT * FROM runs").description
    columns = tuple(name for name, *_ in described[1:])
    assert columns == (*RUN_COLUMNS, "checksum")  # the schema's own order


def test_claim_run_finish(path):
    with Store(path) as store, Owner(path) as owner, Owner(path) as other:
        assert store.claim(KEY, owner) == MINE
        assert store.claim(KEY, other) == TAKEN
        store.finish(KEY, ROW)
        assert store.claim(KEY, other) == DONE
        assert store.rows("SELECT * FROM claims") == []
        assert store.missing([KEY]) == []


def test_a_released_claim_can_be_taken(path):
    with Store(path) as store, Owner(path) as owner, Owner(path) as other:
        store.claim(KEY, owner)
        store.release(owner)
        assert store.claim(KEY, other) == MINE


def test_an_owner_that_left_holds_nothing(path):
    with Store(path) as store, Owner(path) as other:
        gone = Owner(path)
        store.claim(KEY, gone)
        gone.leave()
        assert store.claim(KEY, other) == MINE


def test_a_killed_owner_holds_nothing(path):
    code = (
        "import sys, time; from pathlib import Path\n"
        "from playout.study.store.claim_owner import Owner\n"
        "from playout.study.store.results_store import Store\n"
        "from playout.study.store.row import RunKey\n"
        "path = Path(sys.argv[1]); store = Store(path); owner = Owner(path)\n"
        "key = RunKey('e', 'cell', 1, 'seconds', 1.0, '0.1', 'code')\n"
        "print(store.claim(key, owner), flush=True); time.sleep(600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "mine\n"
    with Store(path) as store, Owner(path) as owner:
        assert store.claim(KEY, owner) == TAKEN
        process.kill()
        process.communicate()
        assert store.claim(KEY, owner) == MINE
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".owner"] == []


def test_owner_names_from_a_store_are_not_trusted(path):
    path.parent.joinpath("precious").write_text("x")
    for name in ("../precious", "precious", "", "1-" + "0" * 12 + "/../x"):
        assert not is_alive(path, name)
    assert path.parent.joinpath("precious").exists()


def test_a_longer_run_has_the_shorter_one_in_it(path):
    longer = RunKey("e", "cell", 1, "seconds", 2.0, "0.1", "code")
    with Store(path) as store:
        store.finish(KEY, ROW)
        assert store.missing([KEY, longer]) == [longer]
        store.finish(longer, ROW)
        other_unit = RunKey("e", "cell", 1, "playouts", 1.0, "0.1", "code")
        newer = RunKey("e", "cell", 1, "seconds", 1.0, "0.2", "code")
        edited = RunKey("e", "cell", 1, "seconds", 1.0, "0.1", "other")
        others = [other_unit, newer, edited]
        assert store.missing([KEY, longer, *others]) == others


def test_rows_are_never_replaced(path):
    with Store(path) as store:
        store.finish(KEY, ROW)
        store.finish(KEY, replace(ROW, score=99.0))
        assert store.rows("SELECT score FROM runs") == [(1.5,)]


def test_experiments_are_remembered_and_none_is_overwritten(path):
    with Store(path) as store:
        assert store.experiment("e") is None
        store.remember(experiment(), Settings())
        store.remember(experiment(), Settings())
        store.remember(experiment("new"), Settings(scale=0.5), {"key": "code"})
        assert store.experiments() == ["e"]
        assert store.experiment("e") == (experiment("new"), Settings(scale=0.5), {"key": "code"})
        assert store.rows("SELECT COUNT(*) FROM experiments") == [(2,)]


def test_trials(path):
    with Store(path) as store:
        store.add_trial("s", {"alpha": 0.5}, 1.25, "now")
        store.add_trial("other", {}, 0.0, "now")
        assert store.trials("s") == [({"alpha": 0.5}, 1.25)]


@pytest.mark.parametrize("read_only", [False, True])
def test_not_sqlite(path, read_only):
    path.write_text("hello, this is a text of some length, and not a database\n" * 50)
    before = path.read_bytes()
    with pytest.raises(DataError, match="not a SQLite file"):
        Store(path, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_somebody_elses_database(path, read_only):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE precious (x)")
    before = path.read_bytes()
    with pytest.raises(DataError, match="not a results store"):
        Store(path, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_version(path, read_only):
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(DataError, match="newer version"):
        Store(path, read_only=read_only)


def first_version(path):
    """A store as version 1 laid it out, with a run."""
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN details")
        connection.execute("ALTER TABLE runs DROP COLUMN checksum")
        connection.execute("ALTER TABLE trials DROP COLUMN checksum")
        connection.execute("INSERT INTO trials VALUES (1, 's', '{}', 0.5, 'then')")
        connection.execute("PRAGMA user_version = 1")
        columns = [name for name in RUN_COLUMNS if name != "details"]
        values = [{**vars(KEY), **ROW.columns()}[name] for name in columns]
        marks = ", ".join("?" * len(columns))
        connection.execute(f"INSERT INTO runs ({', '.join(columns)}) VALUES ({marks})", values)
    connection.close()


def test_a_store_of_the_first_version(path):
    first_version(path)
    before = path.read_bytes()
    with Store(path, read_only=True) as store:
        assert store.rows("SELECT score, details FROM runs") == [(1.5, "{}")]
        assert store.trials("s") == [({}, 0.5)]
        assert [run["details"] for run in runs(store, None)] == ["{}"]
    assert path.read_bytes() == before
    other = RunKey("e", "cell", 2, "seconds", 1.0, "0.1", "code")
    for _ in range(2):  # the second finds it renewed
        with Store(path) as store:
            assert store.missing([KEY]) == []
            store.finish(other, replace(ROW, details={"expansions": 3}))
            found = store.rows("SELECT score, details FROM runs ORDER BY seed")
            assert found == [(1.5, "{}"), (1.5, '{"expansions": 3}')]
            assert store.trials("s")[0] == ({}, 0.5)
            store.add_trial("s", {"a": 1}, 1.0, "now")


def test_a_damaged_store(path):
    with Store(path) as store:
        for seed in range(200):
            store.finish(RunKey("e", "c", seed, "seconds", 1.0, "1", "c"), ROW)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(DataError, match="damaged"), Store(path, read_only=True) as store:
        store.rows("SELECT * FROM runs")


def test_an_empty_file_becomes_a_store(path):
    path.write_bytes(b"")
    with Store(path) as store:
        assert store.experiments() == []


def _open_with_others(path, barrier, outcomes):
    barrier.wait()
    try:
        with Store(path):
            outcomes.put("")
    except DataError as error:
        outcomes.put(str(error))


@pytest.mark.long
def test_many_may_open_a_new_store_at_once(tmp_path):
    """Laid out by one of them, while the others wait."""
    context = multiprocessing.get_context("fork")
    for number in range(15):
        barrier, outcomes = context.Barrier(6), context.Queue()
        path = tmp_path / f"{number}.sqlite"
        others = [
            context.Process(target=_open_with_others, args=(path, barrier, outcomes))
            for _ in range(6)
        ]
        for other in others:
            other.start()
        assert [outcomes.get(timeout=600) for _ in others] == [""] * 6
        for other in others:
            other.join()


def test_a_full_disk_leaves_what_was_finished(path):
    with Store(path) as store:
        store.finish(KEY, ROW)
        (pages,) = store.rows("PRAGMA page_count")[0]
        store.rows(f"PRAGMA max_page_count = {pages + 2}")
        large = replace(ROW, moves=["x" * 100_000])
        with pytest.raises(DataError, match="the disk is full"):
            store.finish(RunKey("e", "c", 2, "seconds", 1.0, "1", "c"), large)
    assert count(path) == 1
    with Store(path) as store:
        assert store.missing([KEY]) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_read_only_store_as_a_user(path):
    Store(path).close()
    path.chmod(0o400)
    with pytest.raises(DataError, match="read-only"), Store(path) as store:
        store.remember(experiment(), Settings())


def test_a_read_only_connection_cannot_write(path):
    with Store(path) as store:
        store.remember(experiment(), Settings())
    with Store(path, read_only=True) as store:
        assert store.experiments() == ["e"]
        with pytest.raises(DataError, match="read-only"):
            store.remember(experiment("other"), Settings())


def test_what_is_still_in_the_log_is_read_too(path, monkeypatch):
    """Also in a folder that may not be written, as another user's."""
    with Store(path) as store:
        store.finish(KEY, ROW)
        assert path.with_name(f"{path.name}-wal").stat().st_size > 0
        monkeypatch.setattr(os, "access", lambda *about: False)
        with Store(path, read_only=True) as reader:
            assert reader.rows("SELECT score FROM runs") == [(1.5,)]


def test_an_owner_that_cannot_be(tmp_path):
    with pytest.raises(DataError, match="No such file"):
        Owner(tmp_path / "none" / "s.sqlite")
    with pytest.raises(DataError, match="File name too long"):
        Owner(tmp_path / ("x" * 250))


def test_places_that_cannot_be(tmp_path):
    for path, says in {
        tmp_path: "is a folder",
        tmp_path / "none" / "s.sqlite": "there is no folder",
    }.items():
        with pytest.raises(DataError, match=says):
            Store(path)
    with pytest.raises(DataError, match="no experiment has been run yet"):
        Store(tmp_path / "s.sqlite", read_only=True)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "trigger 't'"),
        ("CREATE VIEW v AS SELECT * FROM runs", "view 'v'"),
        ("CREATE INDEX i ON runs (zeroblob(9))", "index 'i'"),
        ("CREATE INDEX trials_on ON trials (study) WHERE value > 1", "index 'trials_on'"),
        ("CREATE VIRTUAL TABLE f USING fts5(a)", "table 'f'"),
        ("ALTER TABLE runs ADD COLUMN c AS (zeroblob(999999999))", "table 'runs'"),
        ("ALTER TABLE runs ADD COLUMN c CHECK (length(zeroblob(99)) > 0)", "table 'runs'"),
        ("CREATE TABLE more (a)", "table 'more'"),
    ],
)
def test_sql_of_a_strangers_is_not_run(path, sql, says):
    """It would run with the next row that is read or written."""
    with Store(path) as store:
        store.finish(KEY, ROW)
    with sqlite3.connect(path) as connection:
        connection.execute(sql)
    for read_only in (False, True):
        with pytest.raises(DataError, match=f"something that no results store has: {says}"):
            Store(path, read_only=read_only)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(DataError, match="newer version"):
        Store(path)


@pytest.mark.parametrize("runs", [10**12, 1.5])
def test_an_experiment_of_more_runs_than_can_be_is_damaged(path, runs):
    with Store(path) as store:
        store.remember(experiment(), Settings())
    with sqlite3.connect(path) as connection:
        ((text,),) = connection.execute("SELECT specification FROM experiments").fetchall()
        specification = json.loads(text)
        specification["tables"][0]["runs"] = runs
        changed = (json.dumps(specification),)
        connection.execute("UPDATE experiments SET specification = ?", changed)
    with Store(path, read_only=True) as store, pytest.raises(DataError, match="is damaged"):
        store.experiment(specification["name"])


def test_analyze_makes_no_stranger_of_a_store(path):
    with Store(path) as store:
        store.finish(KEY, ROW)
    with sqlite3.connect(path) as connection:
        connection.execute("ANALYZE")
    with Store(path) as store:
        assert store.missing([KEY]) == []


def test_a_row_that_is_too_large_is_not_read(path):
    with Store(path) as store:
        store.finish(KEY, ROW)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET curve = zeroblob(?)", (65 << 20,))
    with Store(path, read_only=True) as store, pytest.raises(DataError, match="over 64 MiB"):
        list(runs(store, None))


def test_the_users_own_store(tmp_path, monkeypatch):
    monkeypatch.delenv("PLAYOUT_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if sys.platform.startswith("linux"):
        assert default_path() == tmp_path / "data" / "playout" / "results.sqlite"
        with open_store() as store:
            assert store.path == default_path()
    monkeypatch.setenv("PLAYOUT_STORE", str(tmp_path / "s.sqlite"))
    assert default_path() == tmp_path / "s.sqlite"


def test_exported_json_is_json():
    from playout.text.json_text import json_text

    assert json_text({"curve": [[1.0, -float("inf")]]}) == '{"curve": [[1.0, null]]}'


def test_csv_has_no_formulas(path):
    with Store(path) as store:
        store.finish(KEY, replace(ROW, instance="=HYPERLINK(1)", algorithm="@x"))
        text = io.StringIO()
        write_csv(store, None, text)
    (row,) = csv.DictReader(io.StringIO(text.getvalue()))
    assert (row["instance"], row["algorithm"]) == ("'=HYPERLINK(1)", "'@x")
    assert row["score"] == "1.5"
