"""`playout match` in this process: what it prints, a replay, and what it refuses."""

from __future__ import annotations

import json

import pytest

from playout.cli import main
from tests.support.match_files import play, unsealed


@pytest.fixture
def file(tmp_path):
    """A file with a match of six games."""
    path = tmp_path / "games.jsonl"
    play(path)
    return path


def run(capsys, *words):
    """The command line in this process."""
    code = main([str(word) for word in words])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def test_text_and_json(capsys, tmp_path):
    words = (
        "match",
        "tictactoe",
        "random",
        "random",
        "--games",
        4,
        "--seed",
        1,
        "--workers",
        1,
    )
    code, out, error = run(capsys, *words)
    assert (code, error) == (0, "")
    assert out.startswith("tictactoe, 4 games, seed 1")
    code, out, error = run(capsys, *words, "--json")
    assert json.loads(out)["games"] == 4
    assert (code, error) == (0, "")


def test_a_round_robin(capsys):
    words = ("match", "tictactoe", "random", "random", "random", "--games", 2, "--workers", 1)
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    assert len(json.loads(out)["table"]) == 3
    assert "Bradley-Terry" in run(capsys, *words)[1]


def test_replay(capsys, tmp_path, file):
    code, out, _ = run(capsys, "match", "--replay", file, "--json")
    data = json.loads(out)
    assert (code, data["agrees"], data["faults"], data["games"]) == (0, True, [], 6)
    lines = unsealed(file)
    for line in lines:
        line["result"] = [0.25, 0.75]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = run(capsys, "match", "--replay", file)
    assert code == 1
    assert "6 games replayed: 6 disagree" in out
    assert "game 3: the result is" in out
    code, out, _ = run(capsys, "match", "--replay", file, "--json")
    assert len(json.loads(out)["faults"]) == 6


def test_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["match", "--help"])
    out = capsys.readouterr().out
    for words in (
        "examples:",
        "--sprt",
        "--record",
        "--replay",
        "uct:simulations=2000",
        "file.py:Class",
        "exit code",
    ):
        assert words in out


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("match", "give a GAME and two players"),
        ("match tictactoe", "at least two players"),
        ("match tictactoe random", "at least two players"),
        ("match tictacto random random", "did you mean tictactoe"),
        ("match tictactoe:4x4 random random", "one size only"),
        ("match connectfour:99x1 random random", "no board of 99x1"),
        ("match breakthrough:0x0 random random", "reakthrough"),
        ("match tictactoe random uctt", "did you mean uct"),
        ("match tictactoe random uct:c=1", "there is no option 'c'"),
        ("match tictactoe random uct:playout=nothing", "no playout policy 'nothing'"),
        ("match tictactoe random uct:simulatoins=3", "did you mean simulations"),
        ("match tictactoe random none.py:Player", "none.py"),
        ("match none.py:Game random random", "none.py"),
        ("match tictactoe random random --games 0", "'0' is no number of games"),
        ("match tictactoe random random --games many", "'many' is no number of games"),
        ("match tictactoe random random --simulations 0", "'0' is no count"),
        ("match tictactoe random random --seconds 0", "'0' is no time"),
        ("match tictactoe random random --seconds 1 --simulations 2", "not both"),
        ("match tictactoe random random --seconds 1 --calls 2", "give one of them"),
        ("match tictactoe random uct --calls 20", "uct counts none"),
        ("match tictactoe random uct:calls=20", "uct counts none"),
        ("match tictactoe random pimc:calls=20", "pimc counts none"),
        ("match tictactoe random random --seed -1", "seed"),
        ("match tictactoe random random --seed 99999999999999999999", "seed"),
        ("match tictactoe random random --workers 0", "'0' is no number of workers"),
        ("match tictactoe random random --workers 99999", "workers=99999"),
        ("match tictactoe random random --opening 9", "ends a game of TicTacToe: give fewer"),
        ("match tictactoe random random --opening -1", "plies"),
        ("match tictactoe random random --sprt 10", "elo0,elo1"),
        ("match tictactoe random random --sprt 10,0", "the first is the smaller"),
        ("match tictactoe random random random --sprt 0,10", "two players"),
        ("match tictactoe random random --record .", "it is a folder"),
        ("match tictactoe random random --record none/r", "No such file"),
        ("match tictactoe random random --record=", "give the name of a file"),
        ("match tictactoe random random --record text.txt", "no record of a match"),
        ("match tictactoe random random --recrod x", "did you mean --record"),
        ("match dotsandboxes:2x2,players=3 random", "name at least two players"),
        ("match --replay none.jsonl", "cannot read none.jsonl: No such file"),
        ("match --replay text.txt", "no record of a match"),
        ("match --replay .", "it is a folder"),
        ("match --replay x --record y", "not both"),
        ("match tictactoe random random --replay x", "the players are in the file"),
    ],
)
def test_refused(capsys, tmp_path, monkeypatch, command, hint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("hello\n")
    code, out, error = run(capsys, *command.split())
    assert (code, out) == (2, "")
    assert error.startswith("playout: ")
    assert error.count("\n") == 1
    assert hint in error
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]
    assert (tmp_path / "text.txt").read_text() == "hello\n"
