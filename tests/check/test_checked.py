"""Code that checks itself: what is built in passes, what is wrong is found, in both forms."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location

import pytest

from playout.check import check_problem
from playout.games import GAMES
from playout.problems import PROBLEMS

STEPS = """
import numpy as np
import playout as po

class Steps(po.Problem):
    def __init__(self):
        self.state_type = po.record(length="i8", seen=("i8", 4), count="i1", counts=("u1", 2))
        self.move_type = "i2"
        self.max_moves, self.max_length = 2, 300
    def reset(self, state):
        state.length = 0
    def moves(self, state, moves):
        moves[0] = {first}
        moves[1] = moves[0] + moves[0] + 1
        return 2 if state.length < 300 else 0
    def play(self, state, move):
        {play}
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


def steps(folder, play, first=0):
    """The file of a problem that plays so, with moves of which this is the first."""
    path = folder / "steps.py"
    path.write_text(STEPS.format(play=play, first=first))
    return str(path)


def test_an_index_out_of_bounds_is_found(tmp_path):
    done = run(steps(tmp_path, "state.seen[state.length] += move"), PLAYOUT_CHECKED="1")
    assert done.returncode == 1
    assert "line 17: `state.seen[state.length] += move`: IndexError: index 4 is" in done.stderr


# what has no room, where plain Python finds it, and what compiled code says
OVERFLOWS = (
    ("state.count += 1", "state.count should be 128, but its type i1", "the field count of int8"),
    ("state.counts[1] += 1", "state.counts[1] should be 256", "an array of uint8, from 0 to 255"),
    ("state.count -= 1", "state.count should be -129", "the field count of int8"),
)


@pytest.mark.parametrize(("play", "plain", "compiled"), OVERFLOWS)
def test_a_number_without_room_is_found(tmp_path, play, plain, compiled):
    file = steps(tmp_path, play)
    spec = spec_from_file_location("steps", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    report = check_problem(module.Steps(), games=1, compiled=False)
    assert plain in str(report)
    assert "play() writes a number that has no room" in str(report)
    if play == OVERFLOWS[0][0]:  # one process shows that it is compiled
        done = run(file, PLAYOUT_CHECKED="1")
        assert f"OverflowError: a number has no room in {compiled}" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(("play", "plain", "compiled"), OVERFLOWS[1:])
def test_a_number_without_room_is_found_compiled(tmp_path, play, plain, compiled):
    done = run(steps(tmp_path, play), PLAYOUT_CHECKED="1")
    assert f"OverflowError: a number has no room in {compiled}" in done.stderr


def test_a_move_without_room_is_found(tmp_path):
    file = steps(tmp_path, "state.seen[0] += move", first=20_000)
    done = run("-m", "playout", "check", f"{file}:Steps", "--interpreted", "--games", "1")
    assert done.returncode == 1
    assert "moves() writes a number that has no room" in done.stdout
    assert "move[1] should be 40001, but its type i2" in done.stdout


def test_what_is_as_wide_as_it_may_be_wraps_round(tmp_path):
    """Hashes are meant to."""
    play = (
        "state.length ^= np.int64(1) << np.int64(63); state.length ^= np.int64(1) << np.int64(63)"
    )
    done = run(
        "-m", "playout", "check", f"{steps(tmp_path, play)}:Steps", "--games", "1", "--interpreted"
    )
    assert done.returncode == 0, done.stdout


def test_the_command_checks_on_demand():
    done = run("-m", "playout", "check", "maximum", "--games", "2", "--checked")
    assert (done.returncode, done.stderr) == (0, "")


# of games on boards of any size a small one: more of its squares are at an edge
SMALL = {name: f"{name}:5x5" for name in ("atarigo", "go", "hex", "nogo")}


# misere forms are the same classes
OTHERS = {"arcade", "gdl", "gymnasium", "openspiel"} | {n for n in GAMES if n.startswith("misere-")}
BUILT_IN = sorted({*PROBLEMS, *GAMES} - OTHERS)
ALL_OF_THEM = """
import sys
from playout.cli import main
for name in sys.argv[1:]:
    assert main(["check", name, "--games", "5", "--checked"]) == 0
"""


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_what_is_built_in_passes(part):
    """Several in a process: what they share is compiled once."""
    names = [name for name in BUILT_IN[part::4] if name != "inversefolding" or find_spec("RNA")]
    done = run("-c", ALL_OF_THEM, *(SMALL.get(name, name) for name in names), PLAYOUT_CHECKED="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": passed (5 games") == len(names)
