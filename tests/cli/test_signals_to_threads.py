"""A signal that another thread of a command gets is heard, whatever its main thread waits for.

So is one that comes just before a wait: in both cases the system does not end the wait.
"""

from __future__ import annotations

import ctypes
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.forms import long
from tests.support.rulesheets import PENNIES

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the threads of a process are looked up in /proc"
)


@pytest.mark.parametrize(
    ("words", "typed", "ready"),
    [
        ("play tictactoe --interpreted", b"", b"> "),
        long("gtp go:5x5 --interpreted", b"name\n", b"= "),
        long("arcade orchard --human", b"", b"any key"),
    ],
)
def test_a_wait_for_a_key_or_a_line(words, typed, ready, tmp_path):
    master, slave = pty.openpty()
    os.write(master, typed)
    process = _start(words, tmp_path, slave)
    os.close(slave)
    try:
        shown = _read(master, lambda shown: ready in shown)
        _tell_another_thread(process.pid)
        shown += _read(master, lambda shown: process.poll() is not None)
        process.wait(300)
        assert process.returncode == 128 + signal.SIGTERM, shown
        assert b"Traceback" not in shown
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_a_wait_for_other_players(tmp_path):
    """They have ten minutes, and nobody waits for them."""
    (tmp_path / "rules.kif").write_text(PENNIES)
    with socket.create_server(("127.0.0.1", 0)) as player:
        address = f"http://127.0.0.1:{player.getsockname()[1]}"
        words = f"ggp serve rules.kif {address} random --start 600"
        process = _start(words, tmp_path, subprocess.PIPE)
        try:
            player.settimeout(300)
            with player.accept()[0]:
                _tell_another_thread(process.pid)
                shown, _ = process.communicate(timeout=300)
        finally:
            process.kill()
            process.wait()
    assert process.returncode == 128 + signal.SIGTERM, shown
    assert b"Traceback" not in shown


def _start(words: str, folder: Path, file: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "playout", *words.split()]
    return subprocess.Popen(command, cwd=folder, stdin=file, stdout=file, stderr=subprocess.STDOUT)


def _read(file: int, enough) -> bytes:
    shown, end = b"", time.monotonic() + 300
    while not enough(shown):
        assert time.monotonic() < end, shown
        if select.select([file], [], [], 0.1)[0]:
            try:
                shown += os.read(file, 4096)
            except OSError:  # the other end is closed
                break
    return shown


def _tell_another_thread(pid: int) -> None:
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        thread = int(status.parent.name)
        blocked = int(re.search(r"SigBlk:\s*(\S+)", status.read_text())[1], 16)
        if thread != pid and not blocked >> (signal.SIGTERM - 1) & 1:
            ctypes.CDLL(None).tgkill(pid, thread, signal.SIGTERM)
            return
    pytest.fail("it has no other thread")
