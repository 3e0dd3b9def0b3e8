"""PIMC: the sum of tree searches in worlds, exact budgets, as a player; and what it cannot see."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.compiled.records import bytes_of
from playout.contract import open_copy
from playout.errors import OptionError
from playout.gametree.tree_session import TreeSession
from playout.stop import Progress
from playout.worlds.pimc import PIMC
from tests.contract.test_veiled import HighCard
from tests.support.whist import Whist


def found(game, text, stop, seed=1, **settings):
    return po.search(game, text, stop, seed=seed, compiled=False, **settings)


def test_it_is_the_sum_of_the_tree_searches_of_its_worlds():
    game, search = Whist(), PIMC(worlds=5)
    session = search.session(game, seed=4, compiled=False)
    session.set_position(game.root(4))
    result = session.run(po.Playouts(203))
    visits: dict[bytes, int] = {}
    values: dict[bytes, list[float]] = {}
    worlds = set()
    with wrapping():
        for number, one in enumerate(session.team.sessions):
            world = one._here()
            worlds.add(world.tobytes())
            assert game.view(world[0], 0) == game.view(game.root(4)[0], 0)
            alone = TreeSession(open_copy(game), session._tree, seed=one.seed, compiled=False)
            alone.set_position(world)
            again = alone.run(po.Playouts(203 // 5 + (number < 203 % 5)))
            for row in again.moves:
                key = bytes_of(row.record)
                visits[key] = visits.get(key, 0) + row.visits
                values.setdefault(key, []).append(row.value)
    assert len(worlds) > 1
    assert {bytes_of(row.record): row.visits for row in result.moves} == visits
    for row in result.moves:
        assert row.value == pytest.approx(np.mean(values[bytes_of(row.record)]))
    assert result.move == max(result.moves, key=lambda row: row.visits).move
    assert (result.simulations, sum(visits.values())) == (203, 203)


def test_the_result_depends_neither_on_the_true_cards_nor_on_steps():
    game = HighCard()
    hands = [game.root(seed) for seed in range(60)]
    alike = [hand for hand in hands if hand[0].cards[0] == 5]
    assert len({hand.tobytes() for hand in alike}) > 2
    visits = []
    for hand in alike:
        for steps in (1, 7):
            session = PIMC(worlds=4).session(game, seed=3, compiled=False)
            session.set_position(hand)
            session.searches = 1
            session.team.begin(session._sessions_of(session._draw(hand, 4)))
            with wrapping():
                for goal in range(steps, 57, steps):
                    session.team.simulate(goal)
                session.team.simulate(56)
            visits.append([row.visits for row in session._result(0.0).moves])
    assert all(one == visits[0] for one in visits)


def test_a_small_budget_has_fewer_worlds_and_a_stop_ends_it_with_the_best_so_far():
    class Later(po.Stop):
        """Holds after the second look, as Ctrl-C may."""

        looks = 0

        def reached(self, progress: Progress) -> bool:
            self.looks += 1
            return self.looks > 2

    assert found(Whist(), "pimc:worlds=20", "3 playouts").simulations == 3
    session = PIMC(worlds=3).session(Whist(), seed=1, compiled=False)
    stop = Later()
    result = session.run(stop)
    assert result.simulations > 0
    assert stop.looks <= 5  # some at its end
    assert result.move in {row.move for row in result.moves}


def test_options_belong_to_it_or_to_the_tree_search_in_each_world():
    search = PIMC.parse("pimc:worlds=7,search=grave,bias=1e-4,nodes=70000,choice=mean")
    assert (search.options.worlds, search.options.choice) == (7, "mean")
    assert search.tree.policy.bias == 1e-4
    session = search.session(Whist(), seed=1)
    assert session._tree.options.nodes == 10_000
    assert PIMC(po.TreeSearch("uct", "mast"), worlds=3).text.startswith("pimc:worlds=3,search=")
    for text, words in (
        ("pimc:worlds=0", "worlds"),
        ("pimc:worlds=3,search=nothing", "nothing"),
        ("pimc:depth=3", "there is no option 'depth'"),
        ("pimc:leaf=exact,C=1", "leave C out"),
        ("pimc:leaf=guess", "leaf"),
    ):
        with pytest.raises(OptionError, match=words):
            PIMC.parse(text)
    with pytest.raises(OptionError, match="counts no calls"):
        found(Whist(), "pimc", po.Calls(10))


def test_it_plays_better_than_chance_and_matches_repeat():
    result = po.match(
        Whist(), "pimc:worlds=4,simulations=40", "random", games=30, seed=2, compiled=False
    )
    assert result.wins > result.losses
    again = po.match(
        Whist(), "pimc:worlds=4,simulations=40", "random", games=4, seed=2, compiled=False
    )
    assert [game.moves for game in again.transcript] == [
        game.moves for game in result.transcript[:4]
    ]


def test_it_folds_by_the_chances_of_its_card():
    """With card c of ten it wins c / 9 of the worlds, and folding is worth a quarter."""
    game = HighCard()
    for card, move in ((0, "1"), (1, "1"), (4, "0"), (9, "0")):
        state = game.new_states(1)
        state[0].cards[0], state[0].cards[1] = card, (card + 1) % 10
        result = found(game, "pimc:worlds=60,choice=mean", "1200 playouts", state=state)
        assert result.move == move
        values = {row.move: row.value for row in result.moves}
        assert values["1"] == 0.25
        assert values["0"] == pytest.approx(card / 9, abs=0.17)


@pytest.mark.long
def test_compiled_it_is_the_same_and_workers_share_the_worlds():
    game = Whist()
    plain = found(game, "pimc:worlds=6", "300 playouts")
    one = po.search(game, "pimc:worlds=6", "300 playouts", seed=1)
    two = po.search(game, "pimc:worlds=6", "300 playouts", seed=1, workers=2)
    figures = [[(row.move, row.visits, row.value) for row in r.moves] for r in (plain, one, two)]
    assert figures[0] == figures[1] == figures[2]
    assert two.workers == 2
    assert np.isfinite(one.value)


@pytest.mark.long
def test_code_is_read_once_and_not_for_each_world_of_each_decision(monkeypatch):
    from playout.compiled import bridge

    game, read, digest = HighCard(), [], bridge.digest_of_class
    monkeypatch.setattr(bridge, "digest_of_class", lambda cls: read.append(cls) or digest(cls))
    session = PIMC(worlds=6).session(game, seed=3)
    counts = []
    for seed in (1, 2):
        session.set_position(game.root(seed))
        session.run(po.Playouts(60))
        counts.append(len(read))
    assert counts[1] == counts[0]
    trees = [tree for one in session.team.sessions for tree in one.team.trees]
    assert len(trees) == 6
    assert read.count(type(trees[0])) == 1
