"""Ctrl-C is heard wherever it comes."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time

import pytest

SCRIPT = """
import signal, time
from playout.interrupts import ctrl_c_never_dropped

class Ends:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        "Python would raise here, and cannot"

signal.signal(signal.SIGINT, signal.default_int_handler)
with ctrl_c_never_dropped():
    try:
        Ends()
        time.sleep(600)
    except KeyboardInterrupt:
        print("heard")
"""


def test_ctrl_c_in_the_end_of_an_object():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")


@pytest.mark.parametrize("edited", ["", "import readline"])
def test_a_signal_that_no_wait_was_ended_by_is_heard(edited):
    """The signal comes to another thread: the wait for a line is told nothing of it."""
    code = f"""
import signal
import threading
import time
{edited}
from playout.interrupts import signals_heard_in_waits

def signalled():
    time.sleep(0.3)  # a wait that has not begun by then hears it anyway
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=signalled).start()
try:
    with signals_heard_in_waits():
        input("> ")
except KeyboardInterrupt:
    after = signal.getsignal(signal.SIGURG), signal.set_wakeup_fd(-1), threading.active_count()
    print("heard", after == (signal.SIG_DFL, -1, 1))
"""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    shown, end = b"", time.monotonic() + 120
    try:
        while b"heard True" not in shown:
            assert time.monotonic() < end, shown
            if select.select([master], [], [], 1)[0]:
                shown += os.read(master, 4096)
    finally:
        process.kill()
        process.wait()
        os.close(master)
