"""`check_problem` finds each way of breaking the contract, and finds nothing in what keeps it."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from playout.check import CheckReport, check_problem
from playout.compiled.records import copy_of, record
from playout.contract import Game, Problem
from playout.errors import ProblemError
from playout.problems.samegame import SameGame
from tests.support.contract_cases import Costly, Nim, Sum, assert_found, changed

counter = itertools.count()


def attribute(**values):
    problem = Sum()
    for name, value in values.items():
        setattr(problem, name, value)
    return problem


def without(name):
    problem = Sum()
    del problem.__dict__[name]
    return problem


# the broken ways


def moves_beyond(self, state, moves):
    for i in range(5):
        moves[i].pick = i
    return 5


def moves_count(self, state, moves):
    return 9


def moves_float(self, state, moves):
    return 1.0 * Sum.moves(self, state, moves)


def moves_negative(self, state, moves):
    return -1


def moves_twice(self, state, moves):
    n = Sum.moves(self, state, moves)
    if n > 1:
        moves[n - 1] = moves[0]
    return n


def moves_partly(self, state, moves):
    n = 0
    if state.left > 0:
        for i in range(4):
            if state.taken[i] == 0:
                moves[n].pick = i
                n += 1
    return n


def moves_changing(self, state, moves):
    n = Sum.moves(self, state, moves)
    state.total = n
    return n


def moves_by_chance(self, state, moves):
    n = Sum.moves(self, state, moves)
    return max(n - next(counter) % 2, 0)


def moves_reordered(self, state, moves):
    n = Sum.moves(self, state, moves)
    moves[:n] = np.roll(moves[:n], next(counter))
    return n


def moves_of_another_kind(self, state, moves):
    raise ValueError("three is not\nenough")


def reset_by_chance(self, state):
    state.left = 3
    state.total = next(counter)


def play_changing_the_move(self, state, move):
    Sum.play(self, state, move)
    move.place = 0


def play_changing_the_problem(self, state, move):
    Sum.play(self, state, move)
    self.weights[0] += 1


def play_counting(self, state, move):
    Sum.play(self, state, move)
    self.max_moves += 1


def play_by_chance(self, state, move):
    Sum.play(self, state, move)
    state.total += next(counter)


def play_without_end(self, state, move):
    state.left = 3


def score_changing(self, state):
    state.left += 1
    return state.total


def score_nothing(self, state):
    pass


def score_text(self, state):
    return "high"


def score_by_chance(self, state):
    return float(next(counter))


def integer_by_chance(self, state, move=None):
    return next(counter)


def key_changing(self, state):
    state.total += 1
    return 1


def play_returning(self, state, move):
    after = copy_of(state)
    after.left -= 1
    return after


def play_misspelt(self, state, move):
    state.lef -= 1


def verify_wrong(self, moves):
    return Problem.verify(self, moves) + 1


def render_failing(self, state):
    return state.nothing


def text_changing(self, state, move):
    state.left = 0
    return ""


BROKEN = [
    (lambda: without("max_moves"), "declarations", "sets no max_moves"),
    (lambda: attribute(max_length=0), "declarations", "max_length is 0"),
    (lambda: attribute(state_type=np.dtype([("a", "i8")])), "declarations", "playout.record"),
    (
        lambda: attribute(move_type=np.dtype((np.record, [("size", "i8")]))),
        "declarations",
        "playout.record",
    ),
    (
        lambda: attribute(move_type=np.dtype((np.record, [("dtype", "i8")]))),
        "declarations",
        "'dtype'",
    ),
    (lambda: changed(fields=("weights", "rates")), "fields", "names 'rates'"),
    (lambda: changed(players=2), "players", "one player"),
    (lambda: changed(moves=Problem.moves), "moves() is not implemented", "define moves()"),
    (lambda: changed(score=Problem.score), "score() is not implemented", "game 1, at the end"),
    (lambda: changed(moves=moves_beyond), "moves() fills more than max_moves", "max_moves is 4"),
    (lambda: changed(moves=moves_count), "moves() returns a number out of range", "returned 9"),
    (lambda: changed(moves=moves_negative), "moves() returns a number out of range", "returned -1"),
    (lambda: changed(moves=moves_float), "moves() does not return a number of moves", "4.0"),
    (lambda: changed(moves=moves_twice), "moves() gives a move twice", "moves[0] and moves[3]"),
    (
        lambda: changed(moves=moves_partly),
        "moves() leaves part of a move unset or changes its mind",
        "set every field",
    ),
    (
        lambda: changed(moves=moves_reordered),
        "moves() leaves part of a move unset or changes its mind",
        "leave chance out",
    ),
    (lambda: changed(moves=moves_changing), "moves() changes the state", "total is 0.0 and 4.0"),
    (lambda: changed(moves=moves_by_chance), "moves() is not the same each time", "then"),
    (lambda: changed(moves=moves_of_another_kind), "moves() fails", "test_check_problem.py, line "),
    (lambda: changed(moves=lambda self, state: 0), "declarations", "moves(self, state, moves)"),
    (lambda: changed(reset=reset_by_chance), "reset() is not the same each time", "total is"),
    (lambda: changed(play=play_changing_the_move), "play() changes the move", "became"),
    (
        lambda: changed(play=play_changing_the_problem),
        "play() changes the problem itself",
        "self.weights",
    ),
    (lambda: changed(play=play_counting), "play() changes the problem itself", "self.max_moves"),
    (lambda: changed(play=play_by_chance), "play() is not the same each time", "total is"),
    (
        lambda: changed(play=play_without_end),
        "the game is longer than max_length",
        "max_length is 3",
    ),
    (
        lambda: changed(play=play_returning),
        "play() returns something and changes nothing",
        "should change the state that it is given",
    ),
    (
        lambda: changed(play=play_misspelt),
        "play() fails",
        "`state.lef -= 1`: the record has no field 'lef': did you mean left?",
    ),
    (
        lambda: changed(score=lambda self, state: state.total > 3),
        "score() is no number",
        "write float(...)",
    ),
    (lambda: attribute(state_type={"a": "i8"}), "declarations", "make it with playout.record"),
    (lambda: changed(score=score_changing), "score() changes the state", "left is 0 and 1"),
    (lambda: changed(score=score_nothing), "score() returns None", "end in a return"),
    (lambda: changed(score=score_text), "score() is not a finite number", "'high'"),
    (lambda: changed(score=lambda self, state: np.nan), "score() is not a finite number", "nan"),
    (lambda: changed(score=lambda self, state: -np.inf), "score() is not a finite number", "-inf"),
    (lambda: changed(score=score_by_chance), "score() is not the same each time", "then"),
    (lambda: changed(code=lambda self, state, move: 1.5), "code() is not an integer", "1.5"),
    (
        lambda: changed(code=lambda self, state, move: 1 << 70),
        "code() has more than 64 bits",
        "np.uint64",
    ),
    (lambda: changed(code=integer_by_chance), "code() is not the same each time", "then"),
    (
        lambda: changed(bias=lambda self, state, move: np.inf),
        "bias() is not a finite number",
        "inf",
    ),
    (lambda: changed(bias=integer_by_chance), "bias() is not the same each time", "then"),
    (lambda: changed(key=key_changing), "key() changes the state", "total"),
    (lambda: changed(key=lambda self, state: 0.5), "key() is not an integer", "0.5"),
    (lambda: changed(key=integer_by_chance), "key() is not the same each time", "then"),
    (lambda: changed(verify=verify_wrong), "verify() disagrees with score()", "score() says"),
    (lambda: changed(render=render_failing), "render() fails", "return state.nothing"),
    (lambda: changed(render=lambda self, state: 3), "render() does not return text", "3"),
    (lambda: changed(svg=lambda self, state: None), "svg() does not return text", "None"),
    (lambda: changed(move_text=text_changing), "move_text() changes the state", "left is 3 and 0"),
    (lambda: changed(Nim, turn=lambda self, state: 2), "turn() is not a player", "from 0 to 1"),
    (lambda: changed(Nim, turn=Game.turn), "turn() is not implemented", "define turn()"),
    (
        lambda: changed(Nim, reward=lambda self, state, player: np.nan),
        "reward() is not a finite number",
        "nan",
    ),
]


@pytest.mark.parametrize(
    ("make", "title", "says"), BROKEN, ids=[f"{i}-{b[1]}" for i, b in enumerate(BROKEN)]
)
def test_a_broken_problem(make, title, says):
    assert_found(check_problem(make()), title, says)


# what keeps the contract


@pytest.mark.parametrize("make", [Sum, Nim, Costly], ids=["problem", "game", "evaluate"])
def test_what_keeps_the_contract_passes(make):
    report = check_problem(make())
    assert report.passed, str(report)
    assert report.games == 20
    assert report.compiled
    assert report.moves >= 60
    assert not report.notes


@pytest.mark.long
@pytest.mark.parametrize("tabu", [True, False])
def test_samegame_passes(tabu):
    board = np.random.default_rng(3).integers(0, 3, (4, 5))
    report = check_problem(SameGame(board, tabu=tabu), games=5)
    assert report.passed, str(report)


def test_a_problem_whose_start_is_its_end_passes():
    def moves(self, state, moves):
        return 0

    report = check_problem(changed(moves=moves), games=2)
    assert report.passed, str(report)
    assert report.moves == 0


def test_the_report_reads_well_and_cannot_be_changed():
    report = check_problem(Sum(), games=2, compiled=False)
    assert str(report) == "Sum: passed (2 games, 6 moves, plain Python)"
    assert isinstance(report, CheckReport)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.games = 3
    broken = check_problem(changed(moves=moves_count), games=2)
    assert str(broken).splitlines()[0] == "Broken: 1 problem (1 game, 0 moves, plain Python)"
    assert "it should be from 0 to max_moves, which is 4" in str(broken)
    assert "note: not compared with compiled code" in str(broken)


def test_the_same_seed_plays_the_same_games():
    def moves_of(seed):
        played = []

        def play(self, state, move):
            played.append(int(move.pick))
            Sum.play(self, state, move)

        check_problem(changed(play=play), games=5, seed=seed, compiled=False)
        return played

    assert moves_of(1) == moves_of(1)
    assert moves_of(1) != moves_of(2)


def test_a_move_that_stands_twice_is_told_once():
    report = check_problem(changed(moves=moves_twice), games=2)
    assert report.notes == ("not compared with compiled code: plain Python comes first",)


def test_something_that_is_no_problem_is_refused():
    with pytest.raises(ProblemError, match="neither"):
        check_problem(3)


def test_a_number_that_has_no_room_is_told_with_what_would_have():
    def play(self, state, move):
        state.left -= 1
        state.small = 300

    class Small(Sum):
        def __init__(self):
            super().__init__()
            kinds = {name: self.state_type[name] for name in self.state_type.names}
            self.state_type = record(**kinds, small="i1")

    assert 'a wider type, such as "i4"' in str(check_problem(changed(Small, play=play), games=1))


def test_a_class_is_no_problem():
    with pytest.raises(ProblemError, match="Sum is a class: give an instance of it"):
        check_problem(Sum)
