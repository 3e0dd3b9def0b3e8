"""`playout ggp`: what it refuses, and a match between two programs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from playout.cli import main
from tests.support.rulesheets import PENNIES


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check"], "name a rulesheet"),
        (["chek", "a.kif"], "give check, play or serve"),
        (["check", "a.kif"], "there is no such file"),
        (["play", "a.kif"], "one argument too many"),
        (["play", "--port", "70000"], "from 0 to 65535"),
        (["serve", "pennies.kif", "http://127.0.0.1:1"], "1 players for 2 roles: even, odd"),
        (["serve", "pennies.kif", "random", "here"], "an address such as"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pennies.kif").write_text(PENNIES)
    assert main(["ggp", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_match_between_random_players(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pennies.kif").write_text(PENNIES)
    assert main(["ggp", "serve", "pennies.kif", "random", "random", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 steps"
    assert {int(line.split()[1]) for line in lines[1:]} == {0, 100}


@pytest.mark.long
def test_a_program_plays_another(tmp_path):
    (tmp_path / "pennies.kif").write_text(PENNIES)
    command = [sys.executable, "-m", "playout", "ggp"]
    with subprocess.Popen(
        [*command, "play", "--port", "0", "--interpreted"], stderr=subprocess.PIPE, text=True
    ) as player:
        try:
            assert player.stderr is not None
            found = (re.search(r"http://\S+", line) for line in player.stderr)
            address = next(match.group() for match in found if match)
            words = [address, "random", "--start", "5", "--play", "1", "--quiet"]
            played = subprocess.run(
                [*command, "serve", str(tmp_path / "pennies.kif"), *words],
                capture_output=True,
                text=True,
                check=True,
            )
        finally:
            player.terminate()
    assert "late" not in played.stdout
    assert "illegal" not in played.stdout
