"""What solvers ask, which find the value of a position under perfect play.

Every method has a default that is right for every game: they are there to make solving faster.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled.records import lower_words, record_words
from playout.contract.learnable import Learnable
from playout.contract.mergeable import Mergeable
from playout.contract.veiled import Veiled, is_veiled

UNSURE = 1e6  # see Provable.lateness


class Provable(Learnable, Mergeable, Veiled):
    """What a game knows of itself that spares a solver work.

    - `outcomes`: every reward of the first player that there is, from the lowest;
    - `packed`: how many words `pack` writes, if the class has a form of its own.
    """

    outcomes: tuple[float, ...] = (0.0, 0.5, 1.0)
    packed: int = 0  # 0: as many as the state has

    def no_solution(self) -> str:
        """Why no solver may take the game; empty if one may. Called before one is made.

        What one player gets more the other must get less.
        """
        if self.simultaneous:
            return "its players move at the same time"
        return "it keeps things back from its players" if is_veiled(self) else ""

    def lateness(self, state: Any, move: Any) -> float:
        """How late a solver should try the move: the lowest number first.

        From `UNSURE` on the game has no view of its own, and what a search has learnt may decide.
        Called by the move orders `game` and `mc`.
        """
        return UNSURE - self.bias(state, move)

    def decided(self, state: Any) -> float:
        """What the first player gets under perfect play, if it is plain to see; else NaN.

        Called by every solver at every position.
        """
        return math.nan

    def decided_packed(self, state: Any, words: Any) -> float:
        """As `decided`, of a position that is not, by its words of `pack_least`; NaN: unknown.

        Called by alpha-beta.
        """
        return math.nan

    def left(self, state: Any) -> int:
        """About how many moves are left; -1: not known.

        Called by the move order `success`, which learns at each stage of the game.
        """
        return -1

    def needed(self, state: Any, moves: Any, n: int) -> int:
        """Put the moves first that perfect play needs, where `decided` tells nothing; their number.

        No other of the n moves is better than the best of these. At least one is needed. Called by
        alpha-beta.
        """
        return n

    def pack(self, state: Any, symmetry: int, spare: Any, out: Any) -> None:
        """Write the position, as a symmetry shows it, into the 64-bit words `out`.

        Positions with the same words have the same value. `spare` is a state to work in. Called by
        solvers with a table, without symmetry, and by `pack_least`.
        """
        self.transform(state, symmetry, spare)
        record_words(spare, out)

    def pack_least(self, state: Any, symmetries: int, spare: Any, out: Any, other: Any) -> int:
        """Write words that all symmetric forms of the position share; by which symmetry.

        Positions with the same words have the same value. Here they are the lowest that `pack`
        writes by any of the symmetries. `other` is room for as many words. Called by solvers with
        `symmetry`.
        """
        self.pack(state, 0, spare, out)
        chosen = 0
        for symmetry in range(1, symmetries):
            self.pack(state, symmetry, spare, other)
            if lower_words(other, out):
                chosen = symmetry
                for i in range(len(out)):
                    out[i] = other[i]
        return chosen

    def pack_words(self) -> int:
        """How many words `pack` writes."""
        return int(self.packed) or -(-np.dtype(self.state_type).itemsize // 8)

    # Of games whose rules look at earlier positions, as superko does: called by alpha-beta and
    # df-pn (solvers/path_dependence.py). AlphaZero's training asks `remembers` only.

    def remembers(self) -> bool:
        """Whether what is legal depends on earlier positions."""
        return False

    def moment(self, state: Any) -> int:
        """The number of the position: how many moves have been played."""
        return 0

    def forbidden_by(self, state: Any) -> int:
        """The number of the earliest position that forbids a move here; a high one if none does."""
        return 1 << 40

    def may_return(self, state: Any, move: Any) -> bool:
        """Whether the move may bring an earlier position back."""
        return False

    def mark(self, state: Any) -> Any:
        """A word with one bit for the position, the same for all its symmetric forms."""
        return np.uint64(0)

    def past_marks(self, state: Any) -> Any:
        """The marks of the position and all before it, in one word."""
        return np.uint64(0)
