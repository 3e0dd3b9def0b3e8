"""Positions as solvers know them: the words of `Game.pack`, of the least of the symmetric forms."""

from __future__ import annotations

from playout.compiled import helper


@helper
def write_position(game, state, symmetries, spare, words, other):
    """Write the words of a position; by which symmetry.

    That is the one whose words are the lowest, of the first so many. `spare` is a state to work
    in, `other` room for as many words.
    """
    game.pack(state, 0, spare, words)
    chosen = 0
    for symmetry in range(1, symmetries):
        game.pack(state, symmetry, spare, other)
        if _is_lower(other, words):
            chosen = symmetry
            for i in range(len(words)):
                words[i] = other[i]
    return chosen


@helper
def _is_lower(words, others):
    for i in range(len(words)):
        if words[i] != others[i]:
            return words[i] < others[i]
    return False
