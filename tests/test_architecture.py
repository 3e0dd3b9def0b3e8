"""What docs/architecture.md says of the code holds: layers, files, the way of a playout."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
FILES = [*(ROOT / "playout").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
NAMED = sorted({name for name in re.findall(r"`([\w/]+\.py)`", PAGE) if "NAME" not in name})
# of file, on the way of a run of one playout: with more, the steps hang on the speed of the machine
MOST_CHANGES = 227


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_table_of_layers_is_what_lint_enforces():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    enforced = [set(layer.split(" | ")) for layer in contract["layers"] if layer != "__main__"]
    rows = re.findall(r"^\| (`.*?`) \|", section("Layers"), re.M)
    told = [set(re.findall(r"`(\w+)(?:/|\.py)`", row)) for row in rows]
    assert told == enforced


def test_every_room_is_in_the_table():
    rooms = {path.stem for path in (ROOT / "playout").iterdir() if path.suffix == ".py"}
    rooms |= {path.parent.name for path in (ROOT / "playout").glob("*/__init__.py")}
    told = set(re.findall(r"`(\w+)(?:/|\.py)`", section("Layers")))
    assert rooms - {"__init__", "__main__"} <= told


@pytest.mark.parametrize("name", NAMED)
def test_every_file_that_the_page_names_is_there(name):
    assert any(str(path).endswith(f"/{name}") for path in FILES)


def test_the_glossary_has_each_word_once():
    words = re.findall(r"^\| ([a-z ]+) \|", section("Words"), re.M)
    words.remove("word")
    assert len(words) == len(set(words)) >= 20


@pytest.fixture(scope="module")
def way():
    """The second of two runs: the first fills the cache of compiled code."""
    words = ["solve", "samegame", "-a", "gnrpa", "--playouts", "1", "--seed", "1"]
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.way", *words],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
            timeout=600,
        )
    return json.loads(done.stdout)


@pytest.mark.long
def test_the_way_of_a_playout_is_the_one_that_the_page_tells(way):
    told = re.findall(r"^\| `([\w/]+\.py)` \|", section("The way of one playout"), re.M)
    assert told == way["files"]


@pytest.mark.long
def test_the_way_of_a_playout_does_not_go_back_and_forth(way):
    assert way["changes"] <= MOST_CHANGES
