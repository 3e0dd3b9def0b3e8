"""Searches in the lab are processes: the results of `solve`, kept on disk, paused and gone on with.

They all are of one small problem by the algorithm that compiles fastest.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

import playout as po
from tests.support.lab_server import LabServer, lab_server

pytest.importorskip("starlette")

ASK = {"kind": "solve", "problem": "maximum", "problem_options": {"n": 41}, "algorithm": "random"}
ENDLESS = {**ASK, "stop": {"seconds": 600}, "seed": 1}


def asked(playouts, **more):
    return {**ASK, "stop": {"playouts": playouts}, "seed": 7, **more}


def solved(playouts):
    return po.solve("maximum:n=41", "random", po.Playouts(playouts), seed=7)


def start(lab: LabServer, task: dict) -> int:
    return lab.ask("/api/tasks", task)["id"]


def workers_of(lab: LabServer) -> list[int]:
    """The processes that the lab has started."""
    found = subprocess.run(
        ["pgrep", "-P", str(lab.process.pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def result_of(lab, number):
    return po.Result.load(lab.folder / str(number) / "result.json")


def same(a, b):
    fields = ("score", "moves", "records", "playouts", "verified", "seed")
    return all(getattr(a, name) == getattr(b, name) for name in fields)


def test_a_search_has_the_result_of_solve_and_tells_all_of_it(lab):
    number = start(lab, asked(20_000))
    updates = []
    for update in lab.events(f"/api/tasks/{number}/events"):
        updates.append(update)
        if update["status"] == "finished":
            break
    result, direct = result_of(lab, number), solved(20_000)
    assert same(result, direct)
    assert result.verified
    curve: list = []
    for update in updates:
        if "curve" in update:
            curve[update["curve"]["from"] :] = update["curve"]["points"]
    assert [point[1:] for point in curve] == [point[1:] for point in direct.curve]
    assert updates[0]["summary"]["command"] == lab.ask(f"/api/tasks/{number}")["command"]
    told = [update["news"]["finished"] for update in updates if "finished" in update["news"]]
    assert told[-1]["verified"] is True
    # the film of what it found, and that of an earlier moment
    film = lab.ask(f"/api/tasks/{number}/film")
    assert film["score"] == result.score
    assert [step["move"] for step in film["steps"]] == [*result.moves, ""]
    status, headers, picture = lab.send(f"/api/tasks/{number}/film/{film['version']}/3.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert picture.startswith(b"<svg")
    assert "sandbox" in headers["content-security-policy"]
    early = lab.ask(f"/api/tasks/{number}/film?at=0")
    assert early["version"] != film["version"]
    assert lab.send(f"/api/tasks/{number}/film/{early['version']}/0.svg")[0] == 200
    assert lab.send(f"/api/tasks/{number}/film/{film['version']}/99.svg")[0] == 404
    assert lab.send(f"/api/tasks/{number}/film/{film['version'] + 1}/0.svg")[0] == 404
    # finished, it needs a larger budget to go on; with that it has the result of the whole
    assert lab.refused(f"/api/tasks/{number}", {"command": "stop"})[0] == 409
    assert lab.refused(f"/api/tasks/{number}", {"command": "go on"})[0] == 409
    lab.ask(f"/api/tasks/{number}", {"command": "go on", "stop": {"playouts": 30_000}})
    lab.until(number, "finished")
    assert same(result_of(lab, number), solved(30_000))
    assert lab.ask(f"/api/tasks/{number}", {"command": "remove"}) == {"removed": number}
    assert lab.refused(f"/api/tasks/{number}")[0] == 404
    assert not (lab.folder / str(number)).exists()


@pytest.mark.long
def test_pause_and_go_on_are_exact(lab):
    # so many that no computer is done with them before the third pause
    number = start(lab, asked(10_000_000))
    for _ in range(3):
        lab.until(number, "running")
        lab.ask(f"/api/tasks/{number}", {"command": "stop"})
        task = lab.until(number, "paused")
        assert task["goes_on"]
        assert task["checkpoint"]
        lab.ask(f"/api/tasks/{number}", {"command": "go on"})
    lab.until(number, "finished")
    assert same(result_of(lab, number), solved(10_000_000))


@pytest.mark.long
def test_a_worker_that_is_killed_is_shown_and_goes_on(lab):
    number = start(lab, asked(3_000_000))
    lab.until(number, "running")
    lab.ask(f"/api/tasks/{number}", {"command": "stop"})  # so that there is a checkpoint
    lab.until(number, "paused")
    before = set(workers_of(lab))
    lab.ask(f"/api/tasks/{number}", {"command": "go on"})
    lab.until(number, "running")
    (worker,) = set(workers_of(lab)) - before
    stream = lab.events(f"/api/tasks/{number}/events")
    next(stream)
    os.kill(worker, signal.SIGKILL)
    assert "killed" in (update["status"] for update in stream)
    task = lab.ask(f"/api/tasks/{number}")
    assert task["error"].startswith("the search's process was killed; its checkpoint of ")
    assert task["goes_on"]
    lab.ask(f"/api/tasks/{number}", {"command": "go on"})
    lab.until(number, "finished")
    assert same(result_of(lab, number), solved(3_000_000))


@pytest.mark.long
def test_when_the_server_is_killed_workers_write_their_checkpoint_and_end(tmp_path):
    folder = tmp_path / "lab"
    with lab_server(folder) as lab:
        number = start(lab, asked(3_000_000))
        lab.until(number, "running")
        (worker,) = workers_of(lab)
        lab.process.kill()
        end = time.monotonic() + 600
        while _lives(worker):
            assert time.monotonic() < end
            time.sleep(0.02)
        assert (folder / str(number) / "run.ckpt").exists()
    with lab_server(folder) as lab:  # the lab that is started again shows it, and goes on
        task = lab.ask(f"/api/tasks/{number}")
        assert (task["status"], task["goes_on"]) == ("paused", True)
        assert task["best"] is not None
        film = lab.ask(f"/api/tasks/{number}/film")
        assert len(film["steps"]) > 1
        lab.ask(f"/api/tasks/{number}", {"command": "go on"})
        lab.until(number, "finished")
        assert same(result_of(lab, number), solved(3_000_000))


def _lives(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{process}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.long
def test_ctrl_c_with_pages_open_ends_all_without_a_traceback(tmp_path):
    with lab_server(tmp_path / "lab") as lab:
        number = start(lab, ENDLESS)
        lab.until(number, "running")
        streams = [lab.events(f"/api/tasks/{number}/events") for _ in range(4)]
        streams += [lab.events("/api/events") for _ in range(2)]
        for stream in streams:
            next(stream)
        (worker,) = workers_of(lab)
        out, errors = lab.interrupt()
        assert "Traceback" not in out + errors
        assert errors == ""
        assert lab.process.returncode in (0, 130)
        assert not _lives(worker)
        assert (lab.folder / str(number) / "run.ckpt").exists()
        for stream in streams:  # each says that it ends
            assert list(stream)[-1] == {}


@pytest.mark.long
def test_at_most_as_many_as_there_are_cores_run_and_others_wait_their_turn(tmp_path):
    with lab_server(tmp_path / "lab") as lab:
        cores = lab.ask("/api/known")["cores"]
        running = [start(lab, ENDLESS) for _ in range(cores)]
        waiting = [start(lab, asked(2000)), start(lab, ENDLESS)]
        for number in running:
            lab.until(number, "running")
        assert [lab.ask(f"/api/tasks/{n}")["status"] for n in waiting] == ["waiting"] * 2
        lab.ask(f"/api/tasks/{running[0]}", {"command": "stop"})
        lab.until(waiting[0], "finished")
        lab.until(waiting[1], "running")
        lab.ask(f"/api/tasks/{running[1]}", {"command": "remove"})
        # one that waits can be taken out
        number = [start(lab, ENDLESS) for _ in range(2)][-1]
        if lab.ask(f"/api/tasks/{number}")["status"] == "waiting":
            lab.ask(f"/api/tasks/{number}", {"command": "stop"})
            assert lab.ask(f"/api/tasks/{number}")["status"] == "paused"


@pytest.mark.long
def test_stop_works_while_it_compiles(lab):
    number = start(lab, ENDLESS)
    lab.ask(f"/api/tasks/{number}", {"command": "stop"})
    task = lab.ask(f"/api/tasks/{number}")
    assert (task["status"], task["goes_on"], task["error"]) == ("paused", True, "")


@pytest.mark.long
def test_two_labs_show_the_same_tasks_and_one_works_on_each(tmp_path):
    folder = tmp_path / "lab"
    with lab_server(folder) as one, lab_server(folder) as other:
        number = start(one, ENDLESS)
        one.until(number, "running")
        task = other.ask(f"/api/tasks/{number}")
        assert (task["held"], task["status"]) == (True, "running")
        status, said = other.refused(f"/api/tasks/{number}", {"command": "remove"})
        assert (status, said) == (409, "another lab works on this task")
        one.ask(f"/api/tasks/{number}", {"command": "stop"})
        one.until(number, "paused")
        assert not other.ask(f"/api/tasks/{number}")["held"]
        assert start(other, asked(10)) != number


def test_a_request_beyond_a_limit_is_told_so(lab):
    status, said = lab.refused("/api/tasks", asked(10, workers=4096))
    assert (status, "workers" in said) == (400, True)
    assert lab.refused("/api/tasks/1", {"command": "explode"})[0] == 400
    assert lab.refused("/api/tasks/77", {"command": "stop"}) == (404, "there is no task 77")
    assert lab.ask("/api/check", asked(10))["command"].startswith("playout solve maximum")


def test_an_instance_is_uploaded_as_text(lab):
    board = "0 1 1\n1 0 0\n0 1 0\n"
    upload = lab.ask("/api/uploads", {"problem": "samegame", "name": "mine", "text": board})
    check = {"kind": "solve", "problem": "samegame", "instance": {"upload": upload["upload"]}}
    assert "uploads" in lab.ask("/api/check", check)["command"]
    known = lab.ask("/api/known")["problems"]
    names = [i["name"] for p in known if p["name"] == "samegame" for i in p["instances"]]
    assert any("mine" in name for name in names)
    bad = [
        {"problem": "samegame", "name": "mine", "text": "0 1\n1 x\n"},
        {"problem": "samegame", "name": "../mine", "text": board},
        {"problem": "samegame", "name": "mine", "text": 3},
        {"problem": "vgdl", "name": "mine", "text": board},
        {"problem": "x.py:P", "name": "mine", "text": board},
    ]
    for asked_for in bad:
        assert lab.refused("/api/uploads", asked_for)[0] == 400
    large = {"problem": "samegame", "name": "mine", "text": "0 " * 600_000}
    assert lab.refused("/api/uploads", large)[0] == 413


def test_the_lists_of_tasks_and_what_there_is(lab):
    *_, task = lab.ask("/api/tasks")  # the newest first
    assert (task["id"], task["status"]) == (1, "finished")
    first = next(lab.events("/api/events"))
    assert (first["tasks"][-1], first["faults"]) == (task, [])
    known = lab.ask("/api/known")
    assert {"problems", "algorithms", "games", "searches", "papers", "start"} <= known.keys()
    assert json.dumps(known, allow_nan=False)
