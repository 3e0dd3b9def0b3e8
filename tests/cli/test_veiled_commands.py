"""The commands on games that keep something back: refusals, open cards, what a person is shown."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.cli_shell import Shell

WHIST = Path(__file__).parents[1] / "support" / "whist.py"


@pytest.fixture
def shell(tmp_path):
    (tmp_path / "whist.py").write_text(WHIST.read_text())
    return Shell(tmp_path)


def typed(shell, text, *words):
    """A command to which a person types."""
    process = shell.start(*words, stdin=subprocess.PIPE)
    out, err = process.communicate(text, timeout=600)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def test_a_tree_search_is_refused_in_one_line_that_says_what_to_use(shell):
    for words in (
        ("analyse", "whist.py:Whist", "-a", "uct"),
        ("match", "whist.py:Whist", "uct", "random", "--workers", "1"),
        ("play", "whist.py:Whist", "-a", "uct"),
    ):
        said = shell.refused(*words)
        assert "uct sees all that is hidden in Whist: use pimc, alphamu or ismcts" in said


def test_analyse_does_not_tell_what_the_player_does_not_know(shell):
    few = ("--simulations", "40", "--interpreted", "--seed", "3")
    done = shell("analyse", "whist.py:Whist", "-a", "pimc:worlds=4", *few)
    assert done.returncode == 0
    assert "(what player 1 does not know is drawn at random)" in done.stdout
    assert "search     pimc:worlds=4, 40 simulations" in done.stdout
    found = shell("analyse", "whist.py:Whist", *few, "--open", "--format", "json")
    data = json.loads(found.stdout)
    assert (data["open"], data["algorithm"]) == (True, "puct")
    data = json.loads(shell("analyse", "whist.py:Whist", *few, "--format", "json").stdout)
    assert data["algorithm"] == "ismcts"
    assert "open" not in data


def test_a_game_is_played_with_hidden_cards_and_goes_on_from_its_deal(shell):
    few = ("--simulations", "10", "--interpreted")
    game = ("play", "whist.py:Whist", *few, "--record", "game.txt")
    done = typed(shell, "moves\nposition\nc\nquit\n", *game, "--seed", "3")
    assert done.returncode == 0
    assert "you are player 1 of 4, against ismcts" in done.stdout
    assert "the position would tell what you do not know" in done.stdout
    assert "player 2 plays" in done.stdout
    assert "value" not in done.stdout  # what the search thinks would tell of its cards
    assert "--seed 3 --moves" in done.stdout
    text = (shell.folder / "game.txt").read_text()
    assert "deal: 3\n" in text
    done = typed(shell, "quit\n", *game)
    assert done.returncode == 0
    assert (shell.folder / "game.txt").read_text() == text
    (shell.folder / "game.txt").write_text(text.replace("deal: 3", "deal: three"))
    done = typed(shell, "quit\n", *game)
    assert done.returncode == 2
    assert "is no seed of a deal" in done.stderr


def test_a_match_with_open_cards_says_so_and_replays(shell):
    match = (
        "match",
        "whist.py:Whist",
        "uct:simulations=5",
        "random",
        "--games",
        "4",
        "--seed",
        "1",
    )
    done = shell(*match, "--workers", "1", "--interpreted", "--open", "--record", "games.jsonl")
    assert done.returncode == 0
    assert "whist.py:Whist, open, 4 games" in done.stdout
    line = json.loads((shell.folder / "games.jsonl").read_text().splitlines()[0])
    assert line["open"] is True
    done = shell("match", "--replay", "games.jsonl", "whist.py:Whist")
    assert done.returncode == 0
    assert "4 games replayed: all agree" in done.stdout
