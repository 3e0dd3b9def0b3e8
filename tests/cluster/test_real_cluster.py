"""A real cluster: the same bits as on threads, whatever becomes of the nodes."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.algorithms import ALGORITHMS
from playout.errors import ProblemError
from tests.cluster.conftest import needs_ray

pytestmark = [
    pytest.mark.long,
    needs_ray,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning"),
]

QUICK = dict(seed=3, workers=2, compiled=False)


def bits(path: Path) -> dict[str, bytes]:
    """All that the searches of a checkpoint know."""
    with np.load(path) as archive:
        return {name: archive[name].tobytes() for name in archive.files if name != "header"}


def both(tmp_path, *what, meanwhile=None, **how):
    """A run on threads and one on nodes: equal in every byte."""
    here = po.solve(*what, checkpoint=tmp_path / "here", **how)
    if meanwhile is not None:
        threading.Thread(target=meanwhile, daemon=True).start()
    there = po.solve(*what, checkpoint=tmp_path / "there", cluster="auto", **how)
    assert (there.score, there.moves, there.playouts) == (here.score, here.moves, here.playouts)
    assert there.counters == here.counters
    assert [point[1:] for point in there.curve] == [point[1:] for point in here.curve]
    assert bits(tmp_path / "there") == bits(tmp_path / "here")
    return here, there


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "policy-mcts"])
def test_every_algorithm_is_the_same_bits(connected, tmp_path, name):
    both(tmp_path, "maximum:n=12", name, "150 playouts", **QUICK)


def test_a_node_is_killed_and_another_joins(connected, tmp_path):
    """Compiled, with machine code that came from here."""
    before = list(connected.nodes)[-1]

    def meanwhile():
        connected.add()
        time.sleep(4.0)
        connected.kill(before)

    board = "samegame:rows=8,columns=8"
    what = board, "gnrpa:level=2", "250000 playouts"
    _, there = both(tmp_path, *what, meanwhile=meanwhile, seed=1, workers=2)
    assert before not in connected.nodes
    assert there.verified


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


def test_a_checkpoint_goes_from_here_to_there_and_back(connected, tmp_path):
    path, what = tmp_path / "run", ("maximum:n=12", "nrpa:level=2")
    whole = po.solve(*what, "3000 playouts", **QUICK)
    po.solve(*what, "1000 playouts", **QUICK, checkpoint=path)
    po.solve(*what, "2000 playouts", **QUICK, checkpoint=path, cluster="auto")
    last = po.solve(*what, "3000 playouts", **QUICK, checkpoint=path)
    assert last.moves == whole.moves
