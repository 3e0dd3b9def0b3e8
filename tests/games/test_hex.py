"""Hex: connections, edges, whole games on small boards, the swap rule, positions, pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from playout.errors import DataError
from playout.games.hex import Hex
from tests.support import naive_flat as naive
from tests.support.compiled_games import all_games, compare, key_of
from tests.support.forms import long
from tests.support.plain_games import legal_texts


def after(game, line, *texts):
    """A position, read and then played on."""
    states = game.read_position(line)
    for text in texts:
        game.play(states[0], game.parse_move(states[0], text))
    return states[0]


@pytest.mark.parametrize(
    ("size", "swap", "games"),
    [
        (2, False, 10),
        (3, True, 30),
        (6, False, 20),
        long(11, False, 6),
        long(16, True, 1),
        long(19, False, 1),
    ],
)
def test_compiled_games_are_those_of_the_naive_rules(size, swap, games):
    """On 16x16 the numbers of cells need two bytes."""
    game, rules = Hex(size, swap), naive.Hex(size, swap)
    results = [compare(game, rules, seed) for seed in range(games)]
    assert all(sum(rewards) == 1.0 for rewards in results)
    if games > 2:
        assert [1.0, 0.0] in results
        assert [0.0, 1.0] in results


@pytest.mark.parametrize(
    ("size", "swap", "counts"),
    [(2, False, (24, 4)), (3, False, (257_760, 9)), (2, True, (48, 5)), (3, True, (515_520, 10))],
)
def test_all_games_on_small_boards(size, swap, counts):
    """The first player wins with the best play; with the swap rule the second does."""
    game, rules = Hex(size, swap), naive.Hex(size, swap)
    found, rewards, best = all_games(game)
    assert found == naive.count_games(rules) == counts
    assert sum(rewards) == found[0]
    assert best == list(naive.rewards(rules)) == ([0.0, 1.0] if swap else [1.0, 0.0])


def test_first_moves_that_win_on_3x3():
    game, rules = Hex(3), naive.Hex(3)
    won = set()
    for text, move in legal_texts(game, game.root()[0]).items():
        states = game.root()
        game.play(states[0], move)
        if all_games(game, states)[2][0] == 1.0:
            won.add(text)
    after = rules.moves(rules.start())
    assert won == {text for text in after if naive.rewards(rules, after[text])[0] == 1.0}
    assert won == {"a2", "a3", "b2", "c1", "c2"}


@pytest.mark.parametrize("size", [2, 5, 11, 19])
def test_every_straight_line_and_the_two_diagonals(size):
    """Columns are r's and rows b's; the short diagonal connects for both, the long one breaks."""
    game, last = Hex(size), size - 1
    for i in range(size):
        for player, line in (
            (0, [(i, y) for y in range(size)]),
            (1, [(x, i) for x in range(size)]),
        ):
            assert _ends_with(game, player, line)
    short = [(last - y, y) for y in range(size)]
    assert _ends_with(game, 0, short)
    assert _ends_with(game, 1, short)
    long = [(y, y) for y in range(size)]
    assert not _ends_with(game, 0, long)
    assert not _ends_with(game, 1, long)


def _ends_with(game, player, cells):
    """Whether stones on these cells win, put down in several orders; never before the last."""
    results = set()
    for seed in range(4):
        states = game.root()
        order = [cells[i] for i in np.random.default_rng(seed).permutation(len(cells))]
        for x, y in order:
            assert not states[0].won
            game._put(states[0], y * game.side + x, player)
        results.add(bool(states[0].won))
    (result,) = results
    return result


@pytest.mark.parametrize("size", [2, 3, 8, 11])
def test_a_full_board_has_one_winner(size):
    """Whatever stands on it: r connects or b does, never both and never neither."""
    game, rules = Hex(size), naive.Hex(size)
    rng = np.random.default_rng(size)
    for _ in range(30):
        colours = rng.permutation(size * size) % 2
        board = {(i % size, i // size): "rb"[c] for i, c in enumerate(colours)}
        won = [rules.connects(board, player) for player in range(2)]
        assert sum(won) == 1
        for player in range(2):
            states = game.root()
            for cell in np.flatnonzero(colours == player).tolist():
                game._put(states[0], cell, player)
            assert states[0].won == won[player]


# the swap rule


def test_swap_is_offered_once_and_to_the_second_player_only():
    game = Hex(5, swap=True)
    states = game.root()
    assert "swap" not in legal_texts(game, states[0])
    game.play(states[0], game.parse_move(states[0], "b4"))
    assert len(legal_texts(game, states[0])) == 25  # 24 cells and the swap
    played = states.copy()
    game.play(played[0], game.parse_move(played[0], "SWAP"))
    assert game.position_text(played[0]) == "...../...b./...../...../..... r"
    assert game.turn(played[0]) == 0
    assert "swap" not in legal_texts(game, played[0])
    game.play(played[0], game.parse_move(played[0], "a1"))
    assert "swap" not in legal_texts(game, played[0])
    game.play(states[0], game.parse_move(states[0], "a1"))
    assert "swap" not in legal_texts(game, states[0])


def test_without_the_rule_there_is_no_swap():
    game = Hex(5)
    state = after(game, "...../...../...../...../..... r", "c3")
    with pytest.raises(DataError, match="'swap' is not a legal move"):
        game.parse_move(state, "swap")
    with pytest.raises(DataError, match="0 r and 1 b with r to move"):
        game.read_position("...../...../..b../...../..... r")


@pytest.mark.parametrize(
    "line",
    [
        "b../.../... r",
        "b../.r./... b",
        "r../.../... b",
        "r../.b./... r",
        "r../.b./... b",
    ],
)
def test_positions_before_and_after_a_swap(line):
    game = Hex(3, swap=True)
    states = game.read_position(line)
    assert game.position_text(states[0]) == line
    assert ("swap" in legal_texts(game, states[0])) == (line == "r../.../... b")


# keys, symmetry, features


def test_the_order_of_moves_makes_no_difference_to_the_key():
    game = Hex(5)
    one = game.read_position("r.b../...../..r../...../b.... r")
    for texts in (["a1", "c1", "c3", "a5"], ["c3", "a5", "a1", "c1"]):
        states = game.root()
        for text in texts:
            game.play(states[0], game.parse_move(states[0], text))
        assert key_of(game, states) == key_of(game, one)
    other = game.read_position("b.r../...../..b../...../r.... r")
    assert key_of(game, other) != key_of(game, one)


def test_half_a_turn_keeps_the_edges():
    """What is turned by 180 degrees can be played on to the same end."""
    game, rng, out = Hex(6), np.random.default_rng(3), Hex(6).new_states(1)
    moves, moved = game.new_moves(), game.new_moves(1)
    for _ in range(10):
        states, turned = game.root(), game.root()
        while n := game.moves(states[0], moves):
            move = moves[int(rng.integers(n))].copy()
            game.transform_move(move, 1, moved[0])
            game.play(states[0], move)
            game.play(turned[0], moved[0])
            game.transform(states[0], 1, out[0])
            assert game.position_text(out[0]) == game.position_text(turned[0])
            letters = game.position_text(states[0]).split()[0]
            assert game.position_text(out[0]).split()[0] == letters[::-1]
        assert turned[0].won
        assert out[0].won


def test_features_are_the_neighbours_in_a_circle():
    """Digits to the base 3, from the one above on the left: empty, one's own, the other's."""
    game = Hex(3)
    state = after(game, "rr./b../b.. r")
    find = legal_texts(game, state)
    assert game.features(state, find["b2"]) == int("100022", 3)
    assert game.features(state, find["c3"]) == int("022110", 3)  # b's edge right, r's below
    state = after(game, "rr./b../b.r b")
    find = legal_texts(game, state)
    assert game.features(state, find["b2"]) == int("200011", 3)
    assert game.features(state, find["c2"]) == int("011200", 3)


@pytest.mark.parametrize("size", [11, 19])
def test_codes_tell_players_and_moves_apart(size):
    game = Hex(size, swap=True)
    states, moves = game.root(), game.new_moves(size * size + 1)
    codes = set()
    for player in range(2):
        states[0].player = player
        for cell in range(size * size + 1):  # and the swap
            moves[cell].cell = cell
            codes.add(int(game.code(states[0], moves[cell])))
    assert len(codes) == 2 * size * size + 2


# pictures


def test_the_picture_has_hexagons_and_coloured_edges():
    game = Hex(4)
    state = after(game, "r.b./..../.r../.... b")
    tree = ElementTree.fromstring(game.svg(state))
    kinds = [element.tag.rpartition("}")[2] for element in tree.iter()]
    assert kinds.count("polygon") == 16
    assert kinds.count("circle") == 3
    assert kinds.count("polyline") == 4
    assert game.render(state) == "\n".join(
        [
            "  a b c d",
            "1 r . b . 1",
            " 2 . . . . 2",
            "  3 . r . . 3",
            "   4 . . . . 4",
            "      a b c d",
            "b to move",
        ]
    )
