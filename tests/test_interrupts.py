"""Ctrl-C is heard wherever it comes."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time

import pytest

from playout.run.hands import ThreadHands
from playout.workers import HiredThreads, Left

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


@pytest.mark.parametrize("waits", ["crew", "hands"])
def test_a_wait_that_a_slow_signal_ends_is_over(waits):
    """Python's SimpleQueue waits for ever then, and Ctrl-C in a busy process was not heard."""
    if waits == "crew":
        hired = HiredThreads(None, 1)
        told, look = hired._told, lambda: list(hired.news(0.2))
    else:
        hands = ThreadHands([])
        told, look = hands._told, lambda: hands.ended(0.2)
    rescue = threading.Timer(60, lambda: told.put((0, Left())))
    rescue.start()
    before = signal.signal(signal.SIGALRM, lambda number, frame: time.sleep(0.5))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        assert look() == []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        rescue.cancel()


HELD = """
import signal, sys
from playout.interrupts import signals_held_back

number, times = signal.Signals(int(sys.argv[1])), int(sys.argv[2])
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, lambda number, frame: print("told", number))
try:
    with signals_held_back():
        signal.signal(number, lambda number, frame: print("taken over"))
        for _ in range(times):
            signal.raise_signal(number)
        print("whole")
    print("over")
except KeyboardInterrupt:
    print("interrupted")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


@pytest.mark.parametrize(
    ("number", "times", "says"),
    [
        (signal.SIGINT, 0, "whole over True"),
        (signal.SIGINT, 1, "whole interrupted True"),
        (signal.SIGINT, 2, "interrupted True"),
        (signal.SIGTERM, 1, "whole told 15 over True"),
        (signal.SIGTERM, 2, "told 15 whole over True"),
    ],
)
def test_signals_are_held_back_and_not_taken_over(number, times, says):
    done = subprocess.run(
        [sys.executable, "-c", HELD, str(int(number)), str(times)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.split() == says.split(), done.stderr


def test_a_signal_without_a_handler_ends_the_process_after_the_block():
    code = """
import os, signal
from playout.interrupts import signals_held_back
signal.signal(signal.SIGTERM, signal.SIG_DFL)
with signals_held_back():
    os.kill(os.getpid(), signal.SIGTERM)
    print("whole", flush=True)
print("not here", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300)
    assert (done.stdout, done.returncode) == (b"whole\n", -signal.SIGTERM)


ENDLESS = """
import signal, sys
import numpy as np
from playout import interrupts
from playout.compiled import kernel

@kernel
def wait_for(numbers):
    while numbers[0] == 0:
        numbers[1] += 1

interrupts.UNHEARD = 0.3
signal.signal(signal.SIGINT, signal.default_int_handler)
wait_for(np.ones(2))
with interrupts.signals_heard_in_waits():
    print("in", flush=True)
    wait_for(np.zeros(2))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_loop_without_an_end_is_left_at_the_second_signal(number, code):
    script = ENDLESS.replace("SIGINT, signal.default", f"{number.name}, signal.default")
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "in\n"
    time.sleep(0.5)  # then it is in compiled code
    process.send_signal(number)
    said = process.stderr.readline()
    assert said.startswith("playout: Ctrl-C is noted")
    assert "if a loop of yours has no end, Ctrl-C again ends all at once" in said
    assert process.poll() is None
    process.send_signal(number)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == code
