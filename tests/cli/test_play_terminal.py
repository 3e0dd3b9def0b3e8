"""`playout play` in a terminal and through pipes: keys, Ctrl-C, Ctrl-D, and who goes away."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from playout.adapters.game_files import load_game_file
from tests.support.cli_shell import Shell

PLAIN = ("--interpreted", "--simulations", "40", "--seed", "1")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


class Terminal:
    """A process in a terminal of its own."""

    def __init__(self, shell: Shell, *words: object) -> None:
        self.master, slave = pty.openpty()

        def controlling() -> None:
            os.setsid()
            import fcntl

            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)

        self.process = subprocess.Popen(
            [sys.executable, "-m", "playout", "play", *map(str, words)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=shell.folder,
            env={**shell.environment, "TERM": "xterm"},
            preexec_fn=controlling,
        )
        os.close(slave)
        self.seen = ""

    def until(self, text: str, seconds: float = 600) -> str:
        """What was shown up to a text."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            left = end - time.monotonic()
            assert left > 0, f"no {text!r} in {self.seen!r}"
            if select.select([self.master], [], [], min(left, 1))[0]:
                try:
                    data = os.read(self.master, 4096)
                except OSError:  # the other side is closed
                    data = b""
                assert data, f"no {text!r} before the end of {self.seen!r}"
                self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace"))
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        code = self.process.wait(600)
        os.close(self.master)
        return code


def test_in_a_terminal(shell):
    terminal = Terminal(shell, "tictactoe", *PLAIN)
    terminal.until("player 1> ")
    terminal.type("b2\n")
    board = terminal.until("player 1> ")
    assert "player 2 plays" in board
    assert re.search(r"2 . x .", board)
    terminal.type("quit\n")
    terminal.until("go on     playout play tictactoe --position ")
    assert terminal.end() == 0


def test_the_end_of_input_in_a_terminal(shell):
    terminal = Terminal(shell, "tictactoe", *PLAIN)
    terminal.until("player 1> ")
    terminal.type("b2\n")
    terminal.until("player 1> ")
    terminal.type("\x04")  # Ctrl-D
    terminal.until("moves     b2 ")
    terminal.until("go on     ")
    assert terminal.end() == 0


def test_ctrl_c_at_the_prompt(shell):
    terminal = Terminal(shell, "tictactoe", *PLAIN, "--record", "game.txt")
    terminal.until("player 1> ")
    terminal.type("b2\n")
    terminal.until("player 1> ")
    terminal.type("\x03")
    terminal.until("moves     b2 ")
    terminal.until("saved     game.txt")
    assert terminal.end() == 130
    assert len(load_game_file(shell.folder / "game.txt").moves) == 2


def test_ctrl_c_while_the_search_thinks(shell):
    terminal = Terminal(shell, "tictactoe", "--interpreted", "--seconds", "600")
    terminal.until("player 1> ")
    terminal.type("b2\n")
    terminal.until("thinking")
    terminal.type("\x03")
    terminal.until("moves     b2")
    assert terminal.end() == 130


@pytest.mark.parametrize("record", ["game.txt", None])
def test_a_closed_terminal(shell, record):
    words = ("--record", record) if record else ()
    terminal = Terminal(shell, "tictactoe", *PLAIN, *words)
    terminal.until("player 1> ")
    terminal.type("b2\n")
    terminal.until("player 1> ")
    os.close(terminal.master)
    assert terminal.process.wait(600) in (-signal.SIGHUP, 129)
    name = record or "playout-tictactoe-1.txt"
    assert len(load_game_file(shell.folder / name).moves) == 2


def test_a_closed_pipe(shell):
    """The reader goes away: what was played is in a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", "play", "tictactoe", *PLAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=shell.folder,
        env=shell.environment,
    )
    while "to move" not in (line := process.stdout.readline()):
        assert line
    process.stdout.close()
    process.stdin.write("b2\n")
    process.stdin.flush()
    process.stdin.close()
    assert process.wait(600) == 141
    assert process.stderr.read() == ""
    process.stderr.close()
    assert load_game_file(shell.folder / "playout-tictactoe-1.txt").moves[0] == "b2"
