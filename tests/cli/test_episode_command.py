"""`playout episode`: a game of luck from the shell, kept, replayed and refused."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import playout as po
from tests.support.cli_shell import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
HARVEST = (str(EXAMPLES / "harvest.py:Harvest"), "-p", "days=4", "--interpreted")
BUDGET = ("--calls", "40", "--seed", "3")


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


def test_a_game_is_played_saved_and_replayed(shell):
    done = shell(
        "episode",
        *HARVEST,
        "-a",
        "ordinal",
        "-o",
        "length=3",
        *BUDGET,
        "--save",
        "game.json",
        "--show",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "ordinal:length=3, 40 calls a move" in done.stdout
    assert "the replay agrees" in done.stdout
    assert "day 4:" in done.stdout
    again = shell("episode", *HARVEST, "--replay", "game.json", "--json")
    data = json.loads(again.stdout)
    assert (again.returncode, data["verified"], len(data["moves"])) == (0, True, 4)
    assert data["calls"] == 160


def test_several_games_have_a_mean(shell):
    done = shell("episode", *HARVEST, *BUDGET, "--episodes", "3", "--json")
    data = json.loads(done.stdout)
    assert (done.returncode, data["seeds"], data["verified"]) == (0, [3, 4, 5], True)
    assert data["mean"] == pytest.approx(sum(data["scores"]) / 3)
    text = shell("episode", *HARVEST, *BUDGET, "--episodes", "3").stdout
    assert "mean score" in text
    assert "(95%)" in text


def test_a_replay_with_another_luck_is_refused(shell):
    shell("episode", *HARVEST, *BUDGET, "--save", "game.json")
    path = shell.folder / "game.json"
    dataclasses.replace(po.Episode.load(path), luck=99).save(path)
    done = shell("episode", *HARVEST, "--replay", "game.json")
    assert done.returncode == 2
    assert done.stderr.startswith("playout: the episode does not replay")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-a", "uct"), "there is no search over worlds 'uct'"),
        (("-a", "pimc"), "pimc decides no episodes"),
        (("-o", "D=2"), "there is no option 'D'"),
        (("--calls", "0"), "--calls"),
        (("--episodes", "2", "--show"), "--episodes: leave"),
        (("--show", "--json"), "leave --show out"),
        (("--save", "no/game.json"), "there is no folder"),
        (("--replay", "no.json"), "cannot read no.json"),
    ],
)
def test_mistakes_are_one_line(shell, words, message):
    done = shell("episode", *HARVEST, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_examples_keep_the_contract(shell):
    for name in ("harvest.py:Harvest", "summit.py:Summit"):
        done = shell("check", EXAMPLES / name, "--games", "5", "--interpreted")
        assert (done.returncode, done.stderr) == (0, "")
