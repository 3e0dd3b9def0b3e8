"""A full disk at the last write: the answer is printed, one line says what is missing, code 2.

What was there before is there afterwards, to the last byte.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from bench.soak.writes import INPUTS
from tests.support.cli_shell import RANDOM, Shell
from tests.support.forms import long

SAYS = "No space left on device"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch):
    """From the call on, no file gets to the disk."""

    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: monkeypatch.setattr(os, "fsync", no_space)


def told(shell: Shell, *words: object) -> str:
    """What a command prints that cannot write its file; what it says of the file is one line."""
    done = shell(*words)
    assert done.returncode == 2, done
    lines = [line for line in done.stderr.splitlines() if SAYS in line]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


COMPARE = (
    "compare my_problem.py:Knapsack -a random -a nmcs:level=1 --playouts 50 --runs 2 --workers 1 "
    "--quiet --interpreted --store store"
)
TUNE = (
    "tune my_problem.py:Knapsack -a nrpa --search alpha=0.5:2 "
    "--playouts 60 --budget 1 --runs 1 --final-runs 2 --workers 1 --quiet "
    "--interpreted --store store"
)
COMMANDS = {
    "prove tictactoe --checkpoint file": "a draw",
    f"solve my_problem.py:Knapsack {' '.join(RANDOM)} --checkpoint file": "the replay agrees",
    f"solve my_problem.py:Knapsack {' '.join(RANDOM)} --save file": "the replay agrees",
    "color random:1 -p n=8 -a dsatur --save file": "colours",
    "rna ((((....)))) --seed 1 --workers 1 --seconds 20 --save file": "((((....))))",
    "analyse tictactoe --simulations 100 --seed 1 --out file": "best",
    "episode maximum -p n=4 --interpreted --playouts 5 --seed 1 --save file": "the replay agrees",
    "bridge deal.txt --format pbn --out file": '[Deal "N:',
    **{
        f"arcade game.txt level.txt --interpreted --calls 5 --seed 1 --{name} file": "the replay"
        for name in ("save", "html", "gif")
    },
    "match tictactoe random random --games 1 --seed 1 --workers 1 --record file": "random",
    f"{COMPARE} --out file.html": "Knapsack",
    f"{TUNE} --out file.md": "use\n  playout solve",
}

COMPILED = ("pro", "rna", "ana", "pla")  # what takes seconds to compile


class TestAnswerIsPrinted:
    @pytest.mark.parametrize("command", [long(c) if c[:3] in COMPILED else c for c in COMMANDS])
    def test_at_the_last_write(self, shell: Shell, full, command: str) -> None:
        if command.startswith("rna"):
            pytest.importorskip("RNA")
        if command.startswith("tune"):
            pytest.importorskip("optuna")
        if command.endswith("--gif file"):
            pytest.importorskip("PIL")
        for name, text in INPUTS.items():
            shell.write(name, text)
        full()
        assert COMMANDS[command] in told(shell, *command.split())
        assert list(shell.folder.glob(".*")) == []

    @pytest.mark.long
    def test_as_json(self, shell: Shell, full) -> None:
        full()
        assert json.loads(told(shell, "prove", "tictactoe", "--checkpoint", "c", "--json"))

    def test_a_game_against_a_search(self, shell: Shell, full) -> None:
        full()
        done = shell("play", "tictactoe", "--record", "game.txt")
        assert done.returncode == 2
        assert f"not saved: cannot write game.txt: {SAYS}" in done.stdout

    @pytest.mark.long
    def test_a_certificate(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_space(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        shell.write("file", "what was there")
        monkeypatch.setattr("playout.solvers.strategy.write_header", no_space)
        assert "a draw" in told(shell, "prove", "tictactoe", "--certificate", "file")
        assert (shell.folder / "file").read_text() == "what was there"
        assert list(shell.folder.glob(".*")) == []


class TestNothingIsLost:
    """What an earlier command has written."""

    def test_a_proof_goes_on_from_the_older_checkpoint(self, shell: Shell, full) -> None:
        command = ("prove", "tictactoe", "--checkpoint", "c")
        assert shell(*command).returncode == 0
        before = (shell.folder / "c").read_bytes()
        full()
        assert "a draw" in told(shell, *command)
        assert (shell.folder / "c").read_bytes() == before

    def test_a_match(self, shell: Shell, full, monkeypatch: pytest.MonkeyPatch) -> None:
        line = "match tictactoe random random --seed 1 --workers 1 --record r --games"
        command = line.split()
        assert shell(*command, 2).returncode == 0
        before = (shell.folder / "r").read_bytes()
        full()
        assert "stopped_by" in (out := told(shell, *command, 5, "--json"))
        assert (json.loads(out)["games"], json.loads(out)["stopped_by"]) == (3, "full disk")
        assert (shell.folder / "r").read_bytes().startswith(before)
        monkeypatch.undo()
        assert shell.json(*command, 5)["games"] == 5

    def test_runs_of_a_store(self, shell: Shell, full) -> None:
        assert shell(*COMPARE.split()).returncode == 0
        plain = shell("export", "--store", "store").stdout
        shell.write("runs.csv", "older")
        full()
        told(shell, "export", "--store", "store", "--out", "runs.csv")
        assert (shell.folder / "runs.csv").read_text() == "older"
        out = told(shell, "report", "--store", "store", "--out", "report.md")
        assert "Knapsack" in out
        assert shell("export", "--store", "store").stdout == plain
