"""Go, Atarigo and NoGo: chains, superko, area, eyes, by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from playout.errors import DataError, OptionError
from playout.games import load_game
from tests.support.compiled_games import key_of, random_game
from tests.support.plain_games import legal_texts

load = cache(load_game)


def played(game, texts, start=""):
    """The state after moves, as an array of one."""
    states = game.read_position(start) if start else game.root()
    for text in texts.split():
        game.play(states[0], game.parse_move(states[0], text))
    return states


def board(game, states):
    return game.position_text(states[0]).partition(" after ")[0]


def rewards(game, states):
    return [game.reward(states[0], player) for player in range(2)]


# signs: with the colours exchanged, everything is exchanged


@pytest.mark.parametrize("name", ["go:5x5,komi=0", "go:9x9,komi=0,keep_eyes=true"])
def test_go_with_the_colours_exchanged(name):
    """The same moves after a pass: black's stones are white's, and the result is the other's."""
    game = load(name)
    one, two = game.root(), game.root()
    passes = game.new_moves(1)[0]
    passes.point = game.points
    game.play(two[0], passes)
    rng, results = np.random.default_rng(4), set()
    for _ in range(6):
        one, two = game.root(), game.root()
        game.play(two[0], passes)
        while not one[0].over:
            moves, others = legal_texts(game, one[0]), legal_texts(game, two[0])
            if "pass" in others and not one[0].count:
                moves.pop("pass", None)  # which would be the second in a row there
                others.pop("pass")
            if two[0].over:
                break
            assert sorted(moves) == sorted(others)
            text = sorted(moves)[rng.integers(len(moves))]
            game.play(one[0], moves[text])
            game.play(two[0], others[text])
            exchanged = [{"b": "w", "w": "b"}.get(cell, cell) for cell in game.cell_letters(two[0])]
            assert game.cell_letters(one[0]) == exchanged
        if one[0].passes == 2:
            assert one[0].margin == -two[0].margin
            assert rewards(game, one) == rewards(game, two)[::-1]
            results.add(int(np.sign(one[0].margin)))
    assert results


@pytest.mark.parametrize("name", ["atarigo:4x4", "nogo:4x4"])
def test_with_the_colours_exchanged(name):
    game = load(name)
    rng, results = np.random.default_rng(1), []
    for _ in range(20):
        one, two = game.root(), game.board_of("." * game.points, 1)
        while moves := legal_texts(game, one[0]):
            assert sorted(moves) == sorted(legal_texts(game, two[0]))
            assert game.turn(one[0]) == 1 - game.turn(two[0])
            move = moves[sorted(moves)[rng.integers(len(moves))]]
            assert game.features(one[0], move) == game.features(two[0], move)
            assert game.bias(one[0], move) == game.bias(two[0], move)
            game.play(one[0], move)
            game.play(two[0], move)
        assert not legal_texts(game, two[0])
        results.append(rewards(game, one))
        assert results[-1] == rewards(game, two)[::-1]
    assert [1.0, 0.0] in results
    assert [0.0, 1.0] in results


# area

AREAS = [
    ("......../......../........", 0),  # nobody's
    ("......../..b...../........", 24),  # black's alone
    ("......../..b..w../........", 0),  # a stone each, the rest touches both
    (".b....../b.w...../.w......", 1),  # two stones each, and A3 is black's; A1 and B2 touch both
    ("..bw..../..bw..../..bw....", -6),  # 9 and 15
    ("..b.w.../..b.w.../..b.w...", -3),  # 9 and 12, a column between them
    ("w.bw..../..bw..../..bw....", -13),  # A3 spoils black's side: 3 and 16
    (".bbwww../bb.w.w../.bbwww..", -7),  # 6 stones, A1, A3; 8 stones, E2, the right; C2 nobody's
]


@pytest.mark.parametrize(("line", "margin"), AREAS)
def test_area(line, margin):
    for komi in (0, margin, margin - 0.5, margin + 0.5):
        game = load(f"go:8x3,komi={komi}")
        for player in "bw":
            states = played(game, "pass pass", f"{line} {player}")
            assert states[0].margin == margin
            black = 0.5 if margin == komi else float(margin > komi)
            assert rewards(game, states) == [black, 1 - black]
    game = load("go:8x3,komi=0")
    exchanged = line.translate(str.maketrans("bw", "wb"))
    assert played(game, "pass pass", f"{exchanged} b")[0].margin == -margin


