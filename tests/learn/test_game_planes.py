"""What a network sees of every game; `check_problem` has looked at the contract in `test_games`."""

from __future__ import annotations

import numpy as np
import pytest

from playout.games import load_game

GAMES = (
    "tictactoe",
    "connectfour:5x4",
    "breakthrough:4x5",
    "knightthrough:4x5",
    "domineering:4x3",
    "misere-breakthrough:3x4",
    "reversi:4",
    "hex:4",
    "hex:3,swap=true",
    "dotsandboxes:2x3",
    "go:3x4",
    "atarigo:4x3",
    "nogo:4x4",
)


def planes_of(game, state):
    out = np.zeros(game.plane_shape, np.float32)
    game.planes(state, out)
    return out


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore:overflow")
def test_planes_tell_positions_of_one_player_apart(name):
    game = load_game(name)
    rng, legal = np.random.default_rng(1), game.new_moves()
    by_planes = {}
    for _ in range(12):
        states = game.root()
        while n := game.moves(states[0], legal):
            planes = planes_of(game, states[0])
            assert np.abs(planes).max() <= 1
            key = int(game.key(states[0]))
            by_planes.setdefault((int(game.turn(states[0])), planes.tobytes()), set()).add(key)
            game.play(states[0], legal[rng.integers(n)].copy())
    if not name.startswith("go"):  # whose keys count the moves
        assert all(len(keys) == 1 for keys in by_planes.values())


@pytest.mark.parametrize(
    ("name", "first", "other", "reply"),
    # a pawn of the first column goes up, or down; b1 is to r what a2, the axes exchanged, is to b
    [("breakthrough:4x5", "a2a3", "b2b3", "a4a3"), ("hex:4", "b1", "d4", "a2")],
)
def test_the_second_player_sees_the_board_from_his_side(name, first, other, reply):
    game = load_game(name)
    state = game.root()
    wanted = game.output(state[0], game.parse_move(state[0], first))
    game.play(state[0], game.parse_move(state[0], other))
    assert game.output(state[0], game.parse_move(state[0], reply)) == wanted
