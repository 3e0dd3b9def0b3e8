"""A real cluster: the same bits as on threads, whatever becomes of the nodes."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

import numpy as np
import pytest

import playout as po
from bench.machines import Machines
from playout.errors import ProblemError
from tests.cluster.conftest import needs_ray

pytestmark = [
    pytest.mark.long,
    needs_ray,
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning",
        "ignore::FutureWarning",
    ),
]

QUICK = dict(seed=3, workers=2, compiled=False)


def bits(path: Path) -> dict[str, bytes]:
    """All that the searches of a checkpoint know."""
    with np.load(path) as archive:
        return {name: archive[name].tobytes() for name in archive.files if name != "header"}


def both(tmp_path, *what, **how):
    """A run on threads and one on nodes: equal in every byte."""
    here = po.solve(*what, checkpoint=tmp_path / "here", **how)
    there = po.solve(*what, checkpoint=tmp_path / "there", cluster="auto", **how)
    assert (there.score, there.moves, there.playouts) == (here.score, here.moves, here.playouts)
    assert there.counters == here.counters
    assert [point[1:] for point in there.curve] == [point[1:] for point in here.curve]
    assert bits(tmp_path / "there") == bits(tmp_path / "here")
    return here, there


def test_it_is_the_same_bits(connected, tmp_path):
    """Of one algorithm; the others are in test_node_hands.py, in this process."""
    both(tmp_path, "maximum:n=12", "gnrpa:level=2", "150 playouts", **QUICK)


def test_print_stays_pythons_own(connected):
    """What Ray puts in its place cannot be compiled."""
    assert isinstance(print, types.BuiltinFunctionType)


def test_a_node_is_killed_and_another_joins(connected, tmp_path):
    """Compiled, with machine code that came from here; the node is one that searches."""
    import ray

    from bench.cluster import bits

    what = "samegame", "gnrpa:level=2", "60000 playouts"
    here = po.Search(*what, seed=1, workers=2)
    result = here.run()
    there = po.Search(*what, seed=1, workers=2, cluster="auto")
    killed: list[str] = []

    def look(progress):
        places = [place for one in there._run.hands._remotes for place in one.places]
        if not killed and progress.playouts > 2000 and all(place.node for place in places):
            killed.append(places[-1].node)
            connected.kill(connected.name_of(ray.nodes(), killed[0]))
            connected.add()

    assert there.run(look).moves == result.moves
    assert [why for _, _, why in there._run.hands.moved]
    assert bits(there) == bits(here)


OWN = """
import playout as po
from weights import WEIGHTS, worth