def test_the_end_is_the_end():
    game = load("go:3x3,komi=0.5")
    states = played(game, "B2 pass pass")
    before, move = states.copy(), game.new_moves(1)[0]
    move.point = 0
    game.play(states[0], move)
    assert states.tobytes() == before.tobytes()
    assert game.render(states[0]).endswith("black wins by 8.5")


# superko, beyond what the transcripts show

REFUSED = [
    # a board of so many moves before, brought back by stones that take some and that take none
    ("5x1", "B1 D1 C1 A1", "B1", 3),
    ("5x1", "C1 B1 A1 E1 B1 D1 A1 B1", "C1", 7),
    ("5x1", "A1 E1 B1 D1 C1 E1 D1 E1", "A1", 7),
    ("4x1", "D1 A1 C1 B1 C1 A1", "D1", 4),
    ("4x1", "C1 A1 B1 pass D1 A1", "C1", 5),
    ("3x2", "B2 A2 A1 C2 A2 B1 B2 C1", "A1", 6),
    ("3x2", "A2 B2 B1 C2 C1 B2 A1 C2 A2 C1 B1", "B2", 9),
    ("3x3", "B2 B1 B3 C3 C1 C2 C1", "C3", 3),
    ("3x3", "B2 A2 C3 B3 C1 B1 A3 C2 A1 B3 C1 A2 C3", "B1", 8),
    ("4x3", "C2 C1 B2 B3 A1 C3 A2 A3 D3 B3 A3 B1 C3 D1 D2 C1 B3 B1 D1 C1 B1 C1", "C2", 21),
]


@pytest.mark.parametrize(("size", "texts", "text", "moves"), REFUSED)
def test_superko(size, texts, text, moves):
    game = load(f"go:{size},komi=0")
    states = played(game, texts)
    assert text not in legal_texts(game, states[0])
    with pytest.raises(DataError, match="it would bring back an earlier board"):
        game.parse_move(states[0], text)
    # without that board in its past the move is legal, and does bring it back
    before = played(game, " ".join(texts.split()[: 1 - moves]))
    fresh = played(game, text, board(game, states))
    assert board(game, fresh).split()[0] == board(game, before).split()[0]


@pytest.mark.parametrize(("size", "texts", "text", "moves"), REFUSED)
def test_superko_is_in_the_notation_and_in_every_symmetric_form(size, texts, text, moves):
    game = load(f"go:{size},komi=0")
    states = played(game, texts)
    again = game.read_position(game.position_text(states[0]).upper())
    assert again.tobytes() == states.tobytes()
    legal = legal_texts(game, states[0])
    forms, move = game.new_states(game.symmetries), game.new_moves(1)[0]
    for symmetry in range(game.symmetries):
        game.transform(states[0], symmetry, forms[symmetry])
        expected = set()
        for one in legal.values():
            game.transform_move(one, symmetry, move)
            expected.add(game.move_text(forms[symmetry], move))
        assert set(legal_texts(game, forms[symmetry])) == expected


def test_a_past_that_began_elsewhere():
    game = load("go:4x2,komi=0")
    start = ".wb./w.b. w"
    states = played(game, "B1 D1 pass", start)
    assert game.position_text(states[0]) == ".wb./wwbb b after .wb./w.b. w B1 D1 pass"
    states = played(game, "A1", "bw../.w.. w")  # takes a stone of the start
    text = ".w../ww.. b after bw../.w.. w A1"
    assert game.position_text(states[0]) == text
    assert game.read_position(text).tobytes() == states.tobytes()


def test_keys():
    """Moves in another order lead to the same key, unless the key is to know the past."""
    for exact in ("false", "true"):
        game = load(f"go:4x3,komi=1,exact_keys={exact}")
        one, two = played(game, "A1 B1 C1 D1"), played(game, "C1 D1 A1 B1")
        assert (key_of(game, one) == key_of(game, two)) == (exact == "false")
        forgot = one.copy(), two.copy()
        for states in forgot:
            game.forget(states[0])
        assert (forgot[0].tobytes() == forgot[1].tobytes()) == (exact == "false")
        twice = [key_of(game, played(game, "A1 B1 C1 D1")) for _ in range(2)]
        assert twice[0] == twice[1]
        others = [
            played(game, "A1 B1 C1"),  # the player
            played(game, "A1 B1 C1 pass"),  # a pass, the board
            played(game, "A1 B1 C1 D1", "4/4/4 w"),  # the colours
            game.read_position("4/4/bwbw b"),  # the number of moves
        ]
        assert len({key_of(game, states) for states in [one, *others]}) == 5


