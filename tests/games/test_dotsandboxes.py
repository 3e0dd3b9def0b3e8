"""Dots-and-Boxes: whose turn it is, boxes and rewards for each player, values of small boards."""

from __future__ import annotations

import math

import numpy as np
import pytest

from playout.check import check_problem
from playout.compiled import kernel
from playout.errors import DataError
from playout.games import load_game
from playout.games.dotsandboxes import DotsAndBoxes
from tests.support import naive_flat as naive
from tests.support.compiled_games import all_games, compare, key_of
from tests.support.plain_games import legal_texts


def after(game, line, *texts):
    """A position, read and then played on."""
    states = game.read_position(line)
    for text in texts:
        game.play(states[0], game.parse_move(states[0], text))
    return states[0]


def turns_and_rewards(game, texts):
    """Who draws each line of a whole game, as letters, and the rewards at the end."""
    states, turns = game.root(), ""
    for text in texts.split():
        turns += "rbgy"[game.turn(states[0])]
        game.play(states[0], game.parse_move(states[0], text))
    assert legal_texts(game, states[0]) == {}
    return turns, [game.reward(states[0], player) for player in range(game.players)]


# turns: a player who closes a box moves again

RIM = "a1-b1 b1-c1 c1-c2 c2-c3 b3-c3 a3-b3 a2-a3 a1-a2"


@pytest.mark.parametrize(
    ("size", "texts", "turns", "rewards"),
    [
        # b closes the only box
        ((1, 1), "a1-b1 a1-a2 b1-b2 a2-b2", "rbrb", [0.0, 1.0]),
        # b closes one box, goes on, closes two with one line: four in a row
        ((2, 2), f"{RIM} b1-b2 a2-b2 b2-c2 b2-b3", "rbrbrbrbrbbb", [0.0, 1.0]),
        # the same for r, who answers a line fewer
        (
            (2, 2),
            "b1-c1 c1-c2 c2-c3 b3-c3 a3-b3 a2-a3 a1-a2 b2-c2 b1-b2 b2-b3 a2-b2 a1-b1",
            "rbrbrbrbrrrr",
            [1.0, 0.0],
        ),
        # the last line closes both boxes at once
        ((2, 1), "a1-b1 b1-c1 c1-c2 b2-c2 a2-b2 a1-a2 b1-b2", "rbrbrbr", [1.0, 0.0]),
        # a chain of three, one after another for r, and for b
        (
            (3, 1),
            "a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 a1-a2 d1-d2 c1-c2 b1-b2",
            "rbrbrbrbrr",
            [1.0, 0.0],
        ),
        (
            (3, 1),
            "a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 a1-a2 b1-b2 c1-c2 d1-d2",
            "rbrbrbrbbb",
            [0.0, 1.0],
        ),
        # b closes a box, has to move again and gives nothing away
        ((2, 1), "a1-b1 a2-b2 b1-b2 a1-a2 b1-c1 b2-c2 c1-c2", "rbrbbrb", [0.0, 1.0]),
        # one box each
        ((2, 1), "a1-b1 b1-c1 a2-b2 a1-a2 b1-b2 b2-c2 c1-c2", "rbrbrrb", [0.5, 0.5]),
    ],
)
def test_turns_by_hand(size, texts, turns, rewards):
    assert turns_and_rewards(DotsAndBoxes(*size), texts) == (turns, rewards)


@pytest.mark.parametrize(
    ("size", "texts", "turns", "rewards"),
    [
        # r, g and b close a box each and move again
        (
            (3, 1),
            "a1-a2 a1-b1 a2-b2 b1-b2 b1-c1 b2-c2 c1-c2 c1-d1 c2-d2 d1-d2",
            "rbgrrbggrb",
            [1 / 3, 1 / 3, 1 / 3],
        ),
        ((1, 1), "a1-b1 a1-a2 b1-b2 a2-b2", "rbgr", [1.0, 0.0, 0.0]),
        ((2, 1), "a1-b1 b1-c1 c1-c2 b2-c2 a2-b2 a1-a2 b1-b2", "rbgrbgr", [1.0, 0.0, 0.0]),
        ((2, 1), "a1-b1 a2-b2 b1-c1 b2-c2 a1-a2 b1-b2 c1-c2", "rbgrbgg", [0.0, 0.0, 1.0]),
        # b and g share the win
        ((2, 1), "a1-b1 a2-b2 a1-a2 b1-c1 b1-b2 b2-c2 c1-c2", "rbgrbbg", [0.0, 0.5, 0.5]),
    ],
)
def test_turns_of_three_by_hand(size, texts, turns, rewards):
    assert turns_and_rewards(DotsAndBoxes(*size, players=3), texts) == (turns, rewards)


