"""A folder with a problem and an experiment of one's own, for the tests of experiments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.command import run_here

# every run that comes to its end is noted in a file by `verify`, which is called once a run
PROBLEM = '''
import os
from pathlib import Path
import playout

class Bits(playout.Problem):
    """Choose bits; the score is how many are set."""

    fields = ("n",)

    def __init__(self, n: int = 6):
        self.n = n
        self.max_moves = 2
        self.max_length = n
        self.move_type = playout.record(bit="i8")
        self.state_type = playout.record(length="i8", ones="i8")

    def moves(self, state, moves):
        if state.length == self.n:
            return 0
        moves[0].bit = 0
        moves[1].bit = 1
        return 2

    def play(self, state, move):
        state.length += 1
        state.ones += move.bit

    def reset(self, state):
        pass

    def score(self, state):
        return float(state.ones)

    def verify(self, moves):
        with Path(__file__).with_name("log.txt").open("a") as log:
            log.write(f"{os.getpid()}\\n")
        return super().verify(moves)
'''

EXPERIMENT = """
from playout.study import Experiment, Solve, curve_table

def search(algorithm, **options):
    return Solve("bits.py:Bits", algorithm, options=options, compiled=False)

EXPERIMENT = Experiment("bits", "Bits", (
    curve_table(
        "1", "bits", {"random": search("random"), "nmcs": search("nmcs", level=1)}, (1, 2),
        playouts=PLAYOUTS, runs=RUNS, paper_runs=10, paper="1 1.5 2 (0.5)\\n2 3 4",
    ),
), paper="nobody")
"""


class Folder:
    """The folder, with `playout` run in it."""

    def __init__(self, path: Path, runs: int = 3, playouts: int = 8) -> None:
        self.path = path
        self.store = path / "results.sqlite"
        (path / "bits.py").write_text(PROBLEM)
        text = EXPERIMENT.replace("PLAYOUTS", str(playouts)).replace("RUNS", str(runs))
        (path / "study.py").write_text(text)
        self.environment = {**os.environ, "PLAYOUT_STORE": str(self.store), "COLUMNS": "100"}
        self.environment.pop("PLAYOUT_DATA", None)

    def start(self, *words: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "playout", *map(str, words)],
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """A command that has ended, within this process."""
        return run_here(words, self.path, self.environment)

    def reproduce(self, *words: object) -> subprocess.CompletedProcess[str]:
        return self.run("reproduce", "study.py", "--by", "playouts", *words)

    def log(self) -> list[str]:
        """A line for each run that came to its end."""
        log = self.path / "log.txt"
        return log.read_text().splitlines() if log.exists() else []
