"""Moves that show more than themselves: what they will show is not known to who makes them."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled.random import random_below
from tests.support.forms import long

SURE = 2


class Doors(po.Game):
    """A prize behind one of two doors: open one and see, or take what is sure.

    The other player has nothing to do but to end the game. To open a door wins half of the time, so
    it is worth 0.5 and what is sure is worth 0.6.
    """

    hidden = True

    def __init__(self) -> None:
        self.state_type = po.record(prize="i8", opened="i8", moved="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 3, 2

    def reset(self, state):
        state.opened = -1

    def draw(self, state, rng):
        self.reset(state)
        self.redraw(state, 0, rng)

    def redraw(self, state, player, rng):
        if state.opened < 0 or state.opened == SURE:
            state.prize = random_below(rng, 2)

    def view(self, state, player):
        opened = state.opened == 0 or state.opened == 1
        return np.int64(
            16 * state.moved + 4 * (state.opened + 1) + (state.prize + 1 if opened else 0)
        )

    def seen(self, state, move, player):
        return np.uint64(2 * move + (state.moved == 0 and state.prize == move))

    def turn(self, state):
        return state.moved % 2

    def moves(self, state, moves):
        if state.moved == 2:
            return 0
        for move in range(3):
            moves[move] = move
        return 3 if state.moved == 0 else 1

    def play(self, state, move):
        if state.moved == 0:
            state.opened = move
        state.moved += 1

    def reward(self, state, player):
        worth = 0.6
        if state.opened != SURE:
            worth = 1.0 if state.opened == state.prize else 0.0
        return worth if player == 0 else 1.0 - worth


def test_it_keeps_the_contract():
    report = po.check_problem(Doors(), games=10, compiled=False)
    assert report.passed, str(report)
    assert not report.notes


@pytest.mark.parametrize("compiled", [False, long(True)])
@pytest.mark.parametrize("search", ["ismcts", "ismcts:observers=many", "openloop"])
def test_a_move_is_worth_what_it_is_worth_before_it_is_seen(search, compiled):
    found = po.search(Doors(), search, po.Playouts(400), seed=1, compiled=compiled)
    assert found.move == str(SURE)
    assert sum(row.visits for row in found.moves) == 400
    for row in found.moves:
        assert row.value < 0.65


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figures_do_not_depend_on_the_world_that_stands_for_the_position(seed):
    """The deal of any seed is searched alike: the prize is somewhere else."""
    rows = []
    for prize in range(2):
        state = Doors().root(seed)
        state[0].prize = prize
        found = po.search(
            Doors(), "ismcts", po.Playouts(200), seed=seed, state=state, compiled=False
        )
        rows.append([(row.move, row.visits, row.value) for row in found.moves])
    assert rows[0] == rows[1]


def test_alpha_mu_says_why_it_cannot_search_it():
    with pytest.raises(po.OptionError, match=r"show no more than themselves: Doors has a seen\(\)"):
        po.search(Doors(), "alphamu", po.Playouts(10), compiled=False)