@pytest.mark.parametrize(
    ("owners", "rewards"),
    [
        ("rbg", [1 / 3, 1 / 3, 1 / 3]),
        ("rbb", [0.0, 1.0, 0.0]),
        ("rrgg", [0.5, 0.0, 0.5]),
        ("brgb", [0.0, 1.0, 0.0]),
        ("ggggg", [0.0, 0.0, 1.0]),
        ("rbrgr", [1.0, 0.0, 0.0]),
    ],
)
def test_shared_wins(owners, rewards):
    game = DotsAndBoxes(len(owners), 1, players=3)
    states = game.new_states(1)
    states[0].lines[0], states[0].lines[1] = game.all_lines
    for player, letter in enumerate("rbg"):
        states[0].boxes[player] = sum(1 << i for i, owner in enumerate(owners) if owner == letter)
    for player in range(3):  # whoever drew the last line
        states[0].player = player
        assert [game.reward(states[0], player) for player in range(3)] == rewards


# compared with the naive rules


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (4, 4), (5, 2), (1, 6), (7, 7)])
def test_compiled_games_are_those_of_the_naive_rules(size):
    game, rules = DotsAndBoxes(*size), naive.DotsAndBoxes(*size)
    results = [compare(game, rules, seed) for seed in range(3 if size == (7, 7) else 25)]
    if size in ((2, 2), (3, 3), (4, 4), (5, 2), (1, 6)):
        assert [1.0, 0.0] in results
        assert [0.0, 1.0] in results


@pytest.mark.long
@pytest.mark.parametrize(("size", "players"), [((2, 2), 3), ((3, 2), 3), ((2, 3), 4)])
def test_games_of_more_than_two(size, players):
    game, rules = DotsAndBoxes(*size, players), naive.DotsAndBoxes(*size, players)
    report = check_problem(game, games=4)
    assert report.passed, str(report)
    results = [compare(game, rules, seed) for seed in range(40)]
    assert {max(range(players), key=rewards.__getitem__) for rewards in results} == set(
        range(players)
    )
    assert any(0.0 < max(rewards) < 1.0 for rewards in results)  # a shared win
    for states in (game.root(), game.read_position(game.position_text(game.root()[0]))):
        assert game.turn(states[0]) == 0


@pytest.mark.parametrize(
    ("size", "players", "best"),
    [
        ((1, 1), 2, [0.0, 1.0]),
        ((2, 1), 2, [0.5, 0.5]),
        ((1, 2), 2, [0.5, 0.5]),
        ((3, 1), 2, [0.0, 1.0]),
        ((1, 1), 3, [1.0, 0.0, 0.0]),
        ((2, 1), 3, None),
    ],
)
def test_all_games_on_small_boards(size, players, best):
    game, rules = DotsAndBoxes(*size, players), naive.DotsAndBoxes(*size, players)
    counts, rewards, found = all_games(game)
    lines = game.max_length
    assert counts == naive.count_games(rules) == (math.factorial(lines), lines)
    assert sum(rewards) == pytest.approx(counts[0])
    if best is not None:
        assert found == list(naive.rewards(rules)) == best


