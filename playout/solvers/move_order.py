"""Move ordering as a part: which move a solver tries first. Lower numbers come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from playout.compiled import Compiled
from playout.contract import Game


class MoveOrder(Compiled):
    """An order of moves; a subclass says how early each comes.

    Each thread has one of its own. Arrays among its `fields` may hold what it learns from the
    solver, told by `cut`, `late_cut` and `tried`.
    """

    fields: tuple[str, ...] = ()
    name = ""
    seconds = 0.0  # what `prepare` and `learn` took
    later = 0  # moves of the proof after which `learn` is called; 0: it never is
    look: Callable[[Any], None] | None = None  # is shown the progress of a long `prepare`

    def prepare(self, game: Game, root: np.ndarray) -> None:
        """Make the arrays for a game, in plain Python; called once, before anything else."""

    def learn(self, game: Game, root: np.ndarray) -> None:
        """Learn, in plain Python, what is worth its time in a longer proof only."""

    def learns_after(self, times: int) -> int:
        """Moves of the proof after which `learn` is called, if it was so often; 0: it is not."""
        return 0 if times else self.later

    def take_over(self, other: Any) -> None:
        """Have what `learn` has told the order of another thread."""

    def check_arrays(self) -> None:
        """ValueError if arrays that come from a file, of the right shapes, cannot be its own."""

    def wants_scores(self):
        """Whether moves are put in order at all."""
        return True

    def score(self, game, state, moves, n, scores, depth):
        """Write a number for each of the n moves into `scores`; the lowest is tried first."""
        raise NotImplementedError

    def cut(self, game, state, move, depth):
        """This move has just decided the position, which is `depth` moves from the root."""

    def late_cut(self, game, state, moves, n, spent, depth):
        """The last of these n moves, 2 or more, decides the position; those before it do not.

        `spent` are the nodes that each has taken, 0 if the table knew it.
        """

    def tried(self, game, state, move, depth, nodes, decided):
        """This move has been looked into by so many nodes; whether it decides the position."""
