"""A card game of one's own (`examples/whist.py`): checked, searched, found out where it leaks."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.gametree.tree_search import as_search
from tests.support.cli_shell import Shell
from tests.support.forms import long

EXAMPLE = Path(__file__).parents[2] / "examples" / "whist.py"

_spec = importlib.util.spec_from_file_location("whist_example", EXAMPLE)
whist = importlib.util.module_from_spec(_spec)
sys.modules["whist_example"] = whist
_spec.loader.exec_module(whist)


class Leaking(whist.Whist):
    """Lays all hands open to its searches."""

    def redraw(self, state, player, rng):
        return


class Forgetful(whist.Whist):
    """Deals suits to those who have shown that they have none."""

    def redraw(self, state, player, rng):
        for other in range(3):
            state.may_hold[other] = state.hands[0] | state.hands[1] | state.hands[2]
        super().redraw(state, player, rng)


def test_it_keeps_the_contract():
    report = po.check_problem(whist.Whist(), games=3, compiled=False)
    assert report.passed, str(report)


@pytest.mark.parametrize("cls", [Leaking, Forgetful])
def test_a_game_that_leaks_is_found_out(cls):
    report = po.check_problem(cls(), games=6, compiled=False)
    assert not report.passed
    assert "redraw" in str(report)


def test_a_search_that_sees_all_hands_is_refused():
    with pytest.raises(po.OptionError, match="uct sees all that is hidden in Whist: use pimc"):
        po.search(whist.Whist(), "uct", "10 playouts")


@pytest.mark.parametrize(
    "search",
    ["ismcts", "ismcts:observers=many", "pimc:worlds=3", long("alphamu:M=2,worlds=3,goal=0.375")],
)
def test_the_last_card_but_one_is_found(search):
    """The ace and the nine of a suit that nobody else has: two tricks, whatever is led first."""
    game = whist.Whist()
    states = game.root()
    state = states[0]
    state.hands[:] = [0, 0, 0]
    ace_of_spades, king_of_hearts = 12, 16 + 11
    state.hands[0] = (1 << ace_of_spades) | (1 << (16 + 7))
    state.hands[1] = (1 << (32 + 8)) | (1 << king_of_hearts)
    state.hands[2] = (1 << (48 + 9)) | (1 << (48 + 10))
    out = int(state.hands[0] | state.hands[1] | state.hands[2])
    state.may_hold[:] = out
    state.tricks[:] = [2, 2, 2]
    session = as_search(search).session(game, seed=1, compiled=False)
    session.set_position(states)
    # the ace wins a trick for certain; led second, after the nine has lost, it never does
    assert session.run(po.Playouts(60)).move == "SA"


@pytest.mark.long
def test_a_search_beats_chance_compiled():
    result = po.match(
        whist.Whist(), "ismcts", "random", "random", po.Playouts(200), games=18, seed=1
    )
    assert result.ranking()[0] == 0


# it shows that the search is under way
WATCHED = """
class Watched(Whist):
    def play(self, state, move):
        open("begun", "w").close()
        Whist.play(self, state, move)
"""


@pytest.mark.parametrize("search", ["ismcts", "pimc:worlds=2"])
def test_ctrl_c_in_a_long_search_gives_the_best_card_so_far(tmp_path, search):
    shell = Shell(tmp_path)
    shell.write("own.py", EXAMPLE.read_text() + WATCHED)
    process = shell.start(
        "analyse", "own.py:Watched", "-a", search, "--seconds", "10m", "--interpreted"
    )
    shell.wait_for("begun", process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "best       " in out or "interrupted" in err


def test_a_redrawn_hand_has_none_of_a_suit_that_was_not_followed():
    game, states = whist.Whist(), whist.Whist().root(4)
    rng, shown = np.random.default_rng(1), 0
    while len(moves := game.legal_moves(states[0])):
        game.play_move(states[0], moves[rng.integers(len(moves))])
        world = states.copy()
        with wrapping():
            game.redraw(world[0], 0, np.array([shown], np.uint64))
        for seat in range(3):
            assert not int(world[0].hands[seat]) & ~int(states[0].may_hold[seat])
            shown += int(states[0].may_hold[seat]) != int(states[0].may_hold[(seat + 1) % 3])
    assert shown
