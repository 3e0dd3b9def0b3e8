"""A name of the contract that a class takes for a number or an array is told as such."""

import numpy as np
import pytest

import playout as po
from playout.errors import PlayoutError, ProblemError
from playout.games import TicTacToe
from playout.problems.instances import find_instance


class Order(po.Problem):
    """Take four things in any order."""

    fields = ("n",)

    def __init__(self, n=4, **more):
        self.n = n
        self.state_type = po.record(used=("i1", n), total="f8")
        self.move_type = po.record(item="i4")
        self.max_moves, self.max_length = n, n
        vars(self).update(more)

    def moves(self, state, moves):
        k = 0
        for item in range(self.n):
            if state.used[item] == 0:
                moves[k].item = item
                k += 1
        return k

    def play(self, state, move):
        state.used[move.item] = 1
        state.total = 2 * state.total + move.item

    def score(self, state):
        return state.total


@pytest.mark.parametrize("name", ["bound", "worth", "left", "where", "key", "bias", "as_moves"])
@pytest.mark.parametrize("value", [7, np.arange(4)])
def test_what_is_a_method_of_the_package_is_not_a_number(name, value):
    problem = Order(**{name: value})
    match = rf"Order\.{name} is of type \w+, but the package has a method {name}\(\)"
    with pytest.raises(ProblemError, match=match):
        po.solve(problem, "random", playouts=3, seed=1, compiled=False)
    assert not po.check_problem(problem, games=1, compiled=False).passed


def test_a_constant_of_the_class_is_told_as_well():
    class Left(Order):
        left = 5

    with pytest.raises(ProblemError, match="another name"):
        Left().check_attributes()


@pytest.mark.parametrize("name", ["teams", "players"])
@pytest.mark.parametrize("value", [0, np.arange(4)])
def test_players_and_teams_of_ones_own_need_another_name(name, value):
    with pytest.raises(ProblemError, match=rf"Order\.{name} is .*another name"):
        Order(**{name: value}).check_attributes()


@pytest.mark.parametrize("value", [7, ["boards"], {"boards": 3}])
def test_collections_of_ones_own_need_another_name(value):
    with pytest.raises(ProblemError, match=r"Order\.collections is .*another name"):
        po.solve(Order(collections=value), "random", playouts=3, seed=1, compiled=False)


def test_collections_of_a_class_are_looked_at_before_a_name_is_looked_up():
    kind = type("Order", (Order,), {"collections": 7})
    with pytest.raises(ProblemError, match=r"Order\.collections is 7"):
        find_instance(kind, "boards/1")


@pytest.mark.parametrize("value", [7, (1, 2), {"n"}, "n"])
def test_fields_that_are_no_names(value):
    with pytest.raises(ProblemError, match=r"Order\.fields is .* a tuple of names of attributes"):
        Order(fields=value).check_attributes()


@pytest.mark.parametrize("name", ["opened", "noisy"])
def test_truths_are_true_or_false(name):
    with pytest.raises(ProblemError, match=rf"Order\.{name} is 0\.3; it should be True or False"):
        Order(**{name: 0.3}).check_attributes()


def test_a_score_is_not_noisy():
    with pytest.raises(ProblemError, match=r"noisy is about evaluate\(\), which Order has not"):
        Order(noisy=True).check_attributes()


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("moves", "moves(self, state, moves)"),
        ("bound", "bound(self)"),
        ("evaluate", "evaluate(self, states)"),
        ("polish", "polish(self, state, moves, first, length, rng)"),
        ("key", "key(self, state)"),
    ],
)
def test_a_method_of_other_arguments_is_told_with_the_right_ones(name, head):
    problem = type("Order", (Order,), {name: lambda self, one, two, three, four=4: 0})()
    with pytest.raises(ProblemError) as caught:
        po.solve(problem, "random", playouts=3, seed=1, compiled=False)
    takes = f"Order.{name} takes (self, one, two, three, four=4); it should be def {head}"
    assert str(caught.value).startswith(takes)


def test_other_names_are_free():
    assert po.check_problem(Order(price=np.arange(4), size=3), games=1, compiled=False).passed


class Two(Order):
    def score(self, state):
        return state.total, 1.0


class Endless(Order):
    sense = "min"

    def score(self, state):
        return np.inf


@pytest.mark.parametrize(
    ("kind", "words"), [(Two, "it should be one; add several up"), (Endless, "have a high cost")]
)
def test_scores_that_are_none(kind, words):
    assert words in str(po.check_problem(kind(), games=1, compiled=False))


class Deep(Order):
    def depth(self, n):
        return 1 if n == 0 else self.depth(n - 1) + 1

    def score(self, state):
        return self.depth(3)


class Caught(Order):
    def score(self, state):
        try:
            return 1.0 / state.total
        except ZeroDivisionError:
            return 0.0


@pytest.mark.parametrize(
    ("kind", "words"), [(Deep, "calls itself cannot be compiled"), (Caught, "no `except` of one")]
)
def test_what_cannot_be_compiled_is_told_in_plain_words(kind, words):
    with pytest.raises(PlayoutError, match=words):
        po.solve(kind(), "random", playouts=3, seed=1)


def test_several_moves_on_a_line_with_names_of_fields():
    line = "item=0 item=1; item=2 item=3 " * 9

    class Pairs(Order):
        def __init__(self):
            super().__init__()
            self.move_type = po.record(item="i4", way="i4")

        def moves(self, state, moves):
            k = super().moves(state, moves)
            moves[:k]["way"] = 0
            return k

    with pytest.raises(ProblemError, match=r"move 1, 'item=0 way=0 item=1 way=0.*is several moves"):
        Pairs().as_moves(["item=0 way=0 item=1 way=0 item=2 way=0 item=3 way=0 " + line])


def test_a_method_without_self_is_told_as_it_is_written():
    problem = type("Order", (Order,), {"play": lambda state, move: None})()
    with pytest.raises(ProblemError, match=r"play takes \(state, move\); it should be def play"):
        problem.check_attributes()


def test_more_arguments_with_defaults_are_fine_and_so_are_a_games_own_helpers():
    class Fine(Order):
        def moves(self, state, moves, most=9):
            return super().moves(state, moves)

        def code(self, *given):
            return 0

        def seen(self, item):  # of what is hidden, as nothing is here
            return 0

        def left(self):  # of solvers
            return 0

    Fine().check_attributes()

    class Heuristic(TicTacToe):
        bound = 7  # which is asked of problems only

        def evaluate(self, state, player):
            return 0.5

    Heuristic().check_attributes()
