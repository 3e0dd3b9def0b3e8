"""Single rules of single games: lines, captures, blocks, stuck players, features, symmetry."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from playout.games import Breakthrough, ConnectFour, Domineering, Knightthrough, TicTacToe
from tests.support.plain_games import legal_texts


def after(game, line, *texts):
    """A position, read and then played on."""
    states = game.read_position(line)
    for text in texts:
        game.play(states[0], game.parse_move(states[0], text))
    return states[0]


def rewards(game, state):
    assert game.moves(state, game.new_moves()) == 0
    return [game.reward(state, player) for player in range(2)]


# tic-tac-toe


def test_tictactoe_positions_and_those_that_differ_by_more_than_symmetry():
    """5,478 positions, 765 up to symmetry; 138 finished ones: 91 for x, 44 for o, 3 drawn."""
    game = TicTacToe()
    seen = {game.position_text(game.root()[0]): game.root()}
    new = list(seen.values())
    moves = game.new_moves()
    while new:
        states = new.pop()
        for i in range(game.moves(states[0], moves)):
            later = states.copy()
            game.play(later[0], moves[i])
            text = game.position_text(later[0])
            if text not in seen:
                seen[text] = later
                new.append(later)
    assert len(seen) == 5478
    out = game.new_states(1)
    classes = {}
    with np.errstate(over="ignore"):
        for states in seen.values():
            keys = []
            for symmetry in range(game.symmetries):
                game.transform(states[0], symmetry, out[0])
                keys.append(int(game.key(out[0])))
            classes.setdefault(min(keys), states)
    assert len(classes) == 765
    ends = [s for s in classes.values() if game.moves(s[0], moves) == 0]
    results = [game.reward(s[0], 0) for s in ends]
    assert [results.count(value) for value in (1.0, 0.0, 0.5)] == [91, 44, 3]


# Connect Four


@pytest.mark.parametrize("size", [(7, 6), (4, 4), (8, 7), (4, 15), (12, 4)])
def test_connectfour_sees_every_line_and_none_that_goes_round_an_edge(size):
    game = ConnectFour(*size)
    cells = [(x, y) for x in range(size[0]) for y in range(size[1])]

    def word(stones):
        return np.uint64(sum(1 << game._bit_of(y * size[0] + x) for x, y in stones))

    lines = [
        line
        for (x, y), (dx, dy) in itertools.product(cells, ((1, 0), (0, 1), (1, 1), (1, -1)))
        if (line := {(x + i * dx, y + i * dy) for i in range(4)}) <= set(cells)
    ]
    rng = np.random.default_rng(1)
    for line in lines:
        assert game._has_four(word(line))
        assert not any(game._has_four(word(line - {cell})) for cell in line)
    for _ in range(200):
        stones = {cell for cell in cells if rng.random() < 0.5}
        assert game._has_four(word(stones)) == any(line <= stones for line in lines)


def test_connectfour_full_columns_and_numbers_for_columns():
    game = ConnectFour(5, 4)
    state = after(game, "o4/x4/o4/x4 x", "2", "B")
    assert game.position_text(state) == "o..../x..../oo.../xx... x"
    assert sorted(legal_texts(game, state)) == ["b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("line", "move", "expected"),
    [
        ("5/5/ooo2/xxx2 x", "d", [1.0, 0.0]),
        ("5/5/xxx2/ooox. o", "e", None),
        ("o4/o4/xo3/xxxo. x", "e", None),
        ("5/o4/o3x/oxx.x o", "a", [0.0, 1.0]),
        ("xxo1x/oxoxo/oxoxx/xoxoo o", "d", [0.5, 0.5]),
    ],
)
def test_connectfour_ends(line, move, expected):
    game = ConnectFour(5, 4)
    state = after(game, line, move)
    if expected is None:
        assert game.moves(state, game.new_moves())
    else:
        assert rewards(game, state) == expected


# Breakthrough and Knightthrough


def test_breakthrough_moves_by_hand():
    """Straight on only to an empty cell, diagonally also onto an enemy; nobody goes round."""
    game = Breakthrough(4, 5)
    state = after(game, "4/1b2/b1b1/ww1w/4 w")
    assert sorted(legal_texts(game, state)) == [
        "a2-b3",
        "b2-b3",
        "b2xa3",
        "b2xc3",
        "d2-d3",
        "d2xc3",
    ]
    state = after(game, "4/1b2/b1b1/ww1w/4 b")
    assert sorted(legal_texts(game, state)) == [
        "a3xb2",
        "b4-b3",
        "c3-c2",
        "c3xb2",
        "c3xd2",
    ]


def test_knightthrough_moves_by_hand():
    game = Knightthrough(5, 6)
    state = after(game, "5/b3b/1b1b1/5/w1w2/5 w")
    assert sorted(legal_texts(game, state)) == [
        "a2-c3",
        "a2xb4",
        "c2-a3",
        "c2-e3",
        "c2xb4",
        "c2xd4",
    ]
    state = after(game, "5/b3b/5/2w2/w3w/5 b")
    assert sorted(legal_texts(game, state)) == [
        "a5-b3",
        "a5-c4",
        "e5-c4",
        "e5-d3",
    ]


@pytest.mark.parametrize("game_class", [Breakthrough, Knightthrough])
@pytest.mark.parametrize("misere", [False, True])
def test_taking_the_last_piece_ends_the_game_for_both_players(game_class, misere):
    game = game_class(5, 5, misere=misere)
    target = "b3" if game_class is Breakthrough else "c3"
    column = ".b..." if game_class is Breakthrough else "..b.."
    state = after(game, f"5/5/{column}/w4/5 w".replace(".....", "5"), f"a2x{target}")
    assert rewards(game, state) == ([0.0, 1.0] if misere else [1.0, 0.0])
    state = after(game, f"5/b4/{column.replace('b', 'w')}/5/5 b", f"a4x{target}")
    assert rewards(game, state) == ([1.0, 0.0] if misere else [0.0, 1.0])


@pytest.mark.parametrize("misere", [False, True])
def test_a_stuck_player_loses(misere):
    """On three columns a knight in the middle of the last row but one has nowhere to go."""
    game = Knightthrough(3, 6, misere=misere)
    state = after(game, "3/1w1/3/3/b2/3 w")
    assert rewards(game, state) == ([1.0, 0.0] if misere else [0.0, 1.0])
    state = after(game, "3/w2/3/3/1b1/3 b")
    assert rewards(game, state) == ([0.0, 1.0] if misere else [1.0, 0.0])


def test_races_read_moves_with_any_sign_between_the_cells():
    game = Breakthrough(4, 5)
    state = after(game, "4/1b2/b1b1/ww1w/4 w")
    for text in ("b2xa3", "b2-a3", "b2a3", "B2 A3", " b2 x a3"):
        assert game.move_text(state, game.parse_move(state, text)) == "b2xa3"


def test_features_of_races_are_captures():
    game = Breakthrough(4, 5)
    state = after(game, "4/1b2/b1b1/ww1w/4 w")
    for text, move in legal_texts(game, state).items():
        assert game.features(state, move) == int("x" in text)


def test_codes_tell_players_and_moves_apart():
    for game in (Breakthrough(), Knightthrough(), Domineering(), ConnectFour()):
        codes, moves = {}, game.new_moves()
        for seed in range(5):
            rng, states = np.random.default_rng(seed), game.root()
            while n := game.moves(states[0], moves):
                for i in range(n):
                    what = int(states[0].player), moves[i].tobytes()
                    assert codes.setdefault(int(game.code(states[0], moves[i])), what) == what
                game.play(states[0], moves[rng.integers(n)].copy())


# Domineering


def first_player_wins(game, states, known):
    """Whether the player to move wins, by looking at everything."""
    out = game.new_states(1)
    key = int(game.key(states[0]))
    if key not in known:
        moves = game.new_moves()
        wins = False
        n = game.moves(states[0], moves)
        if n == 0:
            wins = game.reward(states[0], game.turn(states[0])) == 1.0
        for i in range(n):
            later = states.copy()
            game.play(later[0], moves[i])
            if not first_player_wins(game, later, known):
                wins = True
                break
        for symmetry in range(game.symmetries):
            game.transform(states[0], symmetry, out[0])
            known[int(game.key(out[0]))] = wins
    return known[key]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((1, 1), "second"),
        ((2, 2), "first"),
        ((3, 3), "first"),
        ((4, 4), "first"),
        ((5, 4), "first"),
        ((4, 5), "second"),
        ((1, 4), "first"),
        ((4, 1), "second"),
        ((3, 2), "first"),
        ((2, 3), "first"),
    ],
)
def test_domineering_is_won_by_whom_it_is_known_to_be(size, expected):
    """D. Breuker, J. Uiterwijk and J. van den Herik, Solving 8x8 Domineering, 2000."""
    game = Domineering(*size)
    with np.errstate(over="ignore"):
        assert first_player_wins(game, game.root(), {}) == (expected == "first")


def test_domineering_features_are_the_cells_beside_the_domino():
    """Bits 0 to 5: before and behind, then one side, then the other; off the board counts."""
    game = Domineering(4, 4)
    state = after(game, "4/1v2/1v2/hh2 v")
    moves = legal_texts(game, state)
    # below, above, left of the lower and the upper cell, right of them
    assert game.features(state, moves["c1-c2"]) == 0b001101
    assert game.features(state, moves["d2-d3"]) == 0b110000
    assert game.features(state, moves["a3-a4"]) == 0b011110
    state = after(game, "4/1v2/1v2/4 h")
    assert game.features(state, legal_texts(game, state)["c3-d3"]) == 0b000011


def test_keys_of_domineering_do_not_tell_who_covered_a_cell():
    game = Domineering(4, 4)
    with np.errstate(over="ignore"):
        key = game.key(after(game, "4/4/vvhh/vvhh v"))
        assert key == game.key(after(game, "4/4/hhvv/hhvv v"))
        assert key != game.key(after(game, "4/4/vvhh/vvhh v", "a3-a4"))
