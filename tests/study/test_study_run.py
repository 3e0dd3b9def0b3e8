"""Experiments end to end: resumed, shared, killed at any moment; reports of what there is."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import time

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError, PlayoutError
from playout.games import load_game
from playout.study.conduct import conduct
from playout.study.kinds.choice import Choice
from playout.study.kinds.kind import Budget
from playout.study.kinds.match import Match
from playout.study.kinds.solve import Solve
from playout.study.make_report import make_report
from playout.study.plan import Settings, make_plan
from playout.study.specification import Experiment, curve_table, instance_table
from playout.study.store.results_store import open_store
from tests.support.study_folder import Folder


def rows(folder, what="cell, seed, id, finished, score"):
    if not folder.store.exists():
        return []
    with sqlite3.connect(folder.store, timeout=600) as connection:
        try:
            return connection.execute(f"SELECT {what} FROM runs ORDER BY id").fetchall()
        except sqlite3.OperationalError:  # killed before the tables were there
            return []


def wait_for_more_than(folder, count, process):
    while len(rows(folder)) <= count and process.poll() is None:
        time.sleep(0.02)


def test_run_twice_runs_once(tmp_path):
    folder = Folder(tmp_path)
    first = folder.reproduce("--workers", 2)
    assert first.returncode == 0, first.stderr
    before = rows(folder)
    assert len(before) == 6
    second = folder.reproduce("--workers", 2)
    assert rows(folder) == before
    assert len(folder.log()) == 6
    assert first.stdout == second.stdout
    more = folder.reproduce("--runs", 5)
    assert more.returncode == 0
    assert rows(folder)[:6] == before
    assert len(rows(folder)) == 10
    assert len(folder.log()) == 10


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


# whoever is first waits until the other has done a run, too
WAITS = """
        import time
        log = Path(__file__).with_name("log.txt")
        while len(set(log.read_text().split())) < 2:
            time.sleep(0.01)
        return super().verify"""


def test_two_processes_share_the_work(tmp_path):
    folder = Folder(tmp_path, runs=50, playouts=40)
    source = folder.path / "bits.py"
    text = source.read_text().replace("        return super().verify", WAITS)
    source.write_text(text)
    team = [
        folder.start("reproduce", "study.py", "--by", "playouts", "--workers", 1) for _ in range(2)
    ]
    for process in team:
        _, error = process.communicate(timeout=600)
        assert process.returncode == 0, error
    assert len(rows(folder)) == 100
    log = folder.log()
    assert len(log) == 100  # no run was done twice
    assert len(set(log)) == 2  # and both worked


@pytest.mark.long
def test_killed_again_and_again(tmp_path):
    """No finished run is lost, none is run twice, whenever the processes die."""
    folder = Folder(tmp_path, runs=50, playouts=1500)
    chance = random.Random(1)
    kept: list[tuple] = []
    kills = 0
    while kills < 3:
        process = folder.start("reproduce", "study.py", "--by", "playouts", "--workers", 2)
        wait_for_more_than(folder, len(kept), process)
        time.sleep(chance.uniform(0.0, 0.2))
        assert process.poll() is None  # there is more to do
        process.send_signal(signal.SIGKILL)
        process.communicate()  # its pipes are closed when the workers are gone, too
        kills += 1
        now = rows(folder)
        assert now[: len(kept)] == kept
        kept = now
    assert len(kept) < 100
    last = folder.reproduce("--workers", 2)
    assert last.returncode == 0, last.stderr
    final = rows(folder)
    assert final[: len(kept)] == kept
    assert len({(cell, seed) for cell, seed, *_ in final}) == len(final) == 100
    # a kill costs at most the runs that were on their way
    assert 100 <= len(folder.log()) <= 100 + 2 * kills
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".owner"] == []


def test_ctrl_c(tmp_path):
    folder = Folder(tmp_path, runs=50, playouts=1500)
    process = folder.start("reproduce", "study.py", "--by", "playouts", "--workers", 1)
    wait_for_more_than(folder, 0, process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=600)
    assert process.returncode == 130
    assert out == ""
    assert "runs are in the store, and the same command goes on from there" in error
    assert "Traceback" not in error
    with sqlite3.connect(folder.store) as connection:
        assert connection.execute("SELECT COUNT(*) FROM claims").fetchone() == (0,)
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".owner"] == []


def test_workers_that_are_ended_say_nothing(tmp_path):
    """Ctrl-C while the workers are still loading; an exception there comes out as anything."""
    folder = Folder(tmp_path, runs=50, playouts=1500)
    for delay in (0.05, 0.3):
        process = folder.start("reproduce", "study.py", "--by", "playouts", "--workers", 4)
        process.stderr.readline()  # the announcement
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, error = process.communicate(timeout=600)
        assert process.returncode == 130
        assert len(error.splitlines()) == 1, error


def test_a_fault_in_the_users_problem(folder):
    source = folder.path / "bits.py"
    source.write_text(source.read_text().replace("return float(state.ones)", "return 1 / 0"))
    result = folder.reproduce()
    assert result.returncode == 2
    assert "bits.py, line " in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_worker_that_dies(folder):
    source = folder.path / "bits.py"
    text = source.read_text().replace("return float(state.ones)", "os._exit(9)")
    source.write_text(text)
    result = folder.reproduce()
    assert result.returncode == 2
    assert "a worker process ended with code 9 in bits.py:Bits default |" in result.stderr
    assert len(result.stderr.splitlines()) == 2  # the announcement, and one line


def figures(result):
    """The lines of the tables in a report."""
    return [line for line in result.stdout.splitlines() if "±" in line]


def test_an_edited_problem_is_kept_apart(folder):
    first = folder.reproduce()
    assert first.returncode == 0
    source = folder.path / "bits.py"
    source.write_text(source.read_text().replace("float(state.ones)", "2.0 * state.ones"))
    result = folder.reproduce()
    assert len(rows(folder)) == 12
    assert "6 runs of bits.py:Bits or its algorithm in another state" in result.stdout
    source.write_text(source.read_text().replace("2.0 * state.ones", "float(state.ones)"))
    again = folder.reproduce()  # as it was: so are the figures, and nothing is run
    assert len(rows(folder)) == 12
    assert figures(again) == figures(first) != figures(result)
    assert figures(folder.run("report", "bits")) == figures(first)


@pytest.mark.long
def test_an_older_version_is_kept_apart(folder):
    assert folder.reproduce().returncode == 0
    with sqlite3.connect(folder.store) as connection:
        connection.execute("UPDATE runs SET checksum = '', package = '0.0.1', score = 1000")
    result = folder.reproduce()
    assert len(rows(folder)) == 12
    assert "6 runs of version 0.0.1" in result.stdout
    assert "1000" not in result.stdout


def bits(folder, **options):
    return Solve(f"{folder.path}/bits.py:Bits", "random", compiled=False, **options)


def test_what_cannot_be_loaded_is_left_out_and_named(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    monkeypatch.delenv("PLAYOUT_DATA", raising=False)
    columns = {"here": bits(folder), "away": Solve("samegame", "random", "standard/1")}
    table = curve_table("1", "t", columns, (1, 2), playouts=5, runs=2)
    plan = make_plan(Experiment("e", "E", (table,)), Settings(by="playouts"))
    outcome = conduct(plan, store=folder.store)
    assert outcome.done == 2
    with open_store(folder.store) as store:
        report = make_report(store, plan, outcome.left_out)
    assert any("PLAYOUT_DATA" in line for line in report.not_run)
    assert "Table 1, away" in report.not_run
    only_away = make_plan(plan.experiment, Settings(by="playouts", only=("away",)))
    with pytest.raises(PlayoutError, match="PLAYOUT_DATA"):
        conduct(only_away, store=folder.store)


def test_options_are_checked_before_anything_runs(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    columns = {"good": bits(folder), "bad": bits(folder, options={"level": 3})}
    table = curve_table("1", "t", columns, (1,), playouts=5, runs=2)
    plan = make_plan(Experiment("e", "E", (table,)), Settings(by="playouts"))
    with pytest.raises((OptionError, TypeError)):
        conduct(plan, store=folder.store)
    assert folder.log() == []


def test_the_figures_of_a_report(folder, monkeypatch):
    """Means, bests, sums, verdicts and curves, recomputed from the rows by hand."""
    monkeypatch.chdir(folder.path)
    columns = {"r": bits(folder), "only theirs": None}
    lines = {"a": "", "b": "random:1"}
    (folder.path / "bits.py").write_text(
        (folder.path / "bits.py").read_text()
        + "\n    @classmethod\n    def random(cls, seed):\n        return cls(seed + 8)\n"
    )
    curve = curve_table(
        "1",
        "c",
        {"r": columns["r"]},
        (1, 2),
        playouts=20,
        runs=4,
        paper_runs=50,
        paper="1 100 (0.1)\n2 0 (0.1)",
    )
    best = instance_table(
        "2",
        "b",
        columns,
        lines,
        seconds=1,
        playouts=10,
        runs=4,
        measure="best",
        total="Sum",
        paper="a 3 4\nb 5 6\nSum 8 10",
    )
    plan = make_plan(Experiment("e", "E", (curve, best), paper="p"), Settings(by="playouts"))
    conduct(plan, store=folder.store)
    with open_store(folder.store) as store:
        report = make_report(store, plan)
        found = store.rows("SELECT instance, budget, curve FROM runs")
    assert {(instance, budget) for instance, budget, _ in found} == {("", 20.0), ("random:1", 10.0)}

    def scores(instance, mark):
        points = [np.frombuffer(c, "<f8").reshape(-1, 3) for i, _, c in found if i == instance]
        return [max(score for _, n, score in run if n <= mark) for run in points]

    first, second = report.tables
    middle = first.cell("1 (at 10 playouts)", "r")
    assert middle.ours.value == np.mean(scores("", 10))
    assert (middle.ours.runs, middle.theirs, middle.theirs_half) == (4, 100.0, 0.1)
    assert (middle.verdict, first.cells[1].verdict) == ("worse", "better")
    assert first.pictures[0].curves[0].points[-1][1] == np.mean(scores("", 20))
    assert second.cell("a", "r").ours.value == max(scores("", 10))
    assert second.cell("Sum", "r").ours.value == max(scores("", 10)) + max(scores("random:1", 10))
    assert second.cell("Sum", "r").verdict == ""
    assert second.cell("b", "only theirs").ours is None
    assert "Table 2, only theirs: the paper's figures only" in report.not_run
    assert report.settings == "budgets in playouts, which stand for the lines' times"


@pytest.mark.long
def test_matches_and_choices(tmp_path):
    """Runs that are games: points of both seats, single seats, wins only, moves of a search."""
    pair = Match("tictactoe", "uct:simulations=200", "random")
    lone = Match("tictactoe", "random", "uct:simulations=200", swap=False, wins_only=True)
    good = Choice("tictactoe", "uct", ("b2",))
    columns = {"pair": pair, "lone": lone, "good": good}
    table = curve_table(
        "1", "t", columns, (10, 300), playouts=300, runs=6, unit=0.01, by="playouts"
    )
    plan = make_plan(Experiment("games", "Games", (table,)), Settings())
    conduct(plan, store=tmp_path / "s.sqlite", workers=2)
    with open_store(tmp_path / "s.sqlite") as store:
        report = make_report(store, plan)
        stored = store.rows("SELECT cell, seed, score, moves, verified FROM runs")
    assert all(verified for *_, verified in stored)
    cell = {(c.row, c.column): c.ours for c in report.tables[0].cells}
    assert cell["300", "pair"].value > 80  # percent: search beats chance from either seat
    assert cell["300", "lone"].value < 30
    assert cell["300", "good"].value >= 50
    assert cell["300", "pair"].runs == 6
    games = {c: json.loads(m) for c, s, _, m, _ in stored if s == 1}
    assert len(games[pair.cell("playouts", 300)]) == 2
    assert len(games[lone.cell("playouts", 300)]) == 1
    for name, seed, score, moves, _ in stored:
        if name == pair.cell("playouts", 300):
            budget = Budget("playouts", 300)
            again = pair.perform(load_game("tictactoe"), budget, seed, lambda: False)
            assert (again.score, again.moves) == (score, json.loads(moves))


def test_a_report_is_about_its_own_runs(folder):
    """Machines and warnings of runs that the report does not show are not its concern."""
    assert folder.reproduce().returncode == 0
    with sqlite3.connect(folder.store) as connection:
        connection.execute(
            "UPDATE runs SET checksum = '', machine = 'elsewhere', verified = 0 "
            "WHERE algorithm = 'nmcs'"
        )
    part = folder.run("report", "bits", "--only", "random").stdout
    assert "elsewhere" not in part
    assert "left out" not in part
    assert "3 runs left out" in folder.run("report", "bits").stdout


def test_unverified_runs_do_not_count(folder):
    assert folder.reproduce().returncode == 0
    with sqlite3.connect(folder.store) as connection:
        connection.execute("UPDATE runs SET checksum = '', verified = 0 WHERE seed = 2")
    result = folder.run("report", "bits")
    assert "2 runs left out: the replay did not agree" in result.stdout
    assert "2 of the 3 runs" in result.stdout


def test_progress_goes_up_to_all(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    from playout.experiments import load_experiment

    plan = make_plan(load_experiment("study.py"), Settings(by="playouts"))
    seen = []
    conduct(plan, store=folder.store, progress=lambda s: seen.append((s.done, s.total, s.best)))
    assert [done for done, *_ in seen] == sorted(done for done, *_ in seen)
    assert seen[-1][:2] == (6, 6)
    assert seen[-1][2] is not None


def test_tuning_with_options_that_do_not_go_together(folder):
    pytest.importorskip("optuna")
    problem, values = f"{folder.path}/bits.py:Bits", "N=3,4,5|6,7,8"  # one a level, and a third
    with pytest.raises(PlayoutError, match="options that go together"):
        po.tune(
            problem,
            "nrpa:level=2",
            "4 playouts",
            search=[values],
            seconds=0.1,
            compiled=False,
            store=folder.store,
        )


@pytest.mark.long
def test_compare_in_python(tmp_path):
    problem = po.problems.Maximum(15)
    algorithms = [po.Random(), po.NRPA(level=2, N=20)]
    table = po.compare(problem, algorithms, po.Playouts(300), runs=6, workers=2)
    assert [row["algorithm"] for row in table.rows()] == ["random", "nrpa:level=2,N=20"]
    assert all(row["runs"] == 6 for row in table.rows())
    direct = [po.solve(problem, po.Random(), po.Playouts(300), seed=s).score for s in range(1, 7)]
    assert table.rows()[0]["mean"] == np.mean(direct)
    assert table.rows()[1]["verdict"] in ("better", "equal", "worse")
    frame = table.to_dataframe()
    assert set(frame["algorithm"]) == {"random", "nrpa:level=2,N=20"}
    assert sorted(set(frame["playouts"])) == [9, 19, 38, 75, 150, 300]
    assert "Against random" in " ".join(str(table).split())  # wherever its lines end
    assert re.fullmatch(r'<iframe srcdoc="[^"<>]*" style="[^"<>]*"></iframe>', table._repr_html_())
    table.save(tmp_path / "c.html")
    assert (tmp_path / "c.html").read_text().lstrip().lower().startswith("<!doctype html>")
    with pytest.raises(OptionError, match="should end in"):
        table.save(tmp_path / "c.docx")


@pytest.mark.long
def test_compare_tells_instances_apart(tmp_path):
    """The same class with other data: each comparison shows its own runs."""
    store = tmp_path / "s.sqlite"
    means = [
        po.compare(
            po.problems.Maximum(n), [po.Random()], po.Playouts(50), runs=2, store=store
        ).rows()[0]["mean"]
        for n in (9, 41, 9)
    ]
    assert means[0] == means[2] < means[1]


def test_an_edited_algorithm_is_kept_apart(monkeypatch):
    from playout.algorithms.random_search import RandomSearch
    from playout.study.kinds import kind

    def code():
        kind._digests.clear()
        search = Solve("maximum", "random", problem_options={"n": 9})
        return search.code(search.load())

    before = code()
    assert code() == before
    monkeypatch.setattr(RandomSearch, "plan", lambda self, problem: 3)
    assert code() != before


def test_compare_keeps_its_runs_if_asked(tmp_path):
    store = tmp_path / "s.sqlite"
    for runs in (2, 4):
        po.compare(
            po.problems.Maximum(9), {"a": po.Random()}, po.Playouts(50), runs=runs, store=store
        )
    with open_store(store) as opened:
        assert opened.rows("SELECT COUNT(*) FROM runs") == [(4,)]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([],), "at least one"),
        (([po.Random(), po.Random()],), "given twice"),
        (([5],), "no algorithm"),
        ((["nrp"],), "did you mean"),
        (([po.Random()], po.Target(3)), "Seconds or Playouts"),
    ],
)
def test_compare_with_a_fault(arguments, says):
    with pytest.raises(OptionError, match=says):
        po.compare(po.problems.Maximum(9), *arguments)
