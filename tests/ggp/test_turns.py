"""Turns are proven from the rules; where they cannot be, moves may be at the same time."""

from __future__ import annotations

import pytest

from tests.ggp.test_gdl_game import assert_plays_as_naive_rules
from tests.support.rulesheets import PENNIES, game_of

START = """
(role a) (role b) (init (control a)) (init (left 3)) (stone 1) (stone 2)
(succ 3 2) (succ 2 1) (succ 1 0)
(<= (next (left ?m)) (true (left ?n)) (succ ?n ?m))
(<= (next (took ?r ?s)) (does ?r (take ?s)))
(<= (next (took ?r ?s)) (true (took ?r ?s)) (not (does ?r noop)))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (true (took ?r 1))) (<= (goal ?r 0) (role ?r) (not (true (took ?r 1))))
(<= (legal ?r (take ?s)) (true (control ?r)) (stone ?s))
"""
ROUND = "(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))"
IDLE = "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
PASSING = "(<= (legal ?r noop) (role ?r))"

CASES = {
    "each in turn": (ROUND + IDLE, True),
    "who may also pass": (ROUND + PASSING, False),
    "a turn that follows from the no-op": ("(<= (next (control ?r)) (does ?r noop))" + IDLE, True),
    "a stone that gives another turn": (
        "(<= (next (control ?r)) (does ?r (take 1)))"
        "(<= (next (control ?r)) (role ?r) (does ?o (take 2)) (distinct ?r ?o))" + IDLE,
        False,
    ),
    "another turn for a second stone": (
        "(<= again (does ?r (take 2)) (true (took ?r 1)))"
        "(<= (next (control ?r)) (true (control ?r)) again)"
        "(<= (next (control ?r)) (role ?r) (not (true (control ?r))) (not again))" + IDLE,
        True,
    ),
    "another turn that the other has, too": (
        "(<= again (does ?r (take 2)) (true (took ?r 1)))"
        "(<= (next (control ?r)) (true (control ?r)) again)"
        "(<= (next (control ?r)) (role ?r) (not (true (control ?r))))" + IDLE,
        None,
    ),
    "both at once after a while": (ROUND + IDLE + "(<= (next (control b)) (true (left 2)))", None),
    "both at once at the start": (ROUND + IDLE + "(init (control b))", None),
    "two moves without a turn": (ROUND + IDLE + "(<= (legal ?r wait) (role ?r))", None),
}


@pytest.mark.parametrize("name", CASES)
def test_turns_are_found_where_they_can_be_proven(tmp_path, name):
    rules, always = CASES[name]
    game = game_of(tmp_path, START + rules)
    if always is None:
        assert game.network.turns is None
        assert game.simultaneous
    else:
        assert game.network.turns.always == always
        assert not game.simultaneous
    assert_plays_as_naive_rules(game, START + rules, 4, 2)


def test_pennies_are_shown_at_the_same_time(tmp_path):
    assert game_of(tmp_path, PENNIES).network.turns is None
