"""Ctrl-C is heard wherever it comes."""

from __future__ import annotations

import subprocess
import sys

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
