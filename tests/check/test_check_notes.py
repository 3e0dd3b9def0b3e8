"""What `check_problem` lets pass and notes: shared codes, games without a move, lost fractions."""

from __future__ import annotations

import pytest

from playout.check import check_problem
from playout.compiled import record
from playout.contract import Problem
from tests.support.contract_cases import Nim, changed


def test_moves_that_share_a_code_are_noted_only():
    def code(self, state, move):
        return move.pick // 2

    report = check_problem(changed(code=code), games=2, compiled=False)
    assert report.passed
    (note,) = report.notes  # though it is so at every move
    assert "the same code" in note


def test_a_game_without_a_move_is_noted():
    report = check_problem(changed(moves=lambda self, state, moves: 0), games=2, compiled=False)
    assert report.notes == ("no game had a move: moves() returns 0 at the start",)


class Halves(Problem):
    """Moves and a state that lose what is behind the point."""

    fields = ("half", "into")

    def __init__(self, into):
        self.half, self.into = 0.5, into
        self.state_type = record(left="i4", sum="i4", mean="f8")
        self.move_type = record(size="i8") if into == "move.size" else "i8"
        self.max_moves = self.max_length = 2

    def reset(self, state):
        state.left = 2

    def moves(self, state, moves):
        for i in range(state.left):
            if self.into == "move.size":
                moves[i].size = i * 1.5
            else:
                moves[i] = i * (1.5 if self.into == "a move" else 2.0)
        return state.left

    def play(self, state, move):
        state.left -= 1
        state.sum += self.half if self.into == "state.sum" else 1.0
        state.mean += self.half

    def score(self, state):
        return float(state.sum)


@pytest.mark.parametrize("where", ["state.sum", "a move", "move.size"])
def test_a_fraction_that_is_lost_is_noted(where):
    (note,) = check_problem(Halves(where), games=2, compiled=False).notes
    assert f"into {where}, a whole number: its fraction is lost (game 1, move 1)" in note


def test_a_whole_number_that_is_a_float_is_none():
    assert not check_problem(Halves("nowhere"), games=2, compiled=False).notes


def test_rewards_that_solvers_do_not_expect_are_noted():
    def reward(self, state, player):
        return 2 * Nim.reward(self, state, player) - 1

    report = check_problem(changed(Nim, reward=reward), games=4, compiled=False)
    assert report.passed
    (note,) = report.notes
    assert "-1.0, which is none of outcomes = (0.0, 0.5, 1.0)" in note
    known = changed(Nim, reward=reward, outcomes=(-1.0, 1.0))
    assert not check_problem(known, games=4, compiled=False).notes
