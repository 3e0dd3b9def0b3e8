"""Players of Jass: by rules of thumb, and by the report's search of the pool model."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.errors import OptionError
from playout.games import load_game
from playout.matches.player import parse_player
from playout.matches.pool_player import PoolPlayer
from playout.stop import Playouts

JASS = load_game("jass")


def test_their_names_and_options():
    assert parse_player("minmax:value=ratio").make().name == "minmax:value=ratio"
    assert parse_player("handmade").make().name == "handmade"
    with pytest.raises(OptionError, match="value=much: one of points, ratio"):
        parse_player("minmax:value=much")
    with pytest.raises(OptionError, match="there is no option 'depth'"):
        parse_player("handmade:depth=2")
    with pytest.raises(OptionError, match="minmax plays Jass, not TicTacToe"):
        parse_player("minmax").check(load_game("tictactoe"))
    with pytest.raises(OptionError, match="pool is a player of Jass with hidden cards"):
        parse_player("pool").check(load_game("jass:pool=true"))


@pytest.mark.long
def test_the_reports_player_looks_at_its_own_hand_alone():
    """Whatever the others hold, the same card with the same simulations: it cannot tell."""
    rng, seat = np.random.default_rng(1), None
    states = JASS.root(3)
    for _ in range(6):
        moves = JASS.legal_moves(states[0])
        JASS.play_move(states[0], moves[rng.integers(len(moves))])
    seat = int(JASS.turn(states[0]))
    player, found = PoolPlayer(), set()
    for deal in range(4):
        world = states.copy()
        with wrapping():
            JASS.redraw(world[0], seat, np.array([deal], np.uint64))
        player.new_game(JASS, 5)
        card = JASS.move_text(world[0], player.choose(world, Playouts(200)))
        found.add((card, player.last.value, world.tobytes()))
    assert len(found) == 4
    assert len({(card, value) for card, value, _ in found}) == 1


@pytest.mark.long
def test_a_policy_plays_compiled_as_it_does_in_plain_python():
    states = JASS.root(8)
    player = parse_player("minmax:value=ratio").make()
    player.new_game(JASS, 1)
    while len(moves := JASS.legal_moves(states[0])):
        chosen = player.choose(states.copy(), Playouts(1))
        with wrapping():
            k = player._policy.choose(JASS, states[0], moves, len(moves), player._rng)
        assert chosen == moves[k]
        JASS.play_move(states[0], chosen)


def test_a_game_of_many_turns_is_looked_at_turn_by_turn():
    """A tree search with open cards goes on with its tree within a turn, and anew behind it."""
    game = load_game("jass:goal=200,loose_trumps=true")
    assert game.searched() is game.searched()
    assert game.searched().loose_trumps
    assert not game.searched().chance
    assert JASS.searched() is JASS
    result = po.match(
        game, "uct", "random", games=2, simulations=3, seed=1, open=True, compiled=False
    )
    assert [len(one.moves) > 36 for one in result.transcript] == [True, True]
    assert result.wins + result.losses == 2
