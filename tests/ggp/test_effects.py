"""What a move does to the facts is found before any game is played, and is what the rules say."""

from __future__ import annotations

import pytest

from tests.ggp.test_gdl_game import assert_plays_as_naive_rules
from tests.support.forms import long
from tests.support.random_rulesheets import random_rulesheet
from tests.support.rulesheets import game_of

# One piece walks along a row of squares; every second step it may leave a mark behind, if the
# square has none. The turn goes round.
WALK = """
(role a) (role b) (init (at 1)) (init (control a)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at ?x)) (succ ?x ?y))
(<= (legal ?r (mark ?x)) (true (control ?r)) (true (at ?x)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (at ?y)) (does ?r (go ?x ?y)))
(<= (next (at ?x)) (true (at ?x)) (does ?r (mark ?z)))
(<= (next (marked ?x)) (true (marked ?x)))
(<= (next (marked ?x)) (does ?r (mark ?x)) (true (step 2)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 1)) (true (step 2)))
(<= terminal (true (at 4)))
(<= (goal ?r 100) (role ?r) (true (marked 2))) (<= (goal ?r 0) (role ?r) (not (true (marked 2))))
"""


def test_what_a_move_does_is_known_or_tested(tmp_path):
    game = game_of(tmp_path, WALK)
    network, effects = game.network, game.loaded.layout.effects
    kept = {base for base, mine in zip(network.bases, effects.kept, strict=True) if mine}
    assert kept == {("step", "1"), ("step", "2")}  # which change whatever is done
    a, b = ("control", "a"), ("control", "b")

    def certain(role, move):
        action = network.actions.index((role, move))
        return {(network.bases[base], truth) for base, truth in effects.certain[action]}

    def tested(role, move):
        return [
            network.bases[base] for base, _ in effects.tested[network.actions.index((role, move))]
        ]

    turn = {(a, False), (b, True)}
    assert certain(0, ("go", "1", "2")) >= {(("at", "1"), False), (("at", "2"), True)} | turn
    assert tested(0, ("go", "1", "2")) == []
    assert tested(0, ("mark", "3")) == [("marked", "3")]
    assert certain(0, ("mark", "3")) >= turn
    assert certain(0, "noop") == set()
    assert_plays_as_naive_rules(game, WALK, 4, 1)


# Two paint cells at the same time: who comes alone to a cell that is free has it.
PAINT = """
(role a) (role b) (cell 1) (cell 2) (cell 3) (init (free 1)) (init (free 2)) (init (free 3))
(<= (legal ?r (paint ?x)) (role ?r) (cell ?x))
(<= alone (does a (paint ?x)) (not (does b (paint ?x))))
(<= (touched ?x) (does ?r (paint ?x)) alone)
(<= (next (free ?x)) (true (free ?x)) (not (touched ?x)))
(<= (next (has ?r ?x)) (true (free ?x)) (does ?r (paint ?x)) alone)
(<= (next (has ?r ?x)) (true (has ?r ?x)))
(<= terminal (not (true (free 1))) (not (true (free 2))) (not (true (free 3))))
(<= (goal ?r 100) (true (has ?r 1)) (true (has ?r 2)))
(<= (goal ?r 50) (role ?r) (not (goal ?r 100)))
"""


def test_a_fact_that_several_roles_change_at_once_needs_no_gates(tmp_path):
    game = game_of(tmp_path, PAINT)
    assert not any(game.loaded.layout.effects.kept)
    assert_plays_as_naive_rules(game, PAINT, 10, 1)


@pytest.mark.parametrize("seeds", [range(20), long(range(20, 120))], ids=["few", "many"])
def test_random_rulesheets_play_as_naive_rules(tmp_path, seeds):
    kept, turns = {True: 0, False: 0}, set()
    for seed in seeds:
        text = random_rulesheet(seed)
        game = game_of(tmp_path, text)
        turns.add(game.network.turns and game.network.turns.always)
        for one in game.loaded.layout.effects.kept:
            kept[one] += 1
        assert_plays_as_naive_rules(game, text, 2, seed)
    assert min(kept.values()) > 50  # both ways were tried
    assert turns == {None, False, True}  # none, some with passing, some without
