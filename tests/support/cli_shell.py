"""A folder and a shell to run the command line in, for the tests of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.command import run_here

KNAPSACK = '''
import numpy as np
import playout

class Knapsack(playout.Problem):
    """Fill a sack."""

    fields = ("weight", "value", "capacity")

    def __init__(self, capacity: int = 60):
        self.weight = np.array([12, 7, 11, 8, 9, 6, 7, 3, 10, 15])
        self.value = np.array([24.0, 13, 23, 15, 16, 11, 12, 5, 19, 30])
        self.capacity = capacity
        self.max_moves = self.max_length = 10
        self.move_type = playout.record(index="i8")
        self.state_type = playout.record(room="i8", worth="f8", taken=("i1", 10))

    def reset(self, state):
        state.room = self.capacity

    def moves(self, state, moves):
        n = 0
        for item in range(10):
            if not state.taken[item] and self.weight[item] <= state.room:
                moves[n].index = item
                n += 1
        return n

    def play(self, state, move):
        state.taken[move.index] = 1
        state.room -= self.weight[move.index]
        state.worth += self.value[move.index]

    def score(self, state):
        return state.worth
'''

RANDOM = ("-a", "random", "--playouts", "300", "--seed", "1")


class Shell:
    """A folder to work in, and commands run there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "COLUMNS": "100"}
        self.environment.pop("PLAYOUT_DATA", None)
        (folder / "my_problem.py").write_text(KNAPSACK)

    def start(self, *words: object, **settings: object) -> subprocess.Popen[str]:
        """A process that is running."""
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
        # a shell may have started pytest with Ctrl-C switched off
        usual = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None  # noqa: E731
        settings = {"preexec_fn": usual, "stdin": subprocess.DEVNULL, **settings}
        return subprocess.Popen(
            [sys.executable, "-m", "playout", *map(str, words)],
            cwd=self.folder,
            env=self.environment,
            text=True,
            **settings,
        )  # type: ignore[call-overload]

    def __call__(self, *words: object) -> subprocess.CompletedProcess[str]:
        """A command that has ended, within this process."""
        return run_here(words, self.folder, self.environment)

    def process(self, *words: object) -> subprocess.CompletedProcess[str]:
        """The same as a process of its own."""
        process = self.start(*words)
        out, err = process.communicate(timeout=600)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def wait_for(self, name: str, process: subprocess.Popen[str]) -> None:
        """Wait until a process has written a file."""
        deadline = time.monotonic() + 600
        while not (self.folder / name).exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def json(self, *words: object) -> dict:
        """The object that a command prints."""
        done = self(*words, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def refused(self, *words: object, process: bool = False) -> str:
        """The one line that a bad command gets; it leaves no file behind and changes none."""
        before = self.files()
        done = self.process(*words) if process else self(*words)
        assert done.returncode == 2, done
        assert done.stdout == ""
        assert done.stderr.startswith("playout: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert self.files() == before
        return done.stderr

    def files(self) -> dict[str, tuple[int, int]]:
        """Every file in the folder, with its length and time."""
        found = (path for path in self.folder.rglob("*") if "__pycache__" not in str(path))
        return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in found if p.is_file()}

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
