"""`check_problem` finds each way in which a game's notation and symmetries can be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from playout.check import check_problem
from playout.check.compiled import CompiledTrace, _play, _transform
from playout.compiled import copy_record, kernel
from playout.contract import Game
from playout.errors import DataError, ProblemError
from playout.games import TicTacToe
from tests.support.contract_cases import Nim, changed


def without_a_field(self, state, symmetry, out):
    out.stones[:] = state.stones
    out.won = state.won


def move_without_a_field(self, move, symmetry, out):
    pass


def no_identity(self, state, symmetry, out):
    TicTacToe.transform(self, state, symmetry, out)
    out.won = state.won + (symmetry == 0)


def not_the_same_cell(self, move, symmetry, out):
    out.cell = move.cell


def off_the_board(self, move, symmetry, out):
    out.cell = 9 if symmetry and move.cell == 3 else self.moved[symmetry, move.cell]


def always_the_middle(self, move, symmetry, out):
    out.cell = 4 if symmetry else move.cell


def turn_changed(self, state, symmetry, out):
    TicTacToe.transform(self, state, symmetry, out)
    if symmetry:
        out.player = 1 - state.player


def state_only(self, state, symmetry, out):
    copy_record(state, out)


def play_lopsided(self, state, move):
    TicTacToe.play(self, state, move)
    if move.cell == 0:
        state.stones[0] |= 4


def won_forgotten(self, state, symmetry, out):
    TicTacToe.transform(self, state, symmetry, out)
    if symmetry:
        out.won = 0


def reward_of_a_corner(self, state, player):
    return float(state.stones[0] & 1)


def another_position(self, text):
    return self.root()


def no_array(self, text):
    return self.root()[0]


def refuses(self, text):
    raise DataError("no")


def two_lines(self, state):
    return "x\n"


def parse_first(self, state, text):
    moves = self.new_moves()
    self.moves(state, moves)
    return moves[0].copy()


def changing_text(self, state):
    state.player = 1
    return "x"


BROKEN = [
    (dict(transform=without_a_field), "transform() leaves part of the state unset", "every field"),
    (
        dict(transform_move=move_without_a_field),
        "transform_move() leaves part of the move unset",
        "every field",
    ),
    (dict(transform=no_identity), "symmetry 0 is not the identity", "game 1"),
    (dict(transform_move=not_the_same_cell), "transform() and play() do not fit", "stones[0] is"),
    (
        dict(transform_move=off_the_board),
        "transform() and transform_move() do not fit moves()",
        "(3,) becomes (9,) under symmetry 1, which is not legal there",
    ),
    (
        dict(transform_move=always_the_middle),
        "transform() and transform_move() do not fit moves()",
        "two moves become the same under symmetry 1",
    ),
    (dict(where=lambda self, state, move: [1, 2]), "where() does not return points", "[1, 2]"),
    (
        dict(where=lambda self, state, move: ((1e6, 2.0),)),
        "where() is outside of the picture",
        "1000000.0",
    ),
    (
        dict(where=lambda self, state, move: ((9.0, 9.0),)),
        "where() gives two moves the same place",
        "moves[0] and moves[1]",
    ),
    (dict(transform=turn_changed), "transform() changes whose turn it is", "0 became 1"),
    (dict(transform=state_only), "transform() and play() do not fit", "stones[0] is"),
    (dict(play=play_lopsided), "transform() and play() do not fit", "before and after symmetry"),
    (
        dict(transform=won_forgotten),
        "transform() and transform_move() do not fit moves()",
        "there are 0 moves",
    ),
    (dict(reward=reward_of_a_corner), "transform() changes the reward", "became"),
    (dict(symmetries=3), "the symmetries are not a group", "lowest key()"),
    (dict(symmetries=0), "declarations", "symmetries is 0"),
    (
        dict(read_position=another_position),
        "read_position() does not read what position_text() writes",
        "became",
    ),
    (
        dict(read_position=no_array),
        "read_position() does not return an array of one state",
        "record",
    ),
    (dict(read_position=refuses), "read_position() fails", "DataError: no"),
    (
        dict(read_position=Game.read_position),
        "position_text() and read_position() go together",
        "position_text() only",
    ),
    (dict(position_text=two_lines), "position_text() is not one line", "x\\n"),
    (dict(position_text=changing_text), "position_text() changes the state", "player is 0 and 1"),
    (dict(parse_move=parse_first), "parse_move() does not read what move_text() writes", "'b2'"),
    (
        dict(move_text=lambda self, state, move: "ab"[move.cell % 2]),
        "move_text() gives two moves the same text",
        "moves[0] and moves[2] are both 'a'",
    ),
    (dict(features=lambda self, state, move: 0.5), "features() is not an integer", "0.5"),
    (dict(codes=17), "code() is not below codes", "17 for (8,), but codes is 17"),
    (dict(code=lambda self, state, move: -1), "code() is not below codes", "but codes is 18"),
    (dict(codes=-1), "declarations", "codes is -1; it should be a whole number from 0"),
    (dict(features=lambda self, state, move: 1), "features() is not below kinds", "but kinds is 1"),
    (dict(kinds=0), "declarations", "kinds is 0; it should be a whole number from 1"),
    (dict(reward=lambda self, state, player: None), "reward() returns None", "return"),
    (dict(is_over=lambda self, state: False), "is_over() is the package's own", "rename it"),
]


@pytest.mark.parametrize(
    ("methods", "title", "says"), BROKEN, ids=[f"{i}-{b[1]}" for i, b in enumerate(BROKEN)]
)
def test_a_broken_game(methods, title, says):
    report = check_problem(changed(TicTacToe, **methods), compiled=False)
    found = {finding.title: finding.explanation for finding in report.problems}
    assert title in found, str(report)
    assert says in found[title]
    assert "\n" not in found[title]


FROZEN = np.zeros(1, np.int64)


def frozen_features(self, state, move):
    return FROZEN[0]


def frozen_transform(self, state, symmetry, out):
    out.stones[0] = state.stones[0]
    out.stones[1] = state.stones[1]
    out.player = state.player
    out.won = state.won + FROZEN[0]


def frozen_transform_move(self, move, symmetry, out):
    out.cell = move.cell + FROZEN[0]


@pytest.mark.parametrize(
    ("methods", "says"),
    [
        (dict(features=frozen_features), "features() is 0 in plain Python and 1 compiled"),
        (dict(transform=frozen_transform), "after transform(), state.won is 0 and 1"),
        (dict(transform_move=frozen_transform_move), "after transform_move(), move.cell is"),
    ],
)
def test_a_difference_between_plain_and_compiled_is_found(methods, says):
    """Numba freezes a global array at compiling; plain Python reads what it is later."""
    # two symmetries that both change nothing are a group too
    same = dict(symmetries=2, transform=Game.transform, transform_move=Game.transform_move)
    game = changed(TicTacToe, **(same | methods))
    states, moves = game.new_states(2), game.new_moves()
    FROZEN[0] = 1  # and now compile it
    _transform(game, states[:1], moves[:1], 2, states.copy(), moves[:2].copy())
    _play(game, np.zeros(1), CompiledTrace(game, 2, 9))
    FROZEN[0] = 0
    report = check_problem(game, games=2)
    (finding,) = report.problems
    assert finding.title == "compiled code differs from plain Python"
    assert says in finding.explanation


def test_copy_record_both_ways():
    game = TicTacToe()
    states = game.new_states(3)
    game.play(states[0], game.new_moves()[0])

    @kernel
    def copy(states):
        copy_record(states[0], states[2])

    copy_record(states[0], states[1])
    copy(states)
    assert states[0].tobytes() == states[1].tobytes() == states[2].tobytes()


def test_a_game_without_notation_says_so():
    game = Nim()
    for call in (lambda: game.position_text(game.root()[0]), lambda: game.read_position("x")):
        with pytest.raises(DataError, match="Nim has no notation for positions"):
            call()


def test_moves_are_read_as_they_are_written():
    game = Nim()
    state = game.root()[0]
    assert game.parse_move(state, " 2 ").sticks == 2
    with pytest.raises(DataError, match="'4' is not a legal move here; legal: 1, 2, 3"):
        game.parse_move(state, "4")
    twice = changed(Nim, move_text=lambda self, state, move: "take")
    with pytest.raises(DataError, match="names 3 legal moves: it is ambiguous"):
        twice.parse_move(state, "take")


def test_replay_from_a_position():
    game = TicTacToe()
    start = game.read_position("x../.o./..x o")
    moves = game.new_moves(2)
    for i, text in enumerate(("a1", "c3")):
        moves[i] = game.parse_move(start[0], text)
    assert game.position_text(game.replay(moves, start)[0]) == "x.x/.o./o.x o"
    assert game.position_text(start[0]) == "x../.o./..x o"
    with pytest.raises(ProblemError, match="move 3"):
        game.replay(np.concatenate([moves, moves[:1]]), start)
