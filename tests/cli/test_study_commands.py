"""The commands about experiments: reports in every form, and bad input."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from playout.study import Solve
from playout.study.tuned import Tuned
from tests.support.study_folder import Folder


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A folder whose experiment has been run."""
    folder = Folder(tmp_path_factory.mktemp("study"))
    result = folder.reproduce("--format", "json")
    assert result.returncode == 0, result.stderr
    folder.report = json.loads(result.stdout)
    return folder


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def test_every_cell_is_filled(done):
    cells = done.report["tables"][0]["cells"]
    assert len(cells) == 4
    for cell in cells:
        assert cell["ours"]["runs"] == 3
        assert cell["theirs"] is not None
        assert cell["verdict"] in ("better", "equal", "worse")
    assert done.report["not_run"] == []


def test_report_needs_only_the_store(done):
    """The problem's and the experiment's files may be gone."""
    (done.path / "elsewhere").mkdir(exist_ok=True)
    result = done.run("report", "bits", "--format", "json", "--store", done.store)
    assert json.loads(result.stdout) == done.report
    assert result.stderr == ""


def test_report_as_text_and_markdown(done):
    text = done.run("report").stdout
    for words in ("Table 1: bits", "ours", "theirs", "random", "nmcs", "95% intervals", "Holm"):
        assert words in text
    result = done.run("report", "bits", "--out", "r.md")
    assert result.stderr == "wrote r.md\n"
    page = (done.path / "r.md").read_text()
    assert page.startswith("# Bits")
    pictures = [line for line in page.splitlines() if line.startswith("![")]
    assert len(pictures) == 1
    name = pictures[0].partition("(")[2].rstrip(")")
    assert (done.path / name).read_text().lstrip().startswith("<svg")


def test_report_as_html_is_one_file(done):
    assert done.run("report", "bits", "--out", "r.html").returncode == 0
    page = (done.path / "r.html").read_text()
    assert page.count("<svg") >= 1
    assert "src=" not in page
    assert "<link" not in page
    assert done.run("report", "bits", "--format", "html").stdout == page


def test_export(done):
    text = done.run("export").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 6
    for row in rows:
        assert row["experiment"] == "bits"
        assert row["verified"] == "True"
        points = json.loads(row["curve"])
        assert points[-1][2] == float(row["score"])
        assert len(json.loads(row["moves"])) == 6
        assert {"python", "numba", "machine", "git_commit", "package"} <= set(row)
    lines = done.run("export", "bits", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["score"] for line in lines] == [float(row["score"]) for row in rows]
    for name, content in {"runs.csv": text, "runs.jsonl": "\n".join([*lines, ""])}.items():
        assert done.run("export", "--out", name).stderr == f"wrote 6 runs to {name}\n"
        assert (done.path / name).read_text() == content
    result = done.run("export", "--out", "runs.parquet")
    assert result.stderr == "wrote 6 runs to runs.parquet\n"
    import pyarrow.parquet as parquet

    table = parquet.read_table(done.path / "runs.parquet")
    assert table["score"].to_pylist() == [float(row["score"]) for row in rows]
    assert table["curve"].to_pylist()[0] == json.loads(rows[0]["curve"])


def test_scale_is_said_in_the_report(folder):
    result = folder.run("reproduce", "study.py", "--scale", "0.01", "--workers", "2")
    assert result.returncode == 0, result.stderr
    assert "scale 0.01" in result.stdout
    assert "unequal efforts" in " ".join(result.stdout.split())
    assert "2 of the 3 runs" in result.stdout
    assert "study.py" not in result.stdout
    later = folder.run("report", "bits")  # with the settings of the last run
    assert later.stdout == result.stdout


def test_only_one_column(folder):
    result = folder.reproduce("--only", "nmcs", "--runs", "2")
    assert "Table 1, random" in result.stdout
    with sqlite3.connect(folder.store) as connection:
        algorithms = connection.execute("SELECT DISTINCT algorithm FROM runs").fetchall()
    assert algorithms == [("nmcs",)]


def test_a_report_is_of_all_that_was_run(folder):
    """Parts that were run one after the other, with the budgets of the last."""
    for column in ("nmcs", "random"):
        assert folder.reproduce("--only", column, "--scale", "0.5").returncode == 0
    report = json.loads(folder.run("report", "bits", "--format", "json").stdout)
    assert all(cell["ours"] for cell in report["tables"][0]["cells"])
    assert "scale 0.5" in report["settings"]
    part = json.loads(folder.run("report", "bits", "--only", "nmcs", "--format", "json").stdout)
    cells = [whole["tables"][0]["cells"] for whole in (part, report)]
    assert cells[0][1]["ours"] == cells[1][1]["ours"]
    assert cells[0][0]["ours"] is None
    assert part["not_run"] == report["not_run"] == ["Table 1: 2 of the 3 runs of each search"]
    assert "Nothing was run yet" in folder.run("report", "bits", "--by", "seconds").stdout


