"""Files from strangers are data: none of them makes a Python file run."""

from __future__ import annotations

import re

import pytest

from bench.readers import readers
from playout.adapters.game_files import from_text
from playout.errors import DataError
from playout.games.game_text import game_of_file
from tests.support.cli_shell import Shell

EVIL = """
from pathlib import Path
from playout.games.tictactoe import TicTacToe

Path(__file__).with_name("has run").touch()

class Evil(TicTacToe):
    pass
"""

GAME = "playout record 1\ngame: {}\nplayer 1: a\nplayer 2: b\n\n1 1 b2\n"


@pytest.fixture
def shell(tmp_path):
    shell = Shell(tmp_path)
    shell.write("evil.py", EVIL)
    shell.write("game.txt", GAME.format("evil.py:Evil"))
    # good ones, which a stranger has changed
    for name, what in (("match.jsonl", "transcript"), ("proof.txt", "certificate")):
        text = readers()[what].samples[0].decode()
        unsealed = re.sub(r', "checksum": "[0-9a-f]*"', "", text)
        assert '"tictactoe"' in unsealed
        shell.write(name, unsealed.replace('"tictactoe"', '"evil.py:Evil"'))
    return shell


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ("play", "tictactoe", "--record", "game.txt"),
        ("match", "--replay", "match.jsonl"),
        ("prove", "--check", "proof.txt"),
    ],
)
def test_no_file_runs_another(shell, words):
    done = shell(*words)
    assert done.returncode == 2
    assert "it is of 'evil.py:Evil': to run that file" in done.stderr
    assert not (shell.folder / "has run").exists()


@pytest.mark.long
def test_gtp_runs_none_either(shell):
    process = shell.start("gtp", "go:5", "--interpreted", stdin=-1)
    out, _ = process.communicate("loadsgf game.txt\nquit\n", timeout=600)
    assert out.startswith("? cannot load file: game.txt: it is of 'evil.py:Evil'")
    assert not (shell.folder / "has run").exists()


@pytest.mark.long
def test_what_the_user_names_is_the_users_own(shell, monkeypatch):
    monkeypatch.chdir(shell.folder)
    played = from_text(GAME.format("evil.py:Evil"), "game", "evil.py:Evil")
    assert played.moves == ["b2"]
    assert (shell.folder / "has run").exists()


@pytest.mark.parametrize(
    "text", ["evil.py:Evil", "./evil.py", "x/../evil.py:Evil:3x3", "hex.py", "a.py:B:c=d.py:E"]
)
def test_a_file_names_registered_games_only(text):
    with pytest.raises(DataError, match="to run that file, name the game in the command too"):
        game_of_file(text)
    with pytest.raises(DataError, match="to run that file"):
        game_of_file(text, "tictactoe")
