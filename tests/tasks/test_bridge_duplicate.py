"""Deals that two declarers play in turn: those that are neither sure nor hopeless."""

from __future__ import annotations

import numpy as np
import pytest

from playout.cards.doubledummy import DoubleDummy, tricks
from playout.games import load_game
from playout.tasks.bridge_duplicate import contested

pytestmark = pytest.mark.long  # compiles the solver


@pytest.mark.parametrize("text", ["bridge:3NT,S", "bridge:4S,E", "bridge:6NT,W"])
def test_contested_deals_are_made_with_a_trick_to_spare_at_most(text):
    game = load_game(text)
    seeds = [contested(game, seed) for seed in range(1, 4)]
    assert seeds == [contested(game, seed) for seed in range(1, 4)]
    assert len(set(seeds)) == 3
    for seed in seeds:
        state = game.root(seed)[0]
        sides = tricks(
            DoubleDummy(), state.hands, int(state.leader), np.zeros(4, np.int64), 0, game.trump
        )
        declarer = 13 - sides if game.seat % 2 else sides
        assert 0 <= declarer - game.goal <= 1