def test_what_a_problem_prints_is_not_in_the_report(folder):
    source = folder.path / "bits.py"
    text = source.read_text().replace("self.n = n", "self.n = n; print('made')")
    source.write_text(f"print('loaded')\n{text}")
    result = folder.reproduce("--runs", "2", "--format", "json")
    assert json.loads(result.stdout)["name"] == "bits"
    assert "loaded" in result.stderr


def test_a_fault_as_a_problem_is_made(folder):
    source = folder.path / "bits.py"
    source.write_text(source.read_text().replace("self.n = n", "self.n = n // 0"))
    result = folder.reproduce()
    assert result.returncode == 2
    assert "bits.py, line 12, in __init__: ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr


def test_closed_standard_files(done):
    """Nothing is printed where there is nowhere to print it, and nothing else is disturbed."""
    for command, closed in {
        "report bits": ">&-",
        "export": ">&-",
        "reproduce study.py --by playouts": "2>&-",
    }.items():
        result = subprocess.run(
            ["sh", "-c", f"exec {sys.executable} -m playout {command} {closed}"],
            text=True,
            cwd=done.path,
            env=done.environment,
            capture_output=True,
        )
        assert result.returncode == 0
        assert "Traceback" not in result.stdout + result.stderr


def test_list_experiments(folder):
    text = folder.run("list", "experiments").stdout
    for words in ("snrpa", "gnrpa", "Maximum", "rc_204.1", "SNRPA(10)"):
        assert words in text
    assert "Generalized" in folder.run("list", "experiments", "gnrpa").stdout
    assert "snrpa" in folder.run("list").stdout


def test_compare(folder):
    words = (
        "compare",
        "bits.py:Bits",
        "-p",
        "n=4",
        "--interpreted",
        "-a",
        "random",
        "-a",
        "nmcs:level=2",
        "--playouts",
        "20",
        "--runs",
        "3",
    )
    result = folder.run(*words, "--format", "json")
    assert result.returncode == 0, result.stderr
    table = json.loads(result.stdout)["tables"][0]
    assert table["columns"] == ["random", "nmcs:level=2"]
    assert table["compared_with"] == "random"
    assert all(cell["ours"]["runs"] == 3 for cell in table["cells"])
    assert len(folder.log()) == 6
    more = folder.run(*words[:-1], "5", "-a", "nrpa:N=3,2,level=2", "--format", "json")
    assert more.returncode == 0, more.stderr
    assert len(folder.log()) == 15  # 4 more, and 5 of the new one
    assert json.loads(more.stdout)["name"] == "compare bits.py:Bits default n=4"
    later = folder.run("report", "compare bits.py:Bits default n=4", "--format", "json")
    assert json.loads(later.stdout) == json.loads(more.stdout)


def test_compare_on_an_instance_for_each_run(folder):
    words = (
        "compare",
        "samegame",
        "random:{seed}",
        "-p",
        "rows=3",
        "-p",
        "columns=3",
        "--interpreted",
        "-a",
        "random",
        "-a",
        "nmcs:level=1",
        "--playouts",
        "5",
        "--runs",
        "3",
    )
    result = folder.run(*words, "--format", "json")
    assert result.returncode == 0, result.stderr
    with sqlite3.connect(folder.store) as connection:
        found = connection.execute("SELECT seed, instance FROM runs ORDER BY seed").fetchall()
    assert found == [(seed, f"random:{seed}") for seed in (1, 2, 3) for _ in range(2)]
    assert "a whole number" in folder.run(*words[:2], "random:{sed}", *words[3:]).stderr


def test_what_to_use_after_tuning_on_all_instances_is_one_of_them():
    search = Solve("samegame", "nrpa", instance="random:{seed}", options={"level": 2})
    command = Tuned(search, 1, None, True).command()
    assert command == "playout solve samegame random:1 -a nrpa -o level=2"


@pytest.mark.long
def test_tune_finds_resumes_and_says_what_to_use(folder):
    words = (
        "tune",
        "bits.py:Bits",
        "--interpreted",
        "-p",
        "n=12",
        "-a",
        "nrpa:N=8",
        "--search",
        "alpha=0.01:5:log",
        "--search",
        "level=1:2",
        "--playouts",
        "16",
        "--final-runs",
        "3",
        "--workers",
        "1",
    )

    def trials():
        if not folder.store.exists():
            return []
        with sqlite3.connect(folder.store) as connection:
            return connection.execute("SELECT id, options, value FROM trials").fetchall()

    while len(trials()) < 2:  # on a busy machine one may take all of the budget
        result = folder.run(*words, "--budget", "2")
        assert result.returncode == 0, result.stderr
    last = result.stdout.splitlines()[-1]
    lines = [line for line in result.stdout.splitlines() if line.startswith("  playout solve")]
    assert len(lines) == 1, last
    assert "bits.py:Bits -p n=12 -a nrpa -o N=8 -o alpha=" in lines[0]
    first = trials()
    assert len(first) >= 2
    for _, options, _ in first:
        assert 0.01 <= json.loads(options)["alpha"] <= 5
    again = folder.run(*words, "--budget", "1")
    assert again.returncode == 0, again.stderr
    assert trials()[: len(first)] == first
    tried = [options for _, options, _ in trials()]
    assert len(set(tried)) == len(tried)  # the choices go on, and are not made over again
    assert f"after {len(trials())} trials" in again.stdout
    # the command that it prints is one that works
    command = lines[0].split()[1:]
    solved = folder.run(*command, "--playouts", "5", "--json")
    assert solved.returncode == 0, solved.stderr
    assert len(json.loads(solved.stdout)["moves"]) == 12