class Sack(po.Problem):
    fields = ("weights",)

    def __init__(self):
        self.weights = WEIGHTS
        self.state_type = po.record(taken="i8", weight="i8", value="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, 10

    def reset(self, state):
        pass

    def moves(self, state, moves):
        if state.taken == 10:
            return 0
        moves[0], moves[1] = 0, 1
        return 2 if state.weight + self.weights[state.taken] <= 100 else 1

    def play(self, state, move):
        if move == 1:
            state.weight += self.weights[state.taken]
            state.value += worth(state.taken)
        state.taken += 1

    def score(self, state):
        return float(state.value)
"""

NEIGHBOUR = """
import numpy as np
from playout.compiled import helper

WEIGHTS = np.array([23, 31, 29, 44, 53, 38, 63, 85, 89, 82])


@helper
def worth(item):
    return (item * 37 + 11) % 50 + 20
"""

BROKEN = OWN.replace("state.value += worth(state.taken)", "state.value += 1 // (state.weight * 0)")


def test_a_file_of_the_users_own_and_its_neighbour_travel(connected, tmp_path, monkeypatch):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "weights.py").write_text(NEIGHBOUR)
    (folder / "sack.py").write_text(OWN)
    (folder / "broken.py").write_text(BROKEN)
    monkeypatch.chdir(folder)
    here, there = both(tmp_path, "sack.py:Sack", "nmcs", "300 playouts", **QUICK)
    assert there.verified
    assert here.score > 0
    compared = [
        po.compare("sack.py:Sack", ["random", "nmcs"], "50 playouts", runs=3, cluster=cluster)
        for cluster in (None, "auto")
    ]
    assert compared[0].rows() == compared[1].rows()
    with pytest.raises(ProblemError, match=r"broken.py, line 27.*divide by zero"):
        po.solve("broken.py:Sack", "random", "20 playouts", compiled=False, cluster="auto")


def test_a_match_and_its_transcript(connected, tmp_path):
    match = dict(games=12, simulations=30, seed=4, compiled=False)
    here = po.match("tictactoe", "uct", "random", **match)
    there = po.match("tictactoe", "uct", "random", **match, cluster="auto", workers=2)
    assert [game.moves for game in there.transcript] == [game.moves for game in here.transcript]


def test_a_proof_by_jobs(connected):
    """Compiled, with machine code that came from here."""
    here = po.prove("domineering:5x5", "jlpn:job=1000", workers=2)
    there = po.prove("domineering:5x5", "jlpn:job=1000", workers=2, cluster="auto")
    assert (there.value, there.nodes) == (here.value, here.nodes)
    assert there.variation == here.variation


def test_a_checkpoint_goes_from_here_to_there_and_back(connected, tmp_path):
    path, what = tmp_path / "run", ("maximum:n=12", "nrpa:level=2")
    whole = po.solve(*what, "3000 playouts", **QUICK)
    po.solve(*what, "1000 playouts", **QUICK, checkpoint=path)
    po.solve(*what, "2000 playouts", **QUICK, checkpoint=path, cluster="auto")
    last = po.solve(*what, "3000 playouts", **QUICK, checkpoint=path)
    assert last.moves == whole.moves


# the command line, in processes of its own


def command(*words, **environment):
    """What a command says and ends with; Ray's own settings are those that are given."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return subprocess.run(
        [sys.executable, "-m", "playout", *words],
        env={**clean, "HOME": "/nonexistent", **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


SMALL = ("solve", "maximum", "-p", "n=9", "-a", "random", "--playouts", "20", "--interpreted")


def test_bad_input_is_one_line(machines, tmp_path):
    (tmp_path / "ray.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    address = machines.address
    told = {
        "needs Ray: pip install 'playout[cluster]'": {"PYTHONPATH": path},
        "asks for a token": {},
        "does not take this token": {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "no"},
    }
    for says, environment in told.items():
        ended = command(*SMALL, "--cluster", address, **environment)
        assert ended.returncode == 2, ended.stderr
        assert says in ended.stderr
        assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_at_the_head_loses_nothing_and_leaves_nothing(connected, tmp_path, number, code):
    """There is a whole checkpoint to go on from; the nodes' CPUs are free again."""
    import ray

    words = ["solve", "maximum", "-p", "n=30", "-a", "nrpa", "-o", "level=2", "--seed", "3"]
    words += ["--workers", "2", "--interpreted", "--checkpoint", str(tmp_path / "run")]
    words += ["--cluster", connected.address]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    head = subprocess.Popen(
        [sys.executable, "-m", "playout", *words, "--seconds", "1h", "--events", "-"],
        env={**clean, **connected.tokens()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert head.stdout is not None
    for line in head.stdout:  # it searches
        if '"improved"' in line:
            break
    head.send_signal(number)
    _, errors = head.communicate(timeout=120)
    assert head.returncode == code, errors
    with np.load(tmp_path / "run") as archive:
        assert len(archive.files) > 2
    end = time.monotonic() + 60
    while ray.available_resources().get("CPU", 0) < 2:
        assert time.monotonic() < end, "a worker is still there"
        time.sleep(0.05)


def test_an_open_cluster_is_refused_unless_it_is_named_so():
    with Machines(0, token=None) as found:
        ended = command(*SMALL, "--cluster", found.address)
        assert ended.returncode == 2
        assert "asks for no token" in ended.stderr
        ended = command(*SMALL, "--cluster", f"open:{found.address}")
        assert "the cluster has no CPU" in ended.stderr


def test_a_cluster_of_this_machine_alone_leaves_nothing():
    with tempfile.TemporaryDirectory(prefix="pl-", dir="/tmp") as folder:
        ended = command(*SMALL, "--cluster", "local", "--workers", "2", TMPDIR=folder)
        assert ended.returncode == 0, ended.stderr
        assert not list(Path(folder).iterdir())


def left_of(folder):
    """The commands of processes that have a folder in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.encode() in (place / "environ").read_bytes():
                found.append((place / "cmdline").read_bytes())
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_cluster_of_this_machine_alone_that_is_ended_while_it_starts_leaves_nothing():
    words = ["solve", "maximum", "-p", "n=9", "-a", "nrpa", "--interpreted", "--seconds", "1h"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    with tempfile.TemporaryDirectory(prefix="pl-", dir="/tmp") as folder:
        head = subprocess.Popen(
            [sys.executable, "-m", "playout", *words, "--cluster", "local"],
            env={**clean, "HOME": "/nonexistent", "TMPDIR": folder},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + 120
        while not any(b"raylet" in line for line in left_of(folder)):
            assert head.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        head.send_signal(signal.SIGTERM)
        _, errors = head.communicate(timeout=120)
        assert head.returncode == 143
        assert errors.count("\n") <= 1
        assert not left_of(folder)
        assert not list(Path(folder).iterdir())


def rows_of(store):
    """The runs of a store: algorithm, seed and score."""
    with contextlib.closing(sqlite3.connect(store)) as opened:
        return sorted(opened.execute("SELECT cell, seed, score FROM runs").fetchall())


def test_head_and_node_are_killed_and_no_run_is_lost_or_done_twice(machines, tmp_path):
    words = ["compare", "maximum", "-p", "n=25", "-a", "random", "-a", "nmcs", "--playouts", "150"]
    words += ["--runs", "8", "--interpreted", "--quiet", "--workers", "2"]
    here, there = tmp_path / "here", tmp_path / "there"
    assert command(*words, "--store", str(here)).returncode == 0
    on_nodes = [*words, "--store", str(there), "--cluster", machines.address]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    head = subprocess.Popen(
        [sys.executable, "-m", "playout", *on_nodes],
        env={**clean, **machines.tokens()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 90
    while time.monotonic() < end and head.poll() is None:
        time.sleep(0.05)
        if there.exists():
            with contextlib.suppress(sqlite3.OperationalError):
                if len(rows_of(there)) >= 3:
                    break
    head.kill()
    head.wait()
    machines.kill(list(machines.nodes)[-1])
    machines.await_node(machines.add())
    finished = rows_of(there)
    assert 3 <= len(finished) < 16
    ended = command(*on_nodes, **machines.tokens())
    assert ended.returncode == 0, ended.stderr
    assert rows_of(there) == rows_of(here)
    assert set(finished) <= set(rows_of(there))
