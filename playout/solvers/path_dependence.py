"""Answers that do not depend on how a position came about, in games whose rules look at the past.

In Go a move that brings an earlier board back is forbidden (superko). So what is proven of a
position after one sequence of moves need not hold after another that leads to the same stones: the
graph history interaction. A proof holds after another past if

1. no move of the loser in it was left out because of a position before its root, and
2. no move of the winner in it brings back a position of the other past.

For the first, a proof carries the number of the earliest position that forbade the loser a move;
for the second, the marks of the positions that the winner's moves may bring back: a bit of 64 each,
the same for positions that a symmetry exchanges. Where a past has one of the marks, the proof is
not used there. Which moves may bring back anything must be the same after both pasts: the words of
`Game.pack` must tell that. Whatever else the loser may not do after the other past is no loss to
the winner.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper

NEVER = 1 << 40  # later than every position


@helper
def depends_on(game, state):
    """The number of the earliest position that forbids the player a move here."""
    return np.int64(game.forbidden_by(state)) if game.remembers() else NEVER


@helper
def leads_back(game, before, move, after):
    """The mark of a position, if the move that led there may bring an earlier one back."""
    return game.mark(after) if game.may_return(before, move) else np.uint64(0)


@helper
def path_marks(game, search, d):
    """The marks of this position and of all before it."""
    if d == 0:
        return game.past_marks(search.states[0])
    return search.frames[d - 1].path | game.mark(search.states[d])
