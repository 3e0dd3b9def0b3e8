"""Tasks that lie in the lab's folder, whoever wrote them: nothing is run, and the rest is shown."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from playout.errors import DataError, PlayoutError
from playout.lab.films import filmed, option_pairs, problem_of
from playout.lab.known_names import check_names
from playout.lab.shelf import Shelf
from playout.lab.task import Task
from playout.lab.task_folder import FORMAT, TaskFolder
from playout.lab.tasks import Tasks

GOOD = {
    "kind": "solve",
    "problem": "maximum",
    "algorithm": "random",
    "stop": {"playouts": 10.0},
    "seed": 1,
}
IMPROVED = {"from": 0, "points": [[0.1, 3, 5.0]], "records": [1, 2]}


def a_task(folder, name="1", state=(), curve=(IMPROVED,), **changed):
    path = folder / name
    path.mkdir()
    known = {"status": "finished", "created": 1.0, "since": 2.0, **dict(state)}
    data = {"format": FORMAT, "task": {**GOOD, **changed}, "state": known}
    (path / "task.json").write_text(json.dumps(data))
    lines = (line if isinstance(line, str) else json.dumps(line) for line in curve)
    (path / "curve.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return path


def found(folder):
    tasks = Tasks(folder)
    tasks.find_all()
    return tasks


def test_a_good_one_is_found(tmp_path):
    a_task(tmp_path)
    (task,) = found(tmp_path).newest()
    assert (task.summary()["best"], task.records, found(tmp_path).faults) == (5.0, [1, 2], [])


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "nothing"},
        {"kind": ["solve"]},
        {"problem": 7},
        {"stop": {"playouts": "x"}},
        {"stop": [1]},
        {"kind": "compare", "algorithms": ["random"], "stop": {"seconds": 1, "playouts": 2}},
        {"kind": "compare", "algorithms": [3]},
        {"moves": [None]},
        {"seed": "1"},
        {"scale": {}},
        {"unheard": 1},
        {"problem_options": [1]},
        {"state": {"created": "x"}},
        {"state": {"since": 1e300}},
        {"state": {"created": None}},
    ],
)
def test_a_damaged_one_is_told_and_left_out(tmp_path, changed):
    a_task(tmp_path, "1")
    path = a_task(tmp_path, "2", **changed)
    tasks = found(tmp_path)
    assert [task.number for task in tasks.newest()] == [1]
    assert tasks.faults == [f"{path / 'task.json'} is damaged"]
    assert all(task.summary() for task in tasks.newest())


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        "{",
        "[" * 100_000,
        {"points": []},
        {"from": -1, "points": []},
        {"from": 0, "points": [[1]]},
        {"from": 0, "points": [[1, 2, {}]]},
        {"from": 0, "points": [], "records": 5},
    ],
)
def test_a_curve_is_read_up_to_a_damaged_line(tmp_path, line):
    a_task(tmp_path, curve=[IMPROVED, line, IMPROVED])
    (task,) = found(tmp_path).newest()
    assert task.curve == IMPROVED["points"]


def test_what_is_no_file_is_not_read(tmp_path):
    for name in ("task.json", "curve.jsonl"):
        path = a_task(tmp_path, {"task.json": "1", "curve.jsonl": "2"}[name])
        (path / name).unlink()
        os.mkfifo(path / name)
    tasks = found(tmp_path)
    assert [task.number for task in tasks.newest()] == [2]
    assert "not a regular file" in tasks.faults[0]


def test_a_number_is_one_tasks(tmp_path):
    for name in ("7", "007", "٣", "0", "9" * 40):
        a_task(tmp_path, name)
    assert [task.number for task in found(tmp_path).newest()] == [7]


def test_of_a_link_the_link_is_removed(tmp_path):
    victim = a_task(tmp_path, "elsewhere")
    (tmp_path / "3").symlink_to(victim)
    TaskFolder(tmp_path / "3").remove()
    assert not (tmp_path / "3").is_symlink()
    assert len(list(victim.iterdir())) == 2


def test_a_task_that_two_pages_remove_at_once(tmp_path):
    a_task(tmp_path)
    tasks = found(tmp_path)

    async def stop():
        await asyncio.sleep(0)

    tasks[1].stop = stop

    async def both():
        return await asyncio.gather(*(tasks.command(1, {"command": "remove"}) for _ in range(2)))

    assert asyncio.run(both()) == [None, None]
    assert not (tmp_path / "1").exists()


EVIL = "evil.py:P"


@pytest.mark.parametrize(
    "names",
    [
        {"problem": EVIL},
        {"problem": "evil.txt:P"},
        {"problem": "maximum:n=evil.py"},
        {"algorithm": EVIL},
        {"algorithm": f"policy-mcts:model={EVIL}"},
        {"algorithms": ["random", EVIL]},
        {"kind": "game", "game": EVIL},
        {"kind": "game", "game": "own.py:Game:size=/x"},
        {"kind": "game", "game": "tictactoe", "search": f"uct:playout={EVIL}"},
        {"kind": "game", "game": "tictactoe", "search": EVIL},
        {"kind": "paper", "paper": "evil.py"},
    ],
)
def test_a_task_runs_no_file_but_those_named_at_the_start(names):
    shelf = Shelf(problems={"Own": "own.py:Own"}, games={"Game": "own.py:Game"})
    with pytest.raises(DataError, match="name it when the lab starts"):
        check_names(Task(**{"kind": "solve", **names}), shelf)


@pytest.mark.parametrize(
    "names",
    [
        {"problem": "own.py:Own", "algorithm": "gnrpa:level=3,N=10,20,30"},
        {"problem": "samegame", "algorithms": ["nmcs:level=1", "auto"]},
        {"kind": "game", "game": "own.py:Game:7x6,rows=3", "search": "uct:c=0.4,playout=mast"},
        {"kind": "game", "game": "arcade:orchard,1", "search": "random"},
        {"kind": "game", "game": "connectfour:7x6", "search": "ismcts:trees=1"},
        {"kind": "paper", "paper": "gnrpa"},
    ],
)
def test_what_is_registered_or_named_is_run(names):
    shelf = Shelf(problems={"Own": "own.py:Own"}, games={"Game": "own.py:Game"})
    check_names(Task(**{"kind": "solve", **names}), shelf)


def test_moves_and_options_of_another_problem_are_one_line():
    game = problem_of("samegame", "random:1", (("rows", 4), ("columns", 4)))
    with pytest.raises(PlayoutError, match=r"move 1 cannot be played|no move"):
        filmed(game, game.as_moves([9999]))
    for instance, options in (("x" * 5000, ()), ("random:1", (("unheard", 1),))):
        with pytest.raises(PlayoutError):
            problem_of("samegame", instance, options)
    for options in ({"n": {"a": 1}}, {"n": [[1]]}, [1], None):
        with pytest.raises(DataError, match="options of the problem are damaged"):
            option_pairs(options)
    assert option_pairs({"a": [1, "x"], "b": None}) == (("a", (1, "x")), ("b", None))


@pytest.mark.parametrize("value", ["evil:Walk-v0", ["x", "evil:Walk-v0"]])
def test_an_option_from_a_file_imports_nothing(value):
    with pytest.raises(DataError, match="names what would be imported"):
        option_pairs({"environment": value})
