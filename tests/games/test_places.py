"""Where moves are in pictures: of every built-in game and problem, inside and told apart."""

from __future__ import annotations

import re

import numpy as np
import pytest

from playout.compiled import wrapping
from playout.games import GAMES, load_game
from playout.ggp.board_view import find_board, move_points
from playout.problems import PROBLEMS
from tests.support.game_cases import CASES

OWN_GAMES = [name for name in GAMES if not GAMES.entry(name).takes_text]
# moves without a place on the board, and of pictures that are no board
PLACELESS = {"pass", "swap"}


def size_of(picture):
    return tuple(map(float, re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', picture).groups()))


def random_game(game, seed):
    """The positions of a random game with their legal moves."""
    rng, states = np.random.default_rng(seed), game.root(seed)
    while len(legal := game.legal_moves(states[0])):
        yield states, legal
        states = states.copy()
        game.play_move(states[0], legal[rng.integers(len(legal))])


@pytest.mark.parametrize("name", [*CASES, "bridge", "jass", "jass:pool=true"])
def test_every_move_of_a_game_has_a_place_of_its_own_inside_the_picture(name):
    game = load_game(name)
    with wrapping():
        for states, legal in list(random_game(game, 5))[::3]:
            width, height = size_of(game.svg(states[0]))
            seen = set()
            for move in legal:
                places = game.where(states[0], move)
                assert places or game.move_text(states[0], move) in PLACELESS
                assert all(0 < x < width and 0 < y < height for x, y in places)
                assert places not in seen or not places
                seen.add(places)


def test_the_cases_above_are_all_games():
    assert {name.partition(":")[0] for name in [*CASES, "bridge", "jass"]} == set(OWN_GAMES)


@pytest.mark.parametrize("name", ["samegame", "tsptw", "coloring"])
def test_moves_of_problems_are_inside_the_picture(name):
    problem = PROBLEMS[name].default()
    with wrapping():
        for states, legal in list(random_game(problem, 5))[::5]:
            width, height = size_of(problem.svg(states[0]))
            for move in legal:
                ((x, y),) = problem.where(states[0], move)
                assert 0 < x < width
                assert 0 < y < height


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("tictactoe", "a1", ((42.0, 114.0),)),  # the bottom left of three rows of 36
        ("tictactoe", "c3", ((114.0, 42.0),)),
        ("connectfour", "b", ((78.0, 222.0),)),  # falls to the lowest of six rows
        ("breakthrough", "a2-b3", ((42.0, 258.0), (78.0, 222.0))),
        ("domineering", "a1-a2", ((42.0, 276.0),)),  # the middle of the domino
        ("reversi", "d3", ((150.0, 114.0),)),  # row 1 is at the top
        ("go:9x9", "A1", ((36.0, 276.0),)),
        ("go:9x9", "pass", ()),
        ("dotsandboxes:2x2", "a1-b1", ((50.0, 110.0),)),
    ],
)
def test_places_worked_out_by_hand(name, text, places):
    game = load_game(name)
    state = game.root()[0]
    assert game.where(state, game.parse_move(state, text)) == places


def test_a_tile_is_marked_where_it_is_drawn():
    problem = PROBLEMS["samegame"].default(rows=3, columns=4)
    state = problem.root()[0]
    for move in problem.legal_moves(state):
        column, row = map(int, problem.move_text(state, move).split(","))
        ((x, y),) = problem.where(state, move)
        # tiles are drawn in units of their side, inside of a margin
        assert '<g transform="translate(8 8) scale(24)">' in problem.svg(state)
        assert f"M{column}.14 {2 - row}.14h.72v.72" in problem.svg(state)
        assert (x, y) == (8 + 24 * (column + 0.5), 8 + 24 * (2 - row + 0.5))


@pytest.mark.parametrize("name", ["bridge", "jass"])
def test_a_players_picture_has_no_cards_that_he_does_not_see(name):
    game = load_game(name)
    states = game.root(3)
    whole, own = game.svg(states[0]), game.svg_for(states[0], 0)
    assert len(own) < len(whole)
    assert "cards</text>" in own
    assert "cards</text>" not in whole
    shared = states.copy()
    with wrapping():
        game.redraw(shared[0], 0, np.array([9], np.uint64))
    assert game.svg(shared[0]) != whole
    assert game.svg_for(shared[0], 0) == own


def test_moves_of_rulesheets_are_where_they_name_cells():
    cells = [("cell", str(x), str(y), mark) for x in (1, 2, 3) for y in (1, 2, 3) for mark in "xb"]
    board = find_board(cells)
    assert move_points(board, ("mark", "1", "1")) == ((42.0, 114.0),)
    assert move_points(board, ("move", "rook", "1", "1", "3", "3")) == (
        (42.0, 114.0),
        (114.0, 42.0),
    )
    assert move_points(board, ("drop", "2")) == ()
    assert move_points(board, "noop") == ()
