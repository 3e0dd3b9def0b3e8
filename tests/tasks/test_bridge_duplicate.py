"""Deals that two declarers play in turn: whose cards count, and which are contested."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from playout.cards.doubledummy import DoubleDummy, tricks
from playout.games import load_game
from playout.tasks.bridge_duplicate import contested, play_deal


class Lowest:
    """A search over worlds in name: it plays the first of the legal cards."""

    def __init__(self, game):
        self.game = game

    def reset(self, seed):
        """Nothing is kept."""

    def set_position(self, position):
        self.move = self.game.legal_moves(position[0])[0]

    def run(self, stop):
        return SimpleNamespace(record=self.move)

    def questions(self):
        return 1


def test_the_defence_does_not_count_as_declarer_where_both_are_one_session():
    game = load_game("bridge:3NT,S")
    one, other = Lowest(game), Lowest(game)
    apart, shared = play_deal(game, 1, one, other), play_deal(game, 1, one, one)
    assert shared.cards == apart.cards
    assert 0 < shared.searched == apart.searched <= 26
    assert shared.questions == apart.questions


@pytest.mark.long  # compiles the solver
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
