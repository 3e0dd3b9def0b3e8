"""A cluster that starts and ends: signals are heard before and after, whatever Ray makes of them.

With a module in the place of Ray: a real one takes seconds, and is in test_real_cluster.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

RAY = """
import os, signal, sys
from types import SimpleNamespace

_private = SimpleNamespace()
number, stage = int(os.environ["SENT"]), os.environ["STAGE"]

def taken_over(number, frame):
    print("taken over", file=sys.stderr)
    sys.exit(1)

def here(name):
    signal.signal(signal.SIGTERM, taken_over)
    if name == stage:
        os.kill(os.getpid(), number)
    print(name, file=sys.stderr)

def is_initialized():
    return False

def init(**how):
    if stage == "fault":
        raise Exception("The node timed out.\\nMore lines")
    here("begun")

def shutdown():
    here("ended")

def cluster_resources():
    return {"CPU": 0}

here("imported")
"""
PSUTIL = """
class Error(Exception):
    pass

def process_iter():
    return []
"""
SOLVE = ["solve", "maximum", "-p", "n=5", "--interpreted", "--playouts", "9", "--cluster", "local"]


def solve(folder, stage, number=signal.SIGINT):
    """The exit code and the lines of a search on a cluster, with a signal at a stage of it."""
    (folder / "ray.py").write_text(RAY)
    (folder / "psutil.py").write_text(PSUTIL)  # which comes with Ray
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    own = {"PYTHONPATH": path, "STAGE": stage, "SENT": str(int(number))}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-m", "playout", *SOLVE],
        env={**clean, **own},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("stage", ["imported", "begun", "ended"])
def test_ray_is_never_left_while_it_starts_or_ends(tmp_path, stage, number, code):
    ended, lines = solve(tmp_path, stage, number)
    assert ended == code
    told = "playout: interrupted before there was a result"
    begun = [] if stage == "imported" else ["begun", "ended"]
    assert lines == ["imported", *begun, told]


def test_what_keeps_ray_from_starting_is_one_line(tmp_path):
    code, lines = solve(tmp_path, "fault")
    told = "playout: cannot start a cluster on this machine: The node timed out."
    assert (code, lines) == (2, ["imported", "ended", told])
