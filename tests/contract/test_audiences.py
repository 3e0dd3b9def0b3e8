"""The contract by audience: each method stands in one room and says who calls it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import playout as po
from playout.compiled import digest_of_class
from playout.compiled.bridge import methods_of
from playout.contract import Game, Problem
from playout.contract.learnable import Learnable
from playout.contract.loadable import Loadable
from playout.contract.mergeable import Mergeable
from playout.contract.networked import Networked
from playout.contract.playable import Playable
from playout.contract.provable import Provable
from playout.contract.rules import Rules
from playout.contract.veiled import Veiled
from playout.contract.visible import Visible

AUDIENCES = (Learnable, Mergeable, Provable, Networked, Visible, Veiled)
DOCS = Path(__file__).parents[2] / "docs"


def own_methods(cls):
    methods = [name for name, value in vars(cls).items() if inspect.isfunction(value)]
    return [name for name in methods if not name.startswith("__")]


def test_the_rules_are_five_methods_and_a_problem_needs_four():
    assert own_methods(Rules) == ["reset", "moves", "play", "turn", "reward"]
    assert set(own_methods(Problem)) & set(own_methods(Rules)) == {"turn", "reward"}


def test_each_method_stands_in_one_room():
    rooms = [Rules, *AUDIENCES, Playable, Game, Loadable]
    names = [name for room in rooms for name in own_methods(room)]
    assert len(names) == len(set(names))
    assert set(names) - set(own_methods(Loadable)) == set(methods_of(Game))
    assert [*inspect.getmro(Game)][-3:-1] == [Rules, Rules.__base__]


# of path-dependent games one comment says it for all
PAST = {"remembers", "moment", "forbidden_by", "may_return", "mark", "past_marks", "pack_words"}


@pytest.mark.parametrize("audience", AUDIENCES)
def test_each_method_says_who_calls_it_and_is_on_the_page(audience):
    page = (DOCS / "contract.md").read_text()
    assert f"`{audience.__name__}`" in page
    for name in own_methods(audience):
        if name.startswith("_"):
            continue
        assert name in PAST or "Called" in inspect.getdoc(getattr(audience, name)), name
        assert name == "pack_words" or re.search(rf"`{name}[(`]", page), name


def test_the_newcomers_page_is_short():
    lines = (DOCS / "problem.md").read_text().splitlines()
    assert len(lines) <= 100
    for link in re.findall(r"contract\.md#([\w-]+)", "\n".join(lines)):
        headings = re.findall(r"^## (.*)$", (DOCS / "contract.md").read_text(), re.M)
        assert link in [heading.lower().replace(" ", "-") for heading in headings]


def test_a_digest_covers_every_audience(monkeypatch):
    before = digest_of_class(Problem)
    for audience in (Rules, *AUDIENCES):
        name = own_methods(audience)[0]
        with monkeypatch.context() as patch:
            patch.setattr(audience, name, lambda self, *rest: 3)
            assert digest_of_class(Problem) != before
    assert digest_of_class(Problem) == before


def test_a_problem_prints_as_what_it_is():
    assert repr(po.problems.Maximum(9)) == "Maximum(n=9)"
    assert repr(po.games.load_game("domineering:4x3")).startswith("Domineering(")
    assert repr(po.games.load_game("tictactoe")) == "TicTacToe()"
