"""Compiled code that checks every index: what is built in passes, what is wrong is found."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from playout.games import GAMES
from playout.problems import PROBLEMS

OUT_OF_BOUNDS = """
import playout as po

class Steps(po.Problem):
    def __init__(self):
        self.state_type = po.record(length="i8", seen=("i8", 4))
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, 8
    def reset(self, state):
        state.length = 0
    def moves(self, state, moves):
        moves[0], moves[1] = 0, 1
        return 2 if state.length < 8 else 0
    def play(self, state, move):
        state.seen[state.length] += move  # which has room for 4
        state.length += 1
    def score(self, state):
        return float(state.seen[0])

if __name__ == "__main__":
    po.solve(Steps(), "random", "50 playouts", seed=1)
"""


def run(*words, **more):
    environment = dict(os.environ, **more)
    return subprocess.run(
        [sys.executable, *words], text=True, capture_output=True, env=environment, check=False
    )


def test_an_index_out_of_bounds_is_found(tmp_path):
    path = tmp_path / "steps.py"
    path.write_text(OUT_OF_BOUNDS)
    done = run(str(path), PLAYOUT_CHECKED="1")
    assert done.returncode == 1
    assert "IndexError: index is out of bounds" in done.stderr


def test_the_command_checks_on_demand():
    done = run("-m", "playout", "check", "maximum", "--games", "2", "--checked")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({*PROBLEMS, *GAMES} - {"gdl", "openspiel"}))
def test_what_is_built_in_passes(name):
    if name == "inversefolding":
        pytest.importorskip("RNA")
    done = run("-m", "playout", "check", name, "--games", "5", "--checked")
    assert done.returncode == 0, done.stdout + done.stderr