# eyes

EYES = [
    # the board, whose move, points where no stone is put because of eyes
    ("..b../.b.b./..b../...../.....", "b", {"C4"}),
    ("..b../.b.b./..b../...../.....", "w", set()),  # it is suicide for white, no eye
    (".wb../.b.b./..b../...../.....", "b", {"C4"}),  # one enemy diagonally
    (".wbw./.b.b./..b../...../.....", "b", set()),  # two: a false eye
    (".b.../b..../...../...../.....", "b", {"A5"}),
    (".b.../bw.../...../...../.....", "b", set()),  # one is enough in the corner
    (".b.b./..b../...../...../.....", "b", {"C5"}),
    (".b.b./.wb../...../...../.....", "b", set()),  # and at the edge
    (".w.../w..../...../...../.....", "w", {"A5"}),
    (".w.../wb.../...../...../.....", "w", set()),
]


@pytest.mark.parametrize(("line", "player", "eyes"), EYES)
def test_eyes(line, player, eyes):
    open_, kept = load("go:5x5,komi=0"), load("go:5x5,komi=0,keep_eyes=true")
    position = f"{line} {player}"
    legal = set(legal_texts(open_, open_.read_position(position)[0]))
    left = set(legal_texts(kept, kept.read_position(position)[0]))
    assert legal - left == eyes | {"pass"}
    for eye in eyes:
        with pytest.raises(DataError, match="it fills an eye"):
            kept.parse_move(kept.read_position(position)[0], eye)


def test_who_keeps_eyes_passes_when_nothing_else_is_left():
    game = load("go:5x1,komi=0,keep_eyes=true")
    states = game.read_position(".b.b. b")
    assert set(legal_texts(game, states[0])) == {"pass"}
    assert rewards(game, played(game, "pass pass", ".b.b. b")) == [1.0, 0.0]


# features and the order of moves


def of_move(game, states, text, method):
    return getattr(game, method)(states[0], game.parse_move(states[0], text))


def test_features():
    """The right, upper, left and lower side, from the lowest bits up; then taking and atari."""
    game = load("go:4x3,komi=1")
    states = game.read_position("..w./.wb./.b.. b")
    sides = {name: i for i, name in enumerate(("empty", "own", "enemy", "edge"))}

    def features(*names, takes=0, atari=0):
        number = sum(sides[name] << 2 * i for i, name in enumerate(names))
        return number | takes << 8 | atari << 9

    for text, expected in {
        "A1": features("own", "empty", "edge", "edge"),
        "C1": features("empty", "own", "own", "edge"),
        "B3": features("enemy", "edge", "empty", "enemy"),
        "A2": features("enemy", "empty", "edge", "empty"),
        "D2": features("edge", "empty", "own", "empty"),
        "D3": features("edge", "edge", "enemy", "empty"),
        "pass": 0,
    }.items():
        assert of_move(game, states, text, "features") == expected, text
    states = game.read_position("..w./bwb./.b.. b")  # B2 has B3 only
    assert of_move(game, states, "B3", "features") == features(
        "enemy", "edge", "empty", "enemy", takes=1
    )
    states = game.read_position("..w./bwb./.b.. w")
    assert of_move(game, states, "B3", "features") == features(
        "own", "edge", "empty", "own", atari=1
    )


def test_codes_name_point_and_player():
    for name in ("go:4x3,komi=1", "atarigo:4x4", "nogo:4x4"):
        game = load(name)
        black, move = game.root(), game.new_moves(1)[0]
        white = game.board_of("." * game.points, 1)
        codes = set()
        for move.point in range(game.max_moves):
            codes |= {int(game.code(states[0], move)) for states in (black, white)}
        assert len(codes) == 2 * game.max_moves


