"""What a search thinks of a position, as one call."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import playout as po
from playout.adapters.analysis import analyse
from playout.errors import PlayoutError

pytestmark = pytest.mark.long  # each compiles a search of its own

POSITION = "xx./oo./... x"


@pytest.mark.long
def test_a_win_in_one() -> None:
    found = analyse("tictactoe", "uct:solver=true", po.Playouts(500), state=POSITION, seed=1)
    assert (found.result.move, found.result.proven, found.interrupted) == ("c3", True, False)
    assert "c3" in [branch.move for branch in found.top]
    text = str(found)
    assert text.startswith(found.board)
    assert "best       c3, proven 1.000 for player 1" in text
    assert found.svg().startswith("<svg")
    assert found.dot().startswith("digraph")
    assert "c3" in [branch["move"] for branch in found.to_json()["tree"]]


@pytest.mark.long
def test_objects_as_well() -> None:
    game = po.games.TicTacToe()
    state = game.read_position(POSITION)
    before = state.copy()
    one = analyse(game, "uct", po.Playouts(300), state=state, seed=1)
    other = analyse("tictactoe", "uct", po.Playouts(300), state=POSITION, seed=1)
    assert one.top == other.top
    assert np.array_equal(state, before)
    assert (one.game, other.game) == ("TicTacToe", "tictactoe")


def test_how_much_is_shown() -> None:
    found = analyse("tictactoe", "uct", po.Playouts(2000), depth=2, width=4, seed=1)
    assert len(found.top) == 4
    assert all(len(branch.branches) <= 4 for branch in found.top)
    assert not any(leaf.branches for branch in found.top for leaf in branch.branches)


def test_ctrl_c_ends_it_with_what_was_found() -> None:
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = []

    def look(progress: po.Progress) -> None:
        if not told:
            os.kill(os.getpid(), signal.SIGINT)
        told.append(progress)

    try:
        found = analyse("tictactoe", "uct", po.Seconds(600), progress=look, seed=1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.interrupted
    assert found.result.simulations > 0


def test_refused() -> None:
    with pytest.raises(PlayoutError, match="did you mean"):
        analyse("tictacto")
    with pytest.raises(PlayoutError, match="uct"):
        analyse("tictactoe", "ucd")
