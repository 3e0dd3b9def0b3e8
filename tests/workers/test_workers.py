"""Workers do every item once, hand over what has ended, and tell what went wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing.spawn import get_preparation_data

import pytest

from playout.errors import GivenUp, OptionError, ProblemError
from playout.interrupts import ctrl_c_held_back
from playout.text.user_files import script_set_apart, users_fault
from playout.workers import Processes, Recipe, Threads, WorkerDied

CREWS = [Threads(2), Processes(2)]
MAIN = ("init_main_from_name", "init_main_from_path")  # what Python tells a new process of a script


@dataclass(frozen=True)
class Squares(Recipe[int, int]):
    """Squares of numbers; a negative one is a fault, and zero an end."""

    def make(self):
        def square(number, over):
            if number < 0:
                raise OptionError(f"{number} is below 0")
            if number == 0:
                os._exit(7)
            return number**2

        return square


@dataclass(frozen=True)
class Waiting(Recipe[int, int]):
    """The first item is done at once, the others when they are told to give up."""

    def make(self):
        def wait(number, over):
            while number > 0:
                if over():
                    raise GivenUp
                time.sleep(0.01)
            return number

        return wait


@pytest.fixture
def threads_before():
    """The threads that tests before have left: only new ones are told."""
    return set(threading.enumerate())


@pytest.mark.parametrize("crew", CREWS, ids=repr)
def test_every_item_once(crew):
    ended = [one for one in crew.each(Squares(), range(1, 20)) if one is not None]
    assert sorted(ended) == [(number, number**2) for number in range(1, 20)]


@pytest.mark.parametrize("crew", CREWS, ids=repr)
def test_no_items(crew):
    assert [one for one in crew.each(Squares(), []) if one is not None] == []


def test_an_item_is_taken_when_a_worker_is_free_and_after_the_outcome_before():
    taken, ended = [], []

    def items():
        for number in range(1, 9):
            assert len(taken) - len(ended) < 2
            taken.append(number)
            yield number

    for one in Threads(2).each(Squares(), items()):
        if one is not None:
            ended.append(one)
    assert len(ended) == 8


def test_items_that_come_later():
    """A None among the items: there is none just now."""
    asked = []

    def items():
        yield 1
        for _ in range(2):
            asked.append(time.monotonic())
            yield None
        yield 2

    ended = [one for one in Threads(3).each(Squares(), items()) if one is not None]
    assert sorted(ended) == [(1, 1), (2, 4)]  # three threads: who ends first is not told
    assert asked[1] > asked[0]


@pytest.mark.parametrize("crew", CREWS, ids=repr)
def test_a_fault_is_told(crew, threads_before):
    with pytest.raises(OptionError, match="-1 is below 0"):
        list(crew.each(Squares(), [1, -1]))
    assert not set(threading.enumerate()) - threads_before


def test_a_process_that_dies():
    with pytest.raises(WorkerDied, match="a worker process ended with code 7 in 0"):
        list(Processes(1).each(Squares(), [1, 0]))


def test_threads_are_told_to_give_up(threads_before):
    for one in Threads(2).each(Waiting(), [0, 1, 2]):
        if one is not None:
            assert one == (0, 0)
            break
    assert not set(threading.enumerate()) - threads_before


@pytest.mark.parametrize("crew", CREWS, ids=repr)
def test_ctrl_c_comes_after_what_has_ended(crew):
    seen = []

    def interrupted():
        for one in crew.each(Waiting(), [0, 1, 2]):
            if one is not None:
                os.kill(os.getpid(), signal.SIGINT)
                seen.append(one)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert seen == [(0, 0)]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_held_back():
    came = []

    def interrupted():
        with ctrl_c_held_back():
            os.kill(os.getpid(), signal.SIGINT)
            came.append(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert came == [signal.SIGINT]


@pytest.mark.parametrize("text", ["{}", "{}:Class", "uct:policy={},C=1", "{}:A,size=3"])
def test_the_users_fault_by_its_line(tmp_path, text):
    path = tmp_path / "mine.py"
    path.write_text("def fault():\n    return 1 / 0\n")
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    with pytest.raises(ZeroDivisionError) as caught:
        space["fault"]()
    told = users_fault(caught.value, [text.format(path)])
    assert isinstance(told, ProblemError)
    assert str(told) == f"{path}, line 2, in fault: ZeroDivisionError: division by zero"
    assert users_fault(caught.value, ["samegame"]) is None


SCRIPT = """
import sys
print("begun", flush=True)
from playout.workers import Processes
from squares import Squares
print([one[1] for one in Processes(1).each(Squares(), [3]) if one is not None])
print("__file__" in globals(), __spec__)
"""

SQUARES = """
from playout.workers import Recipe

class Squares(Recipe):
    def make(self):
        return lambda number, over: number**2
"""


def test_a_script_without_a_guard_is_run_once(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "squares.py").write_text(SQUARES)
    command = [sys.executable, str(tmp_path / "script.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["begun", "[9]", "True None"], done.stderr


def test_a_class_of_the_script_is_found_in_it(monkeypatch):
    script = sys.modules["__main__"]  # which has neither where tests are shared out
    monkeypatch.setattr(script, "__spec__", None, raising=False)
    monkeypatch.setattr(script, "__file__", "/somewhere/script.py", raising=False)

    class Own(Squares):
        pass

    Own.__module__, Own.__qualname__ = "__main__", "Own"
    monkeypatch.setattr(script, "Own", Own, raising=False)
    with script_set_apart(Squares()):
        assert not set(MAIN) & set(get_preparation_data("worker"))
    with script_set_apart(Own()):
        assert set(MAIN) & set(get_preparation_data("worker"))
