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


class Noting:
    """A crew that does nothing but note what it is given."""

    def each(self, recipe, items):
        self.lots = [list(item.numbers) for item in items]
        yield from ()


def test_lots_of_games_with_a_policy_do_not_depend_on_the_workers():
    def lots(workers, over=()):
        games, crew = Games.empty(PROBLEM, np.arange(100)), Noting()
        games.lengths[list(over)] = 5
        recipe = PlayingLots(PROBLEM, PolicyMCTS(model="-"), Noise(0.0, 1.0), 7, b"a policy")
        SelfPlayElsewhere(crew, recipe, workers).play(games, lambda: False)
        return crew.lots

    assert lots(1) == lots(7) == [list(range(i, min(i + 3, 100))) for i in range(0, 100, 3)]
    assert lots(2, over=[0, 1, 2, 6, 7, 8]) == [lot for lot in lots(1) if lot[0] not in (0, 6)]
    assert lots(2, over=range(100)) == []


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
