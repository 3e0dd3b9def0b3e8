"""Two poker games that are solved: the one on the page and the example, beside their equilibria."""

from __future__ import annotations

import doctest
import re
from itertools import permutations
from pathlib import Path

import pytest

import playout as po
from bench import leduc

PAGE = Path(__file__).parents[2] / "docs" / "hidden.md"


@pytest.fixture(scope="module")
def page():
    """The names of the code on the page."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    scope: dict = {"__name__": "on_the_page"}
    exec(compile(next(block for block in blocks if "class Kuhn" in block), "page", "exec"), scope)
    return scope


@pytest.fixture(scope="module")
def solved():
    """Leduc poker: the game, its trees, its value and an equilibrium."""
    game = leduc.load_leduc()
    roots = leduc.trees(game, leduc.leduc_deals(game), 13.0)
    return game, roots, *leduc.equilibrium(roots)


def test_the_game_on_the_page_keeps_the_contract_and_has_the_known_value(page):
    game = page["Kuhn"]()
    report = po.check_problem(game, compiled=False)
    assert report.passed, str(report)
    deals = []
    for cards in permutations(range(3), 2):
        state = game.root()
        state[0].cards[:] = cards
        deals.append(state)
    roots = leduc.trees(game, deals, 2.0)
    assert len(leduc.information_sets(roots)) == 12
    worth, nash = leduc.equilibrium(roots)
    assert worth == pytest.approx(-1 / 18)

    # the second player bets a jack that was passed to one time in three, and always a king
    def view(card, history):
        return card + 4 * history

    assert nash[1, view(0, 2)][1] == pytest.approx(1 / 3)
    assert nash[1, view(2, 2)][1] == pytest.approx(1)
    assert nash[1, view(2, 3)][1] == pytest.approx(1)
    assert nash[1, view(1, 3)][1] == pytest.approx(1 / 3)  # calls a bet with a queen


@pytest.mark.long
def test_the_session_on_the_page(page):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    session = "\n".join(block for block in blocks if ">>>" in block)
    tests = doctest.DocTestParser().get_doctest(session, dict(page), "page", str(PAGE), 0)
    result = doctest.DocTestRunner().run(tests)
    assert (result.attempted, result.failed) == (6, 0)


def test_leduc_keeps_the_contract(solved):
    report = po.check_problem(solved[0], compiled=False, games=40)
    assert report.passed, str(report)


def test_the_equilibrium_of_leduc_is_the_known_one_and_cannot_be_exploited(solved):
    _, roots, worth, nash = solved
    assert worth == pytest.approx(-0.085606, abs=1e-6)
    against, lost = leduc.figures(roots, nash, nash)
    assert against == 0.0
    assert lost == pytest.approx(0.0, abs=1e-9)
    against, lost = leduc.figures(roots, leduc.uniform(roots), nash)
    assert lost == pytest.approx(2.373611, abs=1e-6)  # what is published for random play
    assert against < 0


def test_a_best_reply_is_no_worse_than_any_other(solved):
    _, roots, _, nash = solved
    other = leduc.uniform(roots)
    for player in (0, 1):
        worth, reply = leduc.best_reply(roots, player, other)
        sign = 1 if player == 0 else -1
        both = (reply, other) if player == 0 else (other, reply)
        assert worth == pytest.approx(sign * leduc.value(roots, *both))
        for mine in (nash, other):
            both = (mine, other) if player == 0 else (other, mine)
            assert worth >= sign * leduc.value(roots, *both) - 1e-12


@pytest.mark.long
def test_searches_get_less_than_the_equilibrium_and_more_than_chance(solved):
    game, roots, _, nash = solved
    at_random, _ = leduc.figures(roots, leduc.uniform(roots), nash)
    for search in ("ismcts", "pimc:worlds=10"):
        chosen, mixed = leduc.strategy_of(game, roots, search, 100, 1)
        for strategy in (chosen, mixed):
            against, lost = leduc.figures(roots, strategy, nash)
            assert at_random < against <= 1e-9
            assert lost > 0.5  # none of them mixes as it must
