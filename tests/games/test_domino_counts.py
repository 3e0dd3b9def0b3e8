"""Counts of dominoes against trying all of them, and what they say of positions."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from playout.games import load_game
from playout.games.board_parts import SMALL_SIDE, small_parts
from playout.games.domino_counts import least_dominoes, more_than_seen, most_dominoes
from playout.solvers.position_words import write_position

WIDTH = 7


def places(free, lying):
    """All dominoes of one kind that have room in a set of (column, row)."""
    return [
        {(x, y), (x + lying, y + 1 - lying)}
        for x, y in sorted(free)
        if (x + lying, y + 1 - lying) in free
    ]


@cache
def wins(free, player):
    """Whether the player who is to move wins under misere rules: he cannot, or leaves a loss."""
    room = places(free, player)
    return not room or any(not wins(free - domino, 1 - player) for domino in room)


@cache
def counts(free, lying):
    """The least and the most dominoes of one kind after which no other has room."""
    after = [counts(free - domino, lying) for domino in map(frozenset, places(free, lying))]
    if not after:
        return 0, 0
    return 1 + min(least for least, _ in after), 1 + max(most for _, most in after)


def bits(cells):
    return np.uint64(sum(1 << y * WIDTH + x for x, y in cells))


def test_counts_of_dominoes():
    game, rng = load_game(f"domineering:{WIDTH}x7"), random.Random(1)
    for number in range(60):
        lying = number % 2
        free = frozenset((rng.randrange(7), rng.randrange(7)) for _ in range(16))
        room = game._room(bits(free))[lying]
        step = np.uint64(1 if lying else WIDTH)
        not_first = game.not_left if lying else game.full
        with np.errstate(over="ignore"):
            found = least_dominoes(room, step, not_first), most_dominoes(room, step)
        assert found == counts(free, lying)
    room = game._room(game.full)  # every row and column of seven
    assert least_dominoes(room[0], np.uint64(7), game.full) == 14
    assert least_dominoes(room[1], np.uint64(1), game.not_left) == 14
    assert most_dominoes(room[0], np.uint64(7)) == most_dominoes(room[1], np.uint64(1)) == 21


def test_what_is_seen_is_never_too_much():
    """In 2x2 cells v needs two dominoes if h lets him be, and that is all there is to it."""
    more = more_than_seen()
    number = small_parts()[0b11 | 0b11 << SMALL_SIDE]
    assert wins(frozenset({(0, 0), (0, 1), (1, 0), (1, 1)}), 0) is False
    assert list(more[number]) == [0, 0]
    assert more.min() == 0
    assert more.max() > 0
    assert not more[0].any()


def test_what_small_parts_decide_is_so():
    """Random free cells, both players to move, against everything that can follow."""
    game, rng = load_game(f"misere-domineering:{WIDTH}x7"), random.Random(2)
    spare, words, other = game.new_states(1)[0], *np.zeros((2, game.pack_words()), np.uint64)
    state = game.new_states(1)[0]
    seen = {0.0: 0, 1.0: 0}
    for number in range(1500):
        free = frozenset((rng.randrange(7), rng.randrange(7)) for _ in range(8 + number % 14))
        state.covered[0] = game.full & ~bits(free)
        for player in range(2):
            state.player = player
            game._simplify(state)
            value = 1.0 if wins(free, player) == (player == 0) else 0.0
            assert game.decided(state) in (value,) or np.isnan(game.decided(state))
            if np.isnan(game.decided(state)):
                write_position(game, state, game.symmetries, spare, words, other)
                found = game.decided_packed(state, words)
                if not np.isnan(found):
                    assert found == value
                    seen[value] += 1
    assert min(seen.values()) > 30
