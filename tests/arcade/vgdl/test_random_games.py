"""Random descriptions of every word: refused in one line, or played the same by both engines.

The one looks up by cells what cannot move; the other simulates every type and tests all pairs.
"""

from __future__ import annotations

import random

import pytest

from playout.errors import PlayoutError
from tests.support.forms import long
from tests.support.vgdl_games import vgdl
from tests.support.vgdl_random import LEVEL, random_description


def everything(game, state):
    return game.sprites(state), int(state.score), int(state.ended), int(state.luck[0])


@pytest.mark.parametrize(("seed", "games"), [(1, 12), long(2, 120)])
def test_random_games_are_the_same_without_shortcuts(seed, games):
    rng = random.Random(seed)
    played = 0
    while played < games:
        text = random_description(rng, paths=games > 50)
        try:
            quick, naive = vgdl(text, LEVEL), vgdl(text, LEVEL, shortcuts=False)
            one, other = quick.java_root(seed)[0], naive.java_root(seed)[0]
            while len(legal := quick.legal_moves(one)):
                move = legal[rng.randrange(len(legal))]
                quick.play_move(one, move)
                naive.play_move(other, move)
                assert everything(quick, one) == everything(naive, other), text
        except PlayoutError as error:
            refused = str(error)
        else:
            refused = ""
            played += 1
        assert "\n" not in refused
