"""Rules that are played as they are written say what naive rules say, state by state."""

from __future__ import annotations

import random

import pytest

from playout.errors import DataError
from playout.ggp.checks import checked
from playout.ggp.ground import Limits
from playout.ggp.kif import read_rulesheet
from playout.ggp.plain_rules import PlainRules
from tests.support.naive_gdl import NaiveRules
from tests.support.random_rulesheets import random_rulesheet
from tests.support.rulesheet_variety import ODD
from tests.support.rulesheets import DOORS, PENNIES


def plain_rules(text, seconds=600.0):
    return PlainRules(checked(read_rulesheet(text, "a text")), Limits(seconds=seconds))


@pytest.mark.parametrize(
    "text", [PENNIES, DOORS, ODD, *map(random_rulesheet, range(3))], ids=lambda text: text[:20]
)
def test_plays_as_naive_rules(text):
    rules, naive, chance = plain_rules(text), NaiveRules(text), random.Random(1)
    for _ in range(2):
        facts = naive.start()
        assert rules.start == facts
        for _ in range(8):
            legal, over, _ = naive.look(facts)
            found = rules.legal(facts)
            assert [set(mine) for mine in found] == legal
            if over:
                break
            joint = [chance.choice(mine) for mine in found]
            following = rules.following(facts, joint)
            facts = naive.after(facts, joint)
            assert following == facts


def test_moves_that_are_none_are_refused():
    rules = plain_rules(PENNIES)
    with pytest.raises(DataError, match="jump is not legal for odd"):
        rules.following(rules.start, ["heads", "jump"])
    with pytest.raises(DataError, match="1 moves for 2 roles"):
        rules.following(rules.start, ["heads"])


def test_what_takes_too_long_is_refused_with_its_line():
    with pytest.raises(DataError, match=r"line \d+: .* takes more than -1 s to derive"):
        plain_rules(DOORS + "".join(f"(door {i} {i})" for i in range(10, 2000)), -1.0)
