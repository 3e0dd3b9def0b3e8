"""What goes wrong, and what is seen: each fault on its own page, in one sentence."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing

import pytest

from tests.support.cli_shell import KNAPSACK
from tests.support.forms import long
from tests.support.lab_server import ROOT, a_task, free_port, lab_server

pytest.importorskip("starlette")


def command(*words, **environment):
    """`playout lab` to its end; for what ends at once."""
    known = {**os.environ, "PYTHONPATH": ROOT, **environment}
    return subprocess.run(
        [sys.executable, "-m", "playout", "lab", *words],
        capture_output=True,
        text=True,
        env=known,
        timeout=120,
        check=False,
    )


def one_line(done, *words):
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr
    return True


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = command("--port", str(port), "--folder", str(tmp_path))
        assert one_line(done, f"--port {port}: address already in use")


def test_the_usual_port_that_is_taken_is_not_the_end(tmp_path):
    a_task(tmp_path)
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8642))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which does as well
        process = subprocess.Popen(
            [sys.executable, "-m", "playout", "lab", "--no-browser", "--folder", str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": ROOT},
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("port 8642 is taken: this is port ")
            assert "http://127.0.0.1:" in process.stdout.readline()
        finally:
            process.kill()
            process.communicate()


def test_without_a_browser_the_address_is_told_and_the_way_from_another_computer(lab):
    assert lab.said[0].startswith(f"the lab is at http://127.0.0.1:{lab.port}/?token=")
    assert lab.said[1].startswith(f"from another computer: ssh -L {lab.port}:127.0.0.1:")
    assert lab.said[2].startswith("Ctrl-C ends it")


def test_without_starlette_it_says_what_to_install():
    script = "import sys; sys.modules['starlette'] = None\nfrom playout.cli import main\n"
    done = subprocess.run(
        [sys.executable, "-c", script + "sys.exit(main(['lab']))"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "playout: playout lab needs Starlette: pip install 'playout[lab]'\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0", "--no-token"), "leave --no-token out"),
        (("nothing.kif",), "nothing.kif"),
        long(("--token", "short"), "--token"),
        long(("--port", "70000"), "--port 70000"),
        long(("--port", "0"), "port"),
        long(("--token", "a-long-one", "--no-token"), "not allowed"),
        long(("nothing.py:P",), "nothing.py"),
        long(("samegame",), "samegame"),
        long(("--folder", "/proc/nothing/here"), "/proc/nothing"),
        long(("--host", "no such host"), "--host"),
    ],
)
def test_mistakes_in_the_command(words, said, tmp_path):
    given = words if "--folder" in words else (*words, "--folder", str(tmp_path))
    port = () if "--port" in words else ("--port", str(free_port()))
    assert one_line(command(*given, *port), said)


def test_a_folder_that_is_damaged_costs_its_own_task_only(tmp_path):
    folder = tmp_path / "lab"
    folder.mkdir()
    for number, text in enumerate(["", "{", "[]", '{"format": "x"}', "\xff"], 2):
        (folder / str(number)).mkdir()
        (folder / str(number) / "task.json").write_text(text)
    (folder / "9").mkdir()
    (folder / "notes.txt").write_text("mine")
    with lab_server(folder) as lab:
        assert [task["id"] for task in lab.ask("/api/tasks")] == [1]
        first = next(lab.events("/api/events"))
        assert len(first["faults"]) == 6
        assert lab.refused("/api/tasks/3")[0] == 404
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("fault", ["damaged", long("newer"), long("no store"), long("locked")])
def test_a_store_that_cannot_be_read_is_told_on_its_page_only(tmp_path, fault):
    path = tmp_path / "other.sqlite"
    if fault == "newer":
        from playout.study.store.results_store import Store

        Store(path).close()
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
    elif fault == "damaged":
        path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with ExitStack() as held, lab_server(tmp_path / "lab", "--store", str(path)) as lab:
        if fault == "locked":
            from playout.study.store.results_store import Store

            Store(path).close()
            holder = held.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
            holder.execute("PRAGMA locking_mode = EXCLUSIVE")
            holder.execute("BEGIN EXCLUSIVE")
            holder.execute("CREATE TABLE mine (x)")
        store = lab.ask("/api/store")
        if fault == "locked":
            assert store["error"] == f"{path}: another process has held it for 2 s"
        assert store["experiments"] == []
        assert bool(store["error"]) == (fault != "no store")
        assert "\n" not in store["error"]
        assert lab.send("/store/nothing")[0] == 400
        assert lab.refused("/api/store/nothing")[0] == 400
        assert [paper["done"] for paper in lab.ask("/api/papers")] == [None] * len(
            lab.ask("/api/papers")
        )
        assert lab.ask("/api/tasks")


FAILING = KNAPSACK.replace(
    "        return state.worth\n",
    "        if state.worth > 0:\n            raise ValueError('too heavy')\n        return 0.0\n",
)
ENDLESS = KNAPSACK.replace("return state.worth", "return -np.inf")
UNDRAWN = KNAPSACK + "\n    def svg(self, state):\n        return 1 / 0\n"
WHERELESS = (
    KNAPSACK + "\n    def where(self, state, move):\n        return ((state.lost, 1.0),)\n"
    "\n    def svg(self, state):\n        return '<svg viewBox=\"0 0 9 9\"></svg>'\n"
)
GREEDY = KNAPSACK.replace(
    "        return state.worth\n",
    "        if state.worth > 0:\n            np.zeros(1 << 58)\n        return 0.0\n",
)
HANGING = """
import time
import playout
class Slow(playout.Problem):
    max_moves, max_length = 2, 2
    def __init__(self):
        self.state_type = playout.record(n="i8")
        self.move_type = playout.record(k="i8")
    def reset(self, state):
        state.n = 0
    def moves(self, state, moves):
        if state.n == 2:
            return 0
        moves[0].k, moves[1].k = 0, 1
        return 2
    def play(self, state, move):
        state.n += 1
    def evaluate(self, states):
        time.sleep(600)
        return [0.0] * len(states)
