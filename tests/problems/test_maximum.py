"""Maximum: values against dynamic programming and against Python's own arithmetic."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.errors import DataError, ProblemError
from playout.problems import Maximum
from playout.problems.maximum import MOST_ATOMS
from tests.support.bothways import assert_compiled_is_plain, random_game

quick = settings(max_examples=40, deadline=None, derandomize=True)


@cache
def optimum(ones: int) -> int:
    """The largest value with so many ones, over every split of them between two operands."""
    if ones == 1:
        return 1
    pairs = [(optimum(a), optimum(ones - a)) for a in range(1, ones // 2 + 1)]
    return max(max(a + b, a * b) for a, b in pairs)


def moves_of(problem, text):
    moves = np.zeros(len(text), problem.move_type)
    moves["atom"] = ["1+*".index(char) for char in text]
    return moves


def all_values(problem):
    """The value of every expression, by every line of play."""
    values = []

    def go(states):
        moves = problem.new_moves()
        n = problem.moves(states[0], moves)
        if n == 0:
            values.append(problem.final_score(states))
        for i in range(n):
            after = states.copy()
            problem.play(after[0], moves[i])
            go(after)

    go(problem.root())
    return values


# Trees with k operators are the Catalan number C(k), each operator one of two: 1, 2, 8, 40, 224.
@pytest.mark.parametrize(
    ("n", "count"), [(1, 1), (2, 1), (3, 3), (4, 3), (5, 11), (7, 51), (9, 275)]
)
def test_the_best_of_all_expressions_is_the_optimum(n, count):
    values = all_values(Maximum(n))
    assert len(values) == count
    assert max(values) == optimum((n + 1) // 2)


def test_the_optimum_is_made_of_threes():
    assert [optimum(ones) for ones in range(1, 11)] == [1, 2, 3, 4, 6, 9, 12, 18, 27, 36]
    assert optimum(99) == 3**33


def test_the_default_is_the_smallest_that_reaches_the_papers_mean():
    mean = 3_928_494_648e6
    n = Maximum.default().n
    assert n % 2 == 1
    assert optimum((n + 1) // 2) >= mean > optimum((n - 1) // 2)
    assert optimum((n + 1) // 2) < 2**53  # values are exact


def test_the_largest_n_has_a_finite_optimum():
    assert float(3 ** (MOST_ATOMS // 6 + 1)) < np.inf


def test_a_known_expression():
    """(1 + 1 + 1) * (1 + 1) = 6, in prefix order * + 1 + 1 1 + 1 1."""
    problem = Maximum(9)
    moves = moves_of(problem, "*+1+11+11")
    states = problem.replay(moves)
    assert problem.final_score(states) == problem.verify(moves) == 6.0
    assert problem.expression(moves) == "(1 + 1 + 1) * (1 + 1)"
    assert problem.render(states[0]) == problem.expression(moves)


@pytest.mark.parametrize(
    ("prefix", "infix"),
    [
        ("1", "1"),
        ("+11", "1 + 1"),
        ("+*111", "1 * 1 + 1"),
        ("*1+11", "1 * (1 + 1)"),
        ("**111", "1 * 1 * 1"),
        ("+1*1+11", "1 + 1 * (1 + 1)"),
    ],
)
def test_parentheses(prefix, infix):
    assert Maximum(9).expression(moves_of(Maximum(9), prefix)) == infix


@quick
@given(st.integers(1, 60), st.integers(0, 2**32))
def test_random_expressions_have_the_value_that_python_gives_them(n, seed):
    problem = Maximum(n)
    moves, states = random_game(problem, seed)
    assert len(moves) <= n
    value = problem.final_score(states)
    assert value == problem.verify(moves) == eval(problem.expression(moves))
    # what `play` worked with is cleared away, so that equal positions are equal bytes
    assert not states[0].lefts.any()
    assert not states[0].operators.any()


def test_leaves_only_when_there_is_no_room():
    problem = Maximum(4)
    moves = problem.new_moves()
    states = problem.root()
    assert problem.moves(states[0], moves) == 3
    problem.play(states[0], moves_of(problem, "+")[0])
    assert problem.moves(states[0], moves) == 1
    assert problem.render(states[0]) == "? + ?"


def test_codes_are_position_and_atom():
    problem = Maximum(9)
    states = problem.root()
    assert [int(problem.code(states[0], m)) for m in moves_of(problem, "1+*")] == [0, 1, 2]
    problem.play(states[0], moves_of(problem, "+")[0])
    assert [int(problem.code(states[0], m)) for m in moves_of(problem, "1+*")] == [3, 4, 5]


@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        ("", "not complete"),
        ("+1", "not complete: it lacks 1"),
        ("11", "move 2: .*complete before"),
        ("++1+1111", "complete before|at most"),
        ("+1+1+11", "7 atoms; at most 5"),
    ],
)
def test_verify_refuses(prefix, reason):
    with pytest.raises(ProblemError, match=reason):
        Maximum(5).verify(moves_of(Maximum(5), prefix))


def test_compiled_is_plain():
    assert_compiled_is_plain(Maximum(61))


def test_large_values_stay_finite_and_verified():
    """All ones in threes, at the limit of n: about 1e302, where sums are rounded."""
    problem = Maximum(MOST_ATOMS)
    ones = (MOST_ATOMS + 1) // 2 // 3
    moves = moves_of(problem, "*" * (ones - 1) + "++111" * ones)
    states = problem.root()
    for move in moves:
        problem.play(states[0], move)
    assert 1e300 < problem.final_score(states) < np.inf
    assert problem.verify(moves) == problem.final_score(states)
    assert problem.expression(moves).count("1") == 3 * ones


def test_write_and_read(tmp_path):
    file = tmp_path / "n.txt"
    file.write_text("# atoms\n" + Maximum(31).write())
    assert [problem.n for problem in Maximum.read(file)] == [31]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#\n", "no number"),
        ("1 2\n", "line 1: more than one"),
        ("7\n8\n", "line 2: more text"),
        ("x\n", "line 1: 'x' is not"),
        ("0\n", "line 1: 0 atoms"),
        ("999999\n", "line 1: 999999"),
    ],
)
def test_bad_files(tmp_path, text, message):
    file = tmp_path / "n.txt"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        Maximum.read(file)


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "9", MOST_ATOMS + 1])
def test_bad_n(n):
    with pytest.raises(DataError, match="whole number of atoms"):
        Maximum(n)


def test_random_says_why_not():
    with pytest.raises(ProblemError, match="no random instances"):
        Maximum.random(1)


def test_pictures():
    problem = Maximum(9)
    states = problem.replay(moves_of(problem, "*+1+11+11"))
    assert len(ElementTree.fromstring(problem.svg(states[0]))) == 8 + 2 * 9  # lines, nodes, signs
    ElementTree.fromstring(problem.svg(problem.root()[0]))