@kernel
def _margins(game, states, moves, values, lying):
    """For each set of drawn lines, how many boxes more the player to move gets of the rest."""
    state, full = states[0], len(values) - 1
    low = (1 << lying) - 1
    for drawn in range(full - 1, -1, -1):
        best = -128
        for place in range(lying + lying):
            if drawn >> place & 1:
                continue
            state.lines[0], state.lines[1] = np.uint64(drawn & low), np.uint64(drawn >> lying)
            state.boxes[0], state.boxes[1] = np.uint64(0), np.uint64(0)
            state.player = 0
            moves[0].line = place if place < lying else 64 + place - lying
            game.play(state, moves[0])
            boxes = np.int64(0)
            while state.boxes[0] >> np.uint64(boxes):
                boxes += 1
            taken = 0
            for box in range(boxes):
                taken += np.int64(state.boxes[0] >> np.uint64(box) & np.uint64(1))
            rest = values[drawn | 1 << place]
            best = max(best, taken + (rest if game.turn(state) == 0 else -rest))
        values[drawn] = best


@pytest.mark.long
@pytest.mark.parametrize(("size", "margin"), [(1, -1), (2, 2), (3, -3)])
def test_values_of_square_boards(size, margin):
    """As known: the first player wins on 2x2 and loses on 3x3 (and 1x1)."""
    game = DotsAndBoxes(size, size)
    lying = size * (size + 1)
    values = np.zeros(1 << 2 * lying, np.int8)
    _margins(game, game.new_states(1), game.new_moves(), values, lying)
    assert values[0] == margin
    if size < 3:
        best = naive.rewards(naive.DotsAndBoxes(size, size))
        assert best == ((1.0, 0.0) if margin > 0 else (0.0, 1.0))


def test_good_first_moves_on_2x2():
    """A line of the rim wins, one of the four inside only draws."""
    rules, known = naive.DotsAndBoxes(2, 2), {}
    game = DotsAndBoxes(2, 2)
    lying, values = 6, np.zeros(1 << 12, np.int8)
    _margins(game, game.new_states(1), game.new_moves(), values, lying)
    for text, position in rules.moves(rules.start()).items():
        move = game.parse_move(game.root()[0], text)
        place = int(move.line) if move.line < 64 else int(move.line) - 64 + lying
        margin = -int(values[1 << place])
        best = naive.rewards(rules, position, known)
        assert best == ((1.0, 0.0) if margin > 0 else (0.5, 0.5))
        assert (best == (1.0, 0.0)) == (text in RIM)


# symmetry and keys


@pytest.mark.parametrize(("size", "classes"), [(1, 6), (2, 570), (3, 2_102_800)])
def test_sets_of_lines_that_differ_by_more_than_symmetry(size, classes):
    """The numbers of boards of J. Prince, 2017, counted by Burnside's lemma."""
    game = DotsAndBoxes(size, size)
    moves, moved = game.new_moves(), game.new_moves(1)
    n = game.moves(game.root()[0], moves)
    fixed = 0
    for symmetry in range(game.symmetries):
        cycles, seen = 0, set()
        for i in range(n):
            line = int(moves[i].line)
            cycles += line not in seen
            while line not in seen:
                seen.add(line)
                moved[0].line = line
                out = game.new_moves(1)
                game.transform_move(moved[0], symmetry, out[0])
                line = int(out[0].line)
        fixed += 1 << cycles
    assert game.symmetries == 8
    assert fixed == 8 * classes


def test_all_boards_of_2x2_up_to_symmetry():
    """The same number by looking at each of the 4,096 sets of lines."""
    game = DotsAndBoxes(2, 2)
    states, out = game.new_states(1), game.new_states(1)
    classes = set()
    for drawn in range(1 << 12):
        states[0].lines[0], states[0].lines[1] = drawn & 63, drawn >> 6
        forms = []
        for symmetry in range(8):
            game.transform(states[0], symmetry, out[0])
            forms.append(out[0].lines.tobytes())
        classes.add(min(forms))
    assert len(classes) == 570


def test_rectangles_have_four_symmetries():
    assert DotsAndBoxes(3, 2).symmetries == 4
    assert DotsAndBoxes(3, 3).symmetries == 8