"""


@pytest.mark.long
def test_problems_of_ones_own_that_fail_hang_or_cannot_be_drawn(tmp_path):
    files = {
        "failing": FAILING,
        "endless": ENDLESS,
        "undrawn": UNDRAWN,
        "hanging": HANGING,
        "whereless": WHERELESS,
        "greedy": GREEDY,
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    words = [str(tmp_path / f"{name}.py") for name in files]
    with lab_server(tmp_path / "lab", *words, "--patience", "2") as lab:
        own = [p["name"] for p in lab.ask("/api/known")["problems"] if p["own"]]
        assert own == ["Knapsack", "Knapsack 2", "Knapsack 3", "Slow", "Knapsack 4", "Knapsack 5"]

        def begun(problem, playouts=300):
            task = {
                "kind": "solve",
                "problem": problem,
                "algorithm": "random",
                "stop": {"playouts": playouts},
            }
            return lab.ask("/api/tasks", task)["id"]

        failing = begun("Knapsack")
        task = lab.until(failing, "failed", "finished")
        assert task["status"] == "failed"
        assert "too heavy" in task["error"]
        assert "\n" not in task["error"]
        # infinite scores are written as text: JSON has none
        endless = begun("Knapsack 2")
        task = lab.until(endless, "finished")
        assert task["best"] == "-inf"
        update = next(lab.events(f"/api/tasks/{endless}/events"))
        assert update["curve"]["points"][-1][2] == "-inf"
        # where svg() fails there is the text, and a note with the line
        undrawn = begun("Knapsack 3")
        lab.until(undrawn, "finished")
        film = lab.ask(f"/api/tasks/{undrawn}/film")
        assert "division by zero" in film["note"]
        assert "undrawn.py, line" in film["note"]
        assert not film["steps"][0]["drawn"]
        assert film["steps"][0]["text"]
        # the same where where() fails
        whereless = begun("Knapsack 4")
        lab.until(whereless, "finished")
        film = lab.ask(f"/api/tasks/{whereless}/film")
        assert "whereless.py, line" in film["note"]
        assert not film["steps"][0]["drawn"]
        assert film["steps"][0]["text"]
        # one that asks for more memory than there is costs its own search
        task = lab.until(begun("Knapsack 5"), "failed", "finished")
        assert task["status"] == "failed"
        assert "memory" in task["error"].lower()
        assert "\n" not in task["error"]
        # an objective that does not come back
        hanging = begun("Slow")
        task = lab.until(hanging, "failed")
        assert "no playout has ended for 2 seconds" in task["error"]


def test_an_unknown_task_says_so(lab):
    assert lab.refused("/api/tasks/99999") == (404, "there is no task 99999")
    assert lab.refused("/api/tasks/99999/events")[0] == 404
    status, headers, body = lab.send(
        "/nothing",
        headers={
            "Authorization": f"Bearer {lab.token}",
            "Accept": "text/html",
            "Host": f"127.0.0.1:{lab.port}",
        },
    )
    assert status == 404
    assert "There is nothing at this address." in body.decode()
    assert headers["content-type"].startswith("text/html")


def test_every_page_is_there_and_asks_for_nothing_from_elsewhere(lab):
    for path in (
        "/",
        "/search",
        "/search/1",
        "/play",
        "/compare",
        "/store",
        "/papers",
        "/matches",
        "/matches/0/3",
    ):
        status, headers, body = lab.send(path)
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8"), path
        assert b"http://" not in body.replace(b"http://www.w3.org", b"")
        assert b"https://" not in body
        tag = headers["etag"]
        again = {"Authorization": f"Bearer {lab.token}", "If-None-Match": tag}
        assert lab.send(path, headers=again)[0] == 304
    for name in ("lab.css", "common.js", "tokens.css", "board.js", "icon.svg"):
        assert lab.send(f"/static/{name}")[0] == 200, name
    for path in ("/report.css", "/report.js"):
        assert lab.send(path)[0] == 200
    assert json.loads(lab.send("/api/known")[2])["version"]
