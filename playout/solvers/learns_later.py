"""Orders whose Monte Carlo search of the root is made when a proof takes longer.

A small game is solved before such a search would be compiled.
"""

from __future__ import annotations

from typing import Any

from playout.errors import OptionError
from playout.solvers.staged_order import StagedOrder


class LearnsLater(StagedOrder):
    """An order by stages with the options of a Monte Carlo search that a subclass makes in `learn`.

    Parameters
    ----------
    playouts : int
        Of the Monte Carlo search.
    seed : int
        Of its random numbers.
    alpha : float
        The learning rate of PPAF.
    blend : float
        How much the game's own guess counts beside a weight of PPAF.
    later : int
        The Monte Carlo search is made after so many moves of the proof; 0: before it.
    others
        See `StagedOrder`, or the other class that a subclass extends.
    """

    def __init__(
        self,
        *,
        blend: float,
        playouts: int = 30_000,
        seed: int = 1,
        alpha: float = 0.1,
        later: int = 1 << 19,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        for name, value, low in (("playouts", playouts, 1), ("later", later, 0)):
            if isinstance(value, bool) or not isinstance(value, int) or value < low:
                raise OptionError(f"{name}={value!r}: a whole number from {low}")
        self.playouts, self.seed, self.alpha, self.blend = playouts, seed, alpha, float(blend)
        self.later = later
