"""Moves as somebody gives them: results, values, texts, records; what is wrong is told where."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.errors import DataError, ProblemError


class Fill(po.Problem):
    """Put a number from 0 to 2 into each of two cells, with a pair of marks beside it."""

    inner = po.record(mark="i1", share="f4")

    def __init__(self):
        self.state_type = po.record(row="i8", total="i8")
        self.move_type = po.record(row="i1", number="u1", on="?", pair=("i2", 2), inner=self.inner)
        self.max_moves, self.max_length = 3, 2

    def reset(self, state):
        pass

    def moves(self, state, moves):
        for i in range(3):
            moves[i].row, moves[i].number, moves[i].on = state.row, i, i == 2
            moves[i].pair[0], moves[i].pair[1] = i, -i
            moves[i].inner.mark, moves[i].inner.share = i, 0.1
        return 3 if state.row < 2 else 0

    def play(self, state, move):
        state.row += 1
        state.total += move.number * 10 ** (2 - state.row)

    def score(self, state):
        return float(state.total)


class Items(po.Problem):
    """Take two of three things; a move has one field."""

    def __init__(self):
        self.state_type = po.record(taken=("?", 3), n="i8")
        self.move_type = po.record(item="i4")
        self.max_moves, self.max_length = 3, 2

    def moves(self, state, moves):
        k = 0
        for item in range(3):
            if state.n < 2 and not state.taken[item]:
                moves[k].item = item
                k += 1
        return k

    def play(self, state, move):
        state.taken[move.item] = True
        state.n += 1

    def score(self, state):
        return state.taken[2] + 2.0 * state.taken[1]


class Steps(po.Problem):
    """Three steps of 1 or 2."""

    def __init__(self):
        self.state_type, self.move_type = po.record(n="i8", sum="i8"), "i2"
        self.max_moves, self.max_length = 2, 3

    def reset(self, state):
        pass

    def moves(self, state, moves):
        moves[0], moves[1] = 1, 2
        return 2 if state.n < 3 else 0

    def play(self, state, move):
        state.n += 1
        state.sum += move

    def score(self, state):
        return float(state.sum)


@pytest.fixture(scope="module")
def result():
    return po.solve(Fill(), "nmcs", playouts=50, seed=1, compiled=False)


def test_a_move_is_read_by_a_person(result):
    assert result.score == 22
    assert result.moves[1] == "row=1 number=2 on=True pair=[2,-2] inner=(2, 0.1)"


def test_all_that_names_a_solution_is_verified(result):
    problem = Fill()
    array = problem.as_moves(result.records)
    assert array.dtype == problem.move_type
    for given in (result, result.records, result.moves, array, list(array), array.tolist()):
        assert problem.verify(given) == 22
        assert problem.as_moves(given).tobytes() == array.tobytes()
        assert problem.replay(given)[0].total == 22


def test_plain_numbers(result):
    problem = Steps()
    for given in (
        [1, 2, 2],
        [[1], [2], [2]],
        ["1", "2", "2"],
        np.array([1, 2, 2]),
        iter([1, 2, 2]),
    ):
        assert problem.verify(given) == 5


class Cells(Steps):
    """Steps whose moves have two fields."""

    def __init__(self):
        super().__init__()
        self.move_type = po.record(row="i8", col="i8")

    def moves(self, state, moves):
        for i in range(2):
            moves[i].row, moves[i].col = state.n, i + 1
        return 2 if state.n < 3 else 0

    def play(self, state, move):
        state.n += 1
        state.sum += move.col


def test_a_person_may_leave_the_names_out():
    problem = Cells()
    assert problem.verify(["row=0 col=1", "1 2", "ROW=2  col=2"]) == 5
    with pytest.raises(ProblemError, match="move 2, '12', is not legal there: row=1 col=1, row=1"):
        problem.verify(["0 1", "12", "2 1"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 1], [1, 1]], "not over after its 2 moves: 2 more are possible"),
        ([[0, 1], [1, 3], [2, 1]], r"move 2, \(1, 3\), is not legal there"),
        ([[0, 1], [1, 1], [2, 2], [3, 1]], r"move 4, \(3, 1\), is not legal there"),
        ([[0, 1], [1]], r"move 2, \[1\], is no move of Cells: give a value for each of row, col"),
        ([[0, 1], [1, 1.5]], r"move 2, \[1, 1.5\], is no move"),
        ([[0, 1], [1, 2**70]], r"move 2, .*, is no move"),
        ([[0, 1], [1, None]], r"move 2, \[1, None\], is no move"),
        ([[0, 1], 7], "move 2, 7, is no move"),
        (["0 1", [1, 1]], r"move 2, \[1, 1\], is no text, as others are"),
        (["0 1", "1 1", "2 1", "3 1"], "move 4, '3 1', comes after the end of the game"),
        ("0 1", "'0 1' is no solution: give a result"),
        (5, "5 is no solution"),
    ],
)
def test_what_is_wrong_is_told_where(given, message):
    with pytest.raises((ProblemError, DataError), match=message):
        Cells().verify(given)


@pytest.mark.parametrize("name", ["maximum:n=9", "samegame:rows=4,columns=4", "coloring", "tsptw"])
def test_built_in_referees_take_them_too(name):
    from playout.problems.instances import open_problem

    problem, _ = open_problem(name, "random:1" if name in ("coloring", "tsptw") else None)
    found = po.solve(problem, "random", playouts=3, seed=1, compiled=False)
    assert found.verified
    for given in (found, found.records, found.moves):
        assert problem.verify(given) == pytest.approx(found.score)


@pytest.mark.parametrize(
    "given", [["item=1", "item=2"], ["1", "2"], {"moves": ["1", "2"]}, {"records": [[1], [2]]}]
)
def test_a_field_by_its_name_and_what_json_has(given):
    assert Items().verify(given) == 3.0


@pytest.mark.parametrize("given", ["moves.json", {"score": 3}, None])
def test_what_is_no_solution(given):
    with pytest.raises(
        DataError, match=r"is no solution: give a result \(Result.load reads a file"
    ):
        Items().verify(given)


def test_one_move_and_one_more():
    with pytest.raises(ProblemError, match="not over after its 1 move: 2 more are possible there"):
        Items().verify([1])
    with pytest.raises(
        ProblemError, match=r"Broken\.score\(\) returned None; it should be a number"
    ):
        type("Broken", (Items,), {"score": lambda self, state: None})().verify([1, 2])
