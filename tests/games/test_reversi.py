"""Reversi: lines in every direction, passes, the end, positions, symmetry, features."""

from __future__ import annotations

import numpy as np
import pytest

from playout.compiled import kernel
from playout.games.boards import read_line
from playout.games.reversi import _FIRST_PASS, Reversi
from tests.support import naive_flat as naive
from tests.support.compiled_games import all_games, compare, key_of
from tests.support.plain_games import legal_texts


def after(game, line, *texts):
    """A position, read and then played on."""
    states = game.read_position(line)
    for text in texts:
        game.play(states[0], game.parse_move(states[0], text))
    return states[0]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_compiled_games_are_those_of_the_naive_rules(size):
    game, rules = Reversi(size), naive.Reversi(size)
    results = [compare(game, rules, seed) for seed in range(30)]
    assert [1.0, 0.0] in results
    assert [0.0, 1.0] in results


@pytest.mark.long
def test_all_games_on_4x4():
    """60,060 of them; w wins with the best play."""
    game, rules = Reversi(4), naive.Reversi(4)
    counts, rewards, best = all_games(game)
    assert counts == naive.count_games(rules) == (60_060, 17)
    assert sum(rewards) == 60_060
    assert best == list(naive.rewards(rules)) == [0.0, 1.0]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_stone_turns_lines_of_every_length_in_every_direction(size):
    """And none that runs over an edge, or that no stone of one's own ends."""
    game, rules = Reversi(size), naive.Reversi(size)
    rng = np.random.default_rng(size)
    for _ in range(60):
        shares = [0.3, 0.6, 0.1] if rng.random() < 0.5 else [0.1, 0.85, 0.05]
        letters = rng.choice(list("bw."), size * size, p=shares)
        board = {(i % size, i // size): str(c) for i, c in enumerate(letters) if c != "."}
        for player in range(2):
            states = game.new_states(1)
            for number, letter in enumerate("bw"):
                cells = [i for i, found in enumerate(letters) if found == letter]
                states[0].stones[number] = sum(1 << i for i in cells)
            states[0].player = player
            expected = rules.moves((board, player))
            moves = legal_texts(game, states[0])
            assert sorted(moves) == sorted(expected)
            for text, move in moves.items():
                played = states.copy()
                game.play(played[0], move)
                assert game.position_text(played[0]) == rules.line(expected[text])


# passes


@pytest.mark.parametrize(
    ("line", "texts", "end"),
    [
        ("bbbb/.bbw/bbbb/bbbb b", ["pass", "a2"], "bbbb/wwww/bbbb/bbbb b"),
        ("wwww/.wwb/wwww/wwww w", ["pass", "a2"], "wwww/bbbb/wwww/wwww w"),
        ("bbbb/.bbw/bbbb/wbb. w", ["a2", "pass", "d4"], "bbbb/wwww/wbww/wwww b"),
        ("wwww/.wwb/wwww/bww. b", ["a2", "pass", "d4"], "wwww/bbbb/bwbb/bbbb w"),
    ],
)
def test_a_player_without_a_move_passes(line, texts, end):
    game = Reversi(4)
    states = game.read_position(line)
    for text in texts:
        player = game.turn(states[0])
        if text == "pass":
            assert list(legal_texts(game, states[0])) == ["pass"]
        else:
            assert "pass" not in legal_texts(game, states[0])
        game.play(states[0], game.parse_move(states[0], text))
        assert game.turn(states[0]) == 1 - player
    assert game.position_text(states[0]) == end


@pytest.mark.parametrize(
    ("line", "rewards", "status"),
    [
        ("bbbb/bbbb/bbbb/bbb. b", [1.0, 0.0], "b wins, 15 to 0"),
        ("bbbb/bbbb/bbbb/bbb. w", [1.0, 0.0], "b wins, 15 to 0"),
        ("wwww/wwww/wwww/www. b", [0.0, 1.0], "w wins, 15 to 0"),
        ("wwww/wwww/wwww/www. w", [0.0, 1.0], "w wins, 15 to 0"),
        ("bbbb/bbbb/wwww/wwww b", [0.5, 0.5], "a draw, 8 to 8"),
        ("bbbb/bbbb/bwww/wwww w", [1.0, 0.0], "b wins, 9 to 7"),
    ],
)
def test_the_end_for_both_players(line, rewards, status):
    game = Reversi(4)
    state = after(game, line)
    assert legal_texts(game, state) == {}
    assert [game.reward(state, player) for player in range(2)] == rewards
    assert game.render(state).endswith("\n" + status)


@kernel
def _count_passes(game, states, moves, ahead, at, depth):
    """Passes in positions with fewer than `depth` stones put down."""
    level, passes = 0, 0
    ahead[0] = game.moves(states[0], moves[0])
    while level >= 0:
        if at[level] == ahead[level]:
            level -= 1
            continue
        at[level] += 1
        move = moves[level, at[level] - 1]
        if move.cell == game.cells:
            passes += 1
        elif level + 1 < depth:
            states[level + 1] = states[level]
            game.play(states[level + 1], move)
            level += 1
            ahead[level] = game.moves(states[level], moves[level])
            at[level] = 0
    return passes


@pytest.mark.parametrize(("size", "passes"), [(4, 4), (6, 112), (8, 24)])
def test_when_a_player_can_first_have_to_pass(size, passes):
    game = Reversi(size)
    for depth, expected in ((_FIRST_PASS[size], 0), (_FIRST_PASS[size] + 1, passes)):
        states = game.new_states(depth)
        game.reset(states[0])
        moves = np.zeros((depth, game.max_moves), game.move_type)
        counts = np.zeros((2, depth), np.int64)
        assert _count_passes(game, states, moves, counts[0], counts[1], depth) == expected


# symmetry


def test_half_of_the_symmetries_keep_the_start():
    game = Reversi()
    root, out = game.root(), game.new_states(1)
    kept = []
    for symmetry in range(8):
        game.transform(root[0], symmetry, out[0])
        if out.tobytes() == root.tobytes():
            kept.append(symmetry)
        else:  # the colours are exchanged, and it can be read and played
            text = game.position_text(out[0])
            assert text == "8/8/8/3bw3/3wb3/8/8/8 b".replace("8", "." * 8).replace("3", "...")
            assert game.read_position(text).tobytes() == out.tobytes()
            assert sorted(legal_texts(game, out[0])) == ["c5", "d6", "e3", "f4"]
    assert kept == [0, 3, 4, 7]  # as it is, turned by half, mirrored in the two diagonals


def test_positions_that_differ_by_more_than_symmetry():
    """The same number as by turning and mirroring the naive boards."""
    game, rules = Reversi(), naive.Reversi()
    positions, seen, moves, out = [rules.start()], [game.root()], game.new_moves(), game.root()
    counts = []
    for _ in range(4):
        positions = list(
            {
                min(_forms(rules, after)): after
                for position in positions
                for after in rules.moves(position).values()
            }.values()
        )
        found = {}
        for states in seen:
            for i in range(game.moves(states[0], moves)):
                later = states.copy()
                game.play(later[0], moves[i])
                keys = []
                for symmetry in range(8):
                    game.transform(later[0], symmetry, out[0])
                    keys.append(key_of(game, out))
                found[min(keys)] = later
        seen = list(found.values())
        assert len(seen) == len(positions)
        counts.append(len(seen))
    assert counts == [1, 3, 14, 60]


def _forms(rules, position):
    """The lines of the eight forms of a board."""
    board, player = position
    for flip in range(8):
        seen = {}
        for (x, y), letter in board.items():
            x, y = (7 - x if flip & 1 else x), (7 - y if flip & 2 else y)
            seen[(y, x) if flip & 4 else (x, y)] = letter
        yield rules.line((seen, player))


# features


@pytest.mark.parametrize(
    ("line", "cell", "b", "w"),
    [
        ("6/6/2wb2/2bw2/6/6", "b3", 0, 0),
        ("6/1w4/2wb2/2bw2/6/6", "a1", 2, 2),  # a corner
        ("6/1w4/2wb2/2bw2/6/6", "f5", 4, 4),  # beside an empty corner
        ("6/6/2wb2/2bw2/6/6", "e2", 4, 4),
        ("b5/1w4/2wb2/2bw2/6/6", "b1", 6, 8),  # beside a corner of b's
        ("6/6/2wb2/2bw2/4b1/5w", "e6", 8, 6),  # of w's
        ("1b4/ww4/2wb2/2bw2/6/6", "a1", 3, 3),  # the same, and a hole
        ("6/6/2wb2/2bwbb/4w1/4wb", "f5", 7, 9),
        ("2bbw1/2w1w1/2wbb1/2bw2/6/6", "d2", 1, 1),
        ("bbbbbb/bbbbbb/bbbbbb/bbbbbb/bbbbbw/wwwwww", "pass", 0, 0),
    ],
)
def test_features(line, cell, b, w):
    game = Reversi(6)
    letters, _ = read_line(line + " b", 6, 6, "bw", "", top_down=True)
    states, move = game.new_states(1), game.new_moves(1)
    for number, letter in enumerate("bw"):
        states[0].stones[number] = sum(1 << i for i, c in enumerate(letters) if c == letter)
    move[0].cell = 36 if cell == "pass" else "abcdef".index(cell[0]) + 6 * (int(cell[1]) - 1)
    for player, expected in enumerate((b, w)):
        states[0].player = player
        assert game.features(states[0], move[0]) == expected


def test_codes_tell_players_and_moves_apart():
    game = Reversi()
    states, moves = game.root(), game.new_moves(65)
    codes = set()
    for player in range(2):
        states[0].player = player
        for cell in range(65):  # and the pass
            moves[cell].cell = cell
            codes.add(int(game.code(states[0], moves[cell])))
    assert len(codes) == 130
