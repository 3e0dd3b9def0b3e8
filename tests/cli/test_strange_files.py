"""What is no ordinary file, where a command reads one: a line and exit code 2, at once."""

from __future__ import annotations

import os
import pty
import signal
import sys

import pytest

from playout.cli import main
from playout.cli.plain_terminal import visible
from tests.support.forms import long

NAME = "a\x1b[2J\x07\nb\x9b"  # which would clear a terminal, and ring

COMMANDS = (
    "solve samegame {}",
    "solve samegame {}#2",
    "solve tsptw {}",
    "solve coloring {} -p k=3",
    "solve {}.py:Own",
    "solve maximum -p n=5 --interpreted --playouts 5 --start-from {}",
    "solve maximum -p n=5 --interpreted --playouts 5 --checkpoint {}",
    "check maximum -p n=5 --interpreted --solution {}",
    "color {}",
    "color random:1 -p n=8 --check {}",
    "rna {}",
    "bridge {}",
    "ggp check {}",
    "play gdl:{}",
    "arcade {}",
    "arcade --replay {}",
    "episode --replay {}",
    "match --replay {}",
    "match tictactoe random random --games 1 --interpreted --workers 1 --record {}",
    "play tictactoe --interpreted --record {}",
    "play go:5x5 --interpreted --record {}.sgf",
    "prove --check {}",
    "prove --check {}.gz",
    "prove tictactoe --checkpoint {}",
    "report --store {}",
    "export --store {}",
    "reproduce {}.py",
    long("solve samegame random:1 -a policy-mcts -o model={}.safetensors"),
    long("zonnscan {}.onnx x.npy"),
    long("zonnscan net.py:f {}.npy"),
    long("zonnscan net.py:f {}"),
)


def pipe(path):
    os.mkfifo(path)


def device(path):
    os.symlink("/dev/zero", path)


def loop(path):
    os.symlink(path, path)


def folder(path):
    os.mkdir(path)


def large(path):
    with open(path, "wb") as file:
        file.truncate(2 << 30)


def odd_name(path):
    with open(path, "w") as file:
        file.write("\x1b[2J\x07 \x9b31m (\n")


@pytest.fixture(autouse=True)
def in_time(monkeypatch, tmp_path):
    """A command that waits for ever fails here, and does not hold all tests up."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text("def f(x):\n    return x\n")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("kind", [pipe, device, loop, folder, large, odd_name])
@pytest.mark.parametrize("words", COMMANDS)
def test_it_is_refused_in_one_line(words, kind, capfd):
    name = NAME if kind is odd_name else "strange"
    for ending in ("", ".py", ".gz", ".sgf", ".safetensors", ".npy", ".onnx"):
        kind(name + ending)
    if kind is loop and ("--checkpoint" in words or "--record" in words):
        return  # what is written takes the link's place
    code = main([word.replace("{}", name) for word in words.split(" ")])
    printed = capfd.readouterr()
    error = [line for line in printed.err.splitlines() if "warning" not in line]
    assert code == 2 or "--solution" in words or kind is odd_name, printed
    assert len(error) == (code == 2), printed
    assert "Traceback" not in printed.err
    assert not {"\x1b", "\x07", "\x9b"} & set(printed.err)


def test_a_terminal_does_not_obey_a_file(monkeypatch):
    """A pipe gets every character; reports have colours of their own."""
    odd_name(NAME)
    master, slave = pty.openpty()
    with open(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        code = main(["check", "maximum", "-p", "n=5", "--interpreted", "--solution", NAME])
        assert sys.stdout is terminal
        terminal.write("\x1b[0m, the terminal's own\n")
        terminal.flush()
        shown = ""
        while not shown.endswith("own\r\n"):
            shown += os.read(master, 4096).decode()
    os.close(master)
    assert code == 1
    assert shown.startswith("a\\x1b[2J\\x07\r\nb\\x9b: move 1, ")
    assert shown.index("\x1b") == shown.index("\x1b[0m, the terminal's own")
    marked = "\x1b[32m+\x1b[0m "  # as a report marks its figures
    assert visible(marked + "\x1b[8mhidden\u202e") == marked + "\\x1b[8mhidden\\u202e"