BAD = {
    ("reproduce", "snrp"): "did you mean snrpa",
    ("reproduce", "study.py", "--only", "nobody"): "no table, line or column 'nobody'",
    ("reproduce", "none.py"): "none.py",
    ("reproduce", "bits.py"): "has no EXPERIMENT",
    ("reproduce", "study.py", "--scale", "2"): "at most 1",
    ("reproduce", "study.py", "--seconds", "0.1"): "the first is at 1 s",
    ("reproduce", "study.py", "--out", "x.pdf"): "a name that ends in",
    ("reproduce", "study.py", "--out", "none/x.md"): "there is no folder",
    ("reproduce", "study.py", "--store", "."): "is a folder",
    ("report",): "no experiment has been run yet",
    ("report", "--store", "text.sqlite"): "not a SQLite file",
    ("export", "--store", "text.sqlite"): "not a SQLite file",
    ("reproduce", "study.py", "--store", "text.sqlite"): "not a SQLite file",
    ("reproduce", "study.py", "--store", "foreign.sqlite"): "not a results store",
    ("reproduce", "study.py", "--store", "newer.sqlite"): "newer version",
    ("export", "--format", "parquet"): "give --out FILE",
    ("export", "--out", "runs.xlsx"): "a name that ends in .csv",
    ("compare", "bits.py:Bits"): "name the algorithms",
    ("compare", "bits.py:Bits", "-a", "nrp"): "did you mean",
    ("compare", "bits.py:Bits", "-a", "nrpa:level"): "is not NAME=VALUE",
    ("compare", "bits.py:Bits", "-a", "nrpa:levle=2"): "did you mean level",
    ("compare", "bits.py:Bits", "-a", "nrpa", "-a", "nrpa"): "given twice",
    ("compare", "none.py:Bits", "-a", "nrpa"): "none.py",
    ("compare", "bits.py:Bits", "-a", "nrpa", "--seconds", "1", "--playouts", "2"): "not both",
    ("tune", "bits.py:Bits"): "name the options to tune",
    ("tune", "bits.py:Bits", "-a", "nrpa", "--search", "alpha"): "give NAME=LOW:HIGH",
    ("tune", "bits.py:Bits", "-a", "nrpa", "--search", "alpha=2:1"): "give NAME=LOW:HIGH",
    ("tune", "bits.py:Bits", "-a", "nrpa", "--search", "alpha=-1:1"): "a number over 0",
    ("tune", "bits.py:Bits", "-a", "nrpa", "--search", "alpah=1:2"): "did you mean alpha",
    ("tune", "bits.py:Bits", "-a", "nrpa", "--search", "level=1.5:2"): "whole numbers",
    ("tune", "bits.py:Bits", "-a", "nrpa:level=2", "--search", "level=1:2"): "both fixed",
}


@pytest.fixture(scope="module")
def bad_folder(tmp_path_factory):
    folder = Folder(tmp_path_factory.mktemp("bad"))
    (folder.path / "text.sqlite").write_text("hello\n" * 1000)
    with sqlite3.connect(folder.path / "foreign.sqlite") as connection:
        connection.execute("CREATE TABLE precious (x)")
    with sqlite3.connect(folder.path / "newer.sqlite") as connection:
        connection.execute(f"PRAGMA application_id = {0x504C4159}")
        connection.execute("PRAGMA user_version = 99")
        connection.execute("CREATE TABLE runs (x)")
    return folder


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input_is_one_line(bad_folder, words):
    before = {path.name: path.read_bytes() for path in bad_folder.path.iterdir() if path.is_file()}
    result = bad_folder.run(*words)
    assert result.returncode == 2, result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("playout: ")]
    assert len(lines) == 1, result.stderr
    assert BAD[words] in lines[0]
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    for name, content in before.items():
        assert (bad_folder.path / name).read_bytes() == content, name


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_for_the_report(done):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "playout", "report", "bits"],
            cwd=done.path,
            env=done.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert result.returncode == 2
    assert "No space left" in result.stderr
    assert "Traceback" not in result.stderr
