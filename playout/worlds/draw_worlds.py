"""The worlds of a position: what it may be, for all that a player knows.

Each world has a random stream of its own, from the seed, what the player sees and its number. So
two searches with the same seed get the same worlds wherever the same cards have been played.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from playout.cards.deck import cards_in
from playout.compiled import kernel, wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.random import stream_of
from playout.compiled.records import mix
from playout.contract import Game
from playout.games.bridge import Bridge


@kernel
def redraw_all(game, states, player, seed, first, rng):
    """Draw states from number `first` on anew, each by the stream of its number."""
    for i in range(first, len(states)):
        rng[0] = stream_of(seed, i)
        game.redraw(states[i], player, rng)


def draw_worlds(
    game: Game, position: np.ndarray, worlds: int, seed: int, kept: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """So many worlds of a position for its player, an array of states; whether they are all.

    `kept` are worlds that are known to fit, which come first.
    """
    with wrapping():
        player = int(game.turn(position[0]))
        every = all_bridge_worlds(game, position, player, worlds)
        if every is not None:
            return every, True
        states = np.repeat(position, worlds, axis=0)
        first = 0 if kept is None else min(len(kept), worlds)
        if kept is not None:
            states[:first] = kept[:first]
        own = mix(mix(np.uint64(seed)) ^ np.uint64(game.view(position[0], player)))
        kernel = redraw_all.py_func if getattr(game, "interpreted", False) else redraw_all
        with friendly():
            kernel(game, states, player, own, first, np.zeros(1, np.uint64))
    return states, False


def all_bridge_worlds(
    game: Game, position: np.ndarray, player: int, most: int
) -> np.ndarray | None:
    """All worlds of a position of Bridge, if these are at most so many; None: there are more."""
    if not isinstance(game, Bridge):
        return None
    state = position[0]
    hidden = [seat for seat in range(4) if not game.sees(state, player, seat)]
    if len(hidden) != 2:
        return None
    hands = [int(state.hands[seat]) for seat in hidden]
    may = [int(state.may_hold[seat]) for seat in hidden]
    pool = hands[0] | hands[1]
    sure = pool & may[0] & ~may[1]  # which only the first of the two may hold
    free = cards_in(pool & may[0] & may[1])
    room = hands[0].bit_count() - sure.bit_count()
    if comb(len(free), room) > most:
        return None
    chosen = list(combinations(free, room))
    states = np.repeat(position, len(chosen), axis=0)
    for i, cards in enumerate(chosen):
        first = sure | sum(1 << card for card in cards)
        states[i].hands[hidden[0]], states[i].hands[hidden[1]] = first, pool & ~first
    return states
