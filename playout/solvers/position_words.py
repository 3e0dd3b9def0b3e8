"""Positions as solvers know them: the words of `Game.pack`, or what symmetric ones share."""

from __future__ import annotations

from playout.compiled import helper


@helper
def write_position(game, state, symmetries, spare, words, other):
    """Write the words of a position; by which symmetry. With one symmetry, as it is.

    `spare` is a state to work in, `other` room for as many words.
    """
    if symmetries > 1:
        return game.pack_least(state, symmetries, spare, words, other)
    game.pack(state, 0, spare, words)
    return 0