def test_order_of_moves_in_atarigo():
    """The paper's Algorithm 4: take, escape, stay close to enemies that have few liberties."""
    game = load("atarigo:5x5")
    states = game.read_position("...../.w.../wbw../...../...bb b")
    for text, bias in {
        "B2": 6.0,  # B3 escapes, with three liberties
        "C2": 3 - 3 / 4,  # three empty points beside it, and C3, which has three liberties
        "D3": 3 - 3 / 4,
        "A2": 2 - 2 / 4,
        "C4": 2 - 3 / 4,
        "A4": 1 - 2 / 4,  # beside A3 with two liberties and B4 with three
        "D4": (4 - 20) / 4,  # no enemy there
        "D2": (3 - 20) / 4,
        "A1": (2 - 20) / 4,
    }.items():
        assert of_move(game, states, text, "bias") == bias, text
    states = game.read_position("...../.b.../bwb../...../..ww. b")
    assert of_move(game, states, "B2", "bias") == 8.0  # takes B3
    states = game.read_position("....b/...../...../ww.../b.... b")
    assert of_move(game, states, "B1", "bias") == 0.0  # A1 would have one liberty still: 1 - 4 / 4


# larger boards, names, pictures, options


@pytest.mark.long
def test_symmetric_forms_of_a_long_game():
    """The boards of the past go along: those of the transformed game, and back again."""
    game = load("go:9x9,komi=0.5,keep_eyes=true")
    states = random_game(game, 5)
    state, form, back = states[-20], game.new_states(1)[0], game.new_states(1)[0]
    assert state.logged - state.count > 5  # stones were taken
    inverse = [0, 1, 2, 3, 4, 6, 5, 7]
    for symmetry in range(8):
        game.transform(state, symmetry, form)
        again = game.root()[0]
        move = game.new_moves(1)[0]
        for entry in form.log[: form.logged]:
            if entry >= 0:
                move.point = entry
                game.play(again, move)
        assert again.seen.tolist() == form.seen.tolist()
        assert again.sieve.tolist() == form.sieve.tolist()
        assert again.taken.tolist() == form.taken.tolist()
        assert game.cell_letters(again) == game.cell_letters(form)
        game.transform(form, inverse[symmetry], back)
        assert back.tobytes() == state.tobytes()


def test_a_large_board():
    game = load("go:19x19")
    names = set(legal_texts(game, game.root()[0]))
    assert len(names) == 362
    assert {"A1", "H9", "J10", "T19", "T1", "A19", "pass"} <= names
    assert not any(name.startswith("I") for name in names)
    states = played(game, "T19 S19 A1 T18")
    assert game.cell_letters(states[0]).count("b") == 1  # T19 was taken
    assert game.max_length == 722
    line = game.position_text(states[0])
    assert game.read_position(line).tobytes() == states.tobytes()


def test_pictures():
    game = load("go:9x9")
    states = played(game, "E5 pass J9 A1")
    assert (
        game.render(states[0])
        == """\
9 . . . . . . . . X
8 . . . . . . . . .
7 . . . . . . . . .
6 . . . . . . . . .
5 . . . . X . . . .
4 . . . . . . . . .
3 . . . . . . . . .
2 . . . . . . . . .
1 O . . . . . . . .
  A B C D E F G H J
black to move"""
    )
    assert game.svg(states[0]).count('r=".46"') == 3
    game = load("go:5x1,komi=0")
    for texts, says in {
        "": "black to move",
        "pass": "white to move, black passed",
        "pass pass": "a draw",
        "A1 pass pass": "black wins by 5",
        "pass A1 pass pass": "white wins by 5",
    }.items():
        assert game.render(played(game, texts)[0]).endswith("\n" + says)
    game = load("go:5x1,komi=0,length=6,unfinished=draw")
    states = played(game, "A1 pass C1 pass E1 pass")
    assert game.render(states[0]).endswith("a draw after 6 moves")
    game = load("nogo:3x2")
    assert game.render(game.root()[0]).endswith("black to move")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("go:20x19", "Go has no board of 20x19: it takes 1 to 19 columns and 1 to 19 rows"),
        ("go:0x3", "no board of 0x3"),
        ("nogo:3x20", "NoGo has no board of 3x20"),
        ("atarigo:20", "Atarigo has no board of 20x20"),
        ("go:length=0", "length is 0"),
        ("go:length=99999", "from 1 to 10000 moves"),
        ("go:komi=much", "komi=much: a number"),
        ("go:unfinished=maybe", "one of score, draw"),
        ("go:superko=no", "no option 'superko'"),
        ("nogo:komi=1", "no option 'komi'"),
    ],
)
def test_bad_options(name, says):
    with pytest.raises(OptionError) as caught:
        load_game(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