def test_the_key_knows_how_many_boxes_each_has_but_not_which():
    game = DotsAndBoxes(3, 1)
    lines = (
        "---/|r|b|.|/--. r",
        "---/|b|r|.|/--. r",
        "---/|r|r|.|/--. r",
        "---/|b|b|.|/--. r",
        "---/|r|b|.|/--. b",
    )
    keys = []
    for line in lines:
        states = game.new_states(1)
        states[0].lines[0], states[0].lines[1] = 0b111011, 0b1111
        owners = line.split("/")[1].strip("|").split("|")
        for player, letter in enumerate("rb"):
            states[0].boxes[player] = sum(1 << i for i, c in enumerate(owners) if c == letter)
        states[0].player = "rb".index(line[-1])
        keys.append(key_of(game, states))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4


# notation


def test_a_line_is_named_by_its_dots_in_any_order():
    game = DotsAndBoxes(3, 2)
    state = game.root()[0]
    for text in ("b2-b3", "b3-b2", "B2B3", " b3 b2 ", "b2 - b3"):
        assert game.move_text(state, game.parse_move(state, text)) == "b2-b3"
    for text in ("a1-c1", "a1-b2", "a1", "a1-a1", "d3-e3", "a3-a4", "a1-b1-c1"):
        with pytest.raises(DataError, match="not a legal move"):
            game.parse_move(state, text)


def test_every_line_closes_what_it_should():
    """Each line, drawn last, closes the one or two boxes that it touches, for either player."""
    for size, player in ((size, p) for size in ((3, 3), (4, 2), (1, 5)) for p in range(2)):
        game, rules = DotsAndBoxes(*size), naive.DotsAndBoxes(*size)
        for text, move in legal_texts(game, game.root()[0]).items():
            states = game.new_states(1)
            line = int(move.line)
            states[0].lines[0], states[0].lines[1] = game.all_lines
            states[0].lines[line // 64] ^= np.uint64(1 << line % 64)
            states[0].player = player
            game.play(states[0], move)
            dots = text.split("-")
            closed = {
                (x, y)
                for x in range(size[0])
                for y in range(size[1])
                if any(dots == [naive.name(*a), naive.name(*b)] for a, b in rules.around(x, y))
            }
            assert states[0].boxes[player] == sum(1 << y * size[0] + x for x, y in closed)
            assert states[0].boxes[1 - player] == 0
            assert game.turn(states[0]) == player  # every line closes a box then


# features, pictures


def test_features_are_the_sides_of_the_boxes_beside():
    game = DotsAndBoxes(3, 1)
    state = game.root()[0]
    find = legal_texts(game, state)
    assert game.features(state, find["a1-b1"]) == 5 * 4 + 0  # the rim, a box without a side
    assert game.features(state, find["b1-b2"]) == 0
    state = after(game, ".../......./... r", "a1-b1", "a2-b2", "b1-c1")
    find = legal_texts(game, state)
    assert game.features(state, find["b1-b2"]) == 5 * 2 + 1
    assert game.features(state, find["a1-a2"]) == 5 * 4 + 2
    assert game.features(state, find["c1-c2"]) == 5 * 1 + 0
    state = after(game, game.position_text(state), "b2-c2", "c1-c2", "a1-a2")
    find = legal_texts(game, state)
    assert game.features(state, find["b1-b2"]) == 5 * 3 + 3  # closes two


def test_codes_tell_players_and_lines_apart():
    for game in (DotsAndBoxes(7, 7), DotsAndBoxes(2, 3, players=3)):
        states, codes = game.root(), set()
        moves = game.new_moves()
        n = game.moves(states[0], moves)
        for player in range(game.players):
            states[0].player = player
            codes |= {int(game.code(states[0], moves[i])) for i in range(n)}
        assert len(codes) == n * game.players


def test_text_and_status():
    game = DotsAndBoxes(2, 1)
    state = after(game, "../...../.. r", "a1-b1", "a2-b2", "b1-b2", "a1-a2")
    assert game.render(state) == "\n".join(
        [
            "2 +---+   +",
            "  | b |",
            "1 +---+   +",
            "  a   b   c",
            "r 0, b 1; b to move",
        ]
    )
    assert "a draw" in game.render(after(game, "--/|r|b|/-- b"))
    assert "b wins" in game.render(after(game, "--/|b|b|/-- b"))
    three = load_game("dotsandboxes:2x1,players=3")
    assert "share the win" in three.render(after(three, "--/|r|g|/-- g"))
