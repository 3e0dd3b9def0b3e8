"""Room for the legal moves of a state, with a margin for rules that break their promise.

Compiled code does not check indices. An array with room for more than twice `max_moves` lets a
search find out that `moves` returned too many before anything is harmed.
"""

from __future__ import annotations

from typing import Any

from playout.compiled import helper


def room_for_moves(max_moves: int) -> int:
    """The length of an array for moves.

    >>> most_moves([0] * room_for_moves(7))
    7
    """
    return 2 * max_moves + 64


@helper
def most_moves(moves: Any) -> int:
    """The `max_moves` for which an array has room."""
    return (len(moves) - 64) // 2
