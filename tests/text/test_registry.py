"""Registries: built-in names, names that other packages bring, and what is said of others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from playout.errors import OptionError, PlayoutError, ProblemError
from playout.text import registry as module
from playout.text.registry import Entry, Registry

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"


def small(*points: tuple[str, str], monkeypatch) -> Registry:
    found = [EntryPoint(name, value, "playout.tests") for name, value in points]
    monkeypatch.setattr(module, "entry_points", lambda group: found)
    entries = {"path": Entry("pathlib:Path", "a path"), "json": Entry("json")}
    return Registry("thing", "playout.tests", entries)


def test_a_name_stands_for_what_it_names(monkeypatch):
    things = small(monkeypatch=monkeypatch)
    assert things["path"] is Path
    assert things["json"] is json
    assert list(things) == ["path", "json"]
    assert things.find("path") is Path
    assert things.description("path") == "a path"
    assert things.description("json").startswith("JSON")


def test_other_packages_add_names_but_change_none(monkeypatch):
    points = ("path", "os:sep"), ("sep", "os:sep")
    things = small(*points, monkeypatch=monkeypatch)
    assert list(things) == ["path", "json", "sep"]
    assert things["path"] is Path
    assert things["sep"] == os.sep


def test_a_name_that_stands_for_nothing(monkeypatch):
    things = small(monkeypatch=monkeypatch)
    with pytest.raises(KeyError):
        things["paht"]
    with pytest.raises(OptionError, match=r"there is no thing 'paht'; did you mean path\?"):
        things.find("paht")


def test_a_class_at_hand_has_a_name_in_this_process(monkeypatch):
    things = small(monkeypatch=monkeypatch)
    things.adopt("mine", int)
    assert things.find("mine") is int
    assert things.description("mine").startswith("int(")
    things.adopt("mine", float)  # defined anew
    assert things["mine"] is float
    assert (list(things), things.listed()) == (["path", "json", "mine"], ["path", "json"])
    things.adopt("path", Path)
    with pytest.raises(OptionError, match="there is the thing 'path' already"):
        things.adopt("path", int)


def test_a_package_that_cannot_be_loaded_is_told_in_a_line(monkeypatch):
    things = small(("gone", "no_such_module:Thing"), monkeypatch=monkeypatch)
    says = "the thing 'gone' of the package another package cannot be loaded: ModuleNotFoundError"
    with pytest.raises(PlayoutError, match=says):
        things.find("gone")
    assert things.description("gone").startswith(says)
    assert things.find("path") is Path


def test_a_users_file_must_have_the_right_class(tmp_path):
    things = Registry("thing", "playout.tests", {}, base="pathlib:Path", error=ProblemError)
    (tmp_path / "mine.py").write_text("class Mine:\n    pass\n")
    with pytest.raises(ProblemError, match="Mine is not a path"):
        things.find(f"{tmp_path}/mine.py:Mine")
    with pytest.raises(ProblemError, match="there is no thing 'mine'"):
        things.find("mine")


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    """An environment in which the example package is installed."""
    folder = tmp_path_factory.mktemp("plugin")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    command += [str(folder), "--no-build-isolation", "--no-index", str(PLUGIN)]
    subprocess.run(command, check=True)
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def playout(environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-m", "playout", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_an_installed_package_brings_a_problem(plugin):
    text = playout(
        plugin,
        "solve",
        "queens",
        "-p",
        "n=6",
        "--playouts",
        "3000",
        "--seed",
        "1",
        "-a",
        "nmcs",
        "--interpreted",
        "--json",
    )
    found = json.loads(text)
    assert (found["problem"], found["score"], found["verified"]) == ("queens", 6, True)


def test_an_installed_package_is_listed(plugin):
    assert "queens          Place a queen in each row" in playout(plugin, "list")
    assert "-p n" in playout(plugin, "list", "problems", "queens")
