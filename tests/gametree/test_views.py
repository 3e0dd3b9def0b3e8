"""`run(view=)`: what was found so far is shown between steps, and the search stays the same."""

from __future__ import annotations

import pytest

from playout.games import load_game
from playout.gametree.tree_search import as_search
from playout.stop import Asked, Playouts

CASES = [
    ("tictactoe", "uct"),
    ("tictactoe", "grave"),
    ("tictactoe", "openloop"),
    pytest.param("jass", "ismcts", marks=pytest.mark.long),
    pytest.param("jass", "pimc:worlds=3", marks=pytest.mark.long),
    pytest.param("bridge:3NT,S", "alphamu:M=1,worlds=3", marks=pytest.mark.long),
]


def searched(game, search, compiled, **looks):
    session = as_search(search).session(load_game(game), seed=1, compiled=compiled)
    session.set_position()
    return session.run(Playouts(60), **looks)


@pytest.mark.parametrize(("game", "search"), CASES)
def test_a_view_is_a_result_on_the_way_and_changes_nothing(game, search):
    compiled, views = game != "tictactoe", []
    bare = searched(game, search, compiled)
    seen = searched(game, search, compiled, view=views.append, every=0.0)
    assert views
    found = [[(row.move, row.visits, row.value) for row in r.moves] for r in (bare, seen)]
    assert found[0] == found[1]
    counts = [view.simulations for view in views]
    assert counts == sorted(counts)
    assert 0 < counts[0] <= counts[-1] <= seen.simulations
    for view in views:
        assert (view.game, view.position) == (seen.game, seen.position)
        assert {row.move for row in view.moves} == {row.move for row in seen.moves}


def test_views_come_every_so_many_seconds():
    views = []
    searched("tictactoe", "uct", False, view=views.append, every=60.0)
    assert not views


def test_a_view_may_end_the_search():
    asked, session = Asked(), as_search("uct").session(load_game("tictactoe"), compiled=False)
    result = session.run(Playouts(10**9) | asked, view=lambda view: asked.come(), every=0.01)
    assert 0 < result.simulations < 10**9
