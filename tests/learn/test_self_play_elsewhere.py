"""Games that a crew plays are those that one machine plays, whoever plays which."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import Noise
from playout.learn.policy_iteration.self_play_elsewhere import PlayingLots, SelfPlayElsewhere
from playout.workers import Threads
from tests.support.self_play_cases import PROBLEM, uniform


@pytest.mark.long
def test_a_crew_plays_the_same_games():
    whole = Games.empty(PROBLEM, np.arange(40))
    here = uniform(20)
    here.play(whole, 7)
    algorithm = PolicyMCTS(model="uniform", leaves=1, simulations=20, c_puct=5.0, revisit=True)
    recipe = PlayingLots(PROBLEM, algorithm, Noise(0.25, 0.75), 7, b"")
    games = Games.empty(PROBLEM, np.arange(40))
    games.lengths[3], games.scores[3] = whole.lengths[3], whole.scores[3]  # it is there already
    games.moves[3] = whole.moves[3]
    play = SelfPlayElsewhere(Threads(2), recipe, 2)
    assert play.play(games, lambda: False)
    for name in ("lengths", "moves", "scores"):
        assert np.array_equal(getattr(games, name), getattr(whole, name))
    assert 0 < play.playouts < here.playouts
    # told to stop after the first lot: what has ended is there, the rest is not
    again = Games.empty(PROBLEM, np.arange(40))
    assert not SelfPlayElsewhere(Threads(1), recipe, 1).play(
        again, lambda: bool((again.lengths >= 0).any())
    )
    ended = again.lengths >= 0
    assert 0 < ended.sum() < 40
    assert np.array_equal(again.moves[ended], whole.moves[ended])
