"""A game between a person and a search in which both choose at the same time."""

from __future__ import annotations

from playout.adapters.game_under_way import open_session
from playout.adapters.live_game import LiveGame
from playout.stop import Playouts
from tests.support.rulesheets import PENNIES, game_of


def live_pennies(folder, seat):
    game = game_of(folder, PENNIES)
    name = f"gdl:{folder / 'game.kif'}"
    session, stop = open_session(game, name, "uct", Playouts(60), seed=1, compiled=False)
    return LiveGame(game, name, game.root(), stop, session, seat)


def test_what_the_search_has_chosen_is_told_when_both_have(tmp_path):
    live = live_pennies(tmp_path, seat=1)
    live.play(live.think().record)
    assert not live.sees_last_move()
    assert live.together() == []
    live.play(live.game.parse_move(live.here(), "heads"))
    assert live.together() == [(0, live.texts()[0]), (1, "heads")]


def test_the_search_does_not_know_what_the_person_has_chosen(tmp_path):
    found = []
    for mine in ("heads", "tails"):
        live = live_pennies(tmp_path, seat=0)
        live.play(live.game.parse_move(live.here(), mine))
        result = live.think()
        assert result.player == 1
        found.append((result.move, result.value, result.simulations))
        live.play(result.record)
        assert live.together() == [(0, mine), (1, result.move)]
        assert live.rewards() is not None
    assert found[0] == found[1]
