"""Move ordering as a part: which move a solver tries first. Lower numbers come first.

- `none`: as the game lists them; `game`: the game's own order;
- `killer`: moves that decided other positions at the same depth; `history`: moves that decided
  positions anywhere, by how much was below them (J. Schaeffer, 1989);
- `mc`: what a Monte Carlo search of the root has learnt (`montecarlo.py`).
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, same_record
from playout.problem import Game

SLOTS = 1 << 16  # of the history table


class MoveOrder(Compiled):
    """An order of moves; a subclass says how early each comes.

    Each thread has one of its own. Arrays among its `fields` may hold what it learns from the
    solver, told by `cut`.
    """

    fields: tuple[str, ...] = ()
    name = ""

    def prepare(self, game: Game, root: np.ndarray) -> None:
        """Make the arrays for a game, in plain Python; called once, before anything else."""

    def wants_scores(self):
        """Whether moves are put in order at all."""
        return True

    def score(self, game, state, moves, n, scores, depth):
        """Write a number for each of the n moves into `scores`; the lowest is tried first."""
        raise NotImplementedError

    def cut(self, game, state, move, depth):
        """This move has just decided the position, which is `depth` moves from the root."""


class NoOrder(MoveOrder):
    """The moves as the game lists them."""

    name = "none"

    def wants_scores(self):
        return False

    def score(self, game, state, moves, n, scores, depth):
        pass


class GameOrder(MoveOrder):
    """The game's own order: its `bias`, highest first."""

    name = "game"

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = -game.bias(state, moves[i])


class Killer(MoveOrder):
    """The game's order, after the last two moves that decided a position at this depth."""

    fields = ("killers", "known")
    name = "killer"

    def prepare(self, game: Game, root: np.ndarray) -> None:
        self.killers = np.zeros((game.max_length + 2, 2), game.move_type)
        self.known = np.zeros(game.max_length + 2, np.int64)

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = -game.bias(state, moves[i])
            for k in range(self.known[depth]):
                if same_record(self.killers[depth, k], moves[i]):
                    scores[i] = k - 1e9

    def cut(self, game, state, move, depth):
        if self.known[depth] > 0 and same_record(self.killers[depth, 0], move):
            return
        self.killers[depth, 1] = self.killers[depth, 0]
        self.killers[depth, 0] = move
        self.known[depth] = min(self.known[depth] + 1, 2)


class History(MoveOrder):
    """Moves by how often those of their code have decided a position, early ones counting more."""

    fields = ("counts", "longest")
    name = "history"

    def prepare(self, game: Game, root: np.ndarray) -> None:
        self.counts = np.zeros(SLOTS, np.float64)
        self.longest = game.max_length

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            code = np.uint64(game.code(state, moves[i]))
            scores[i] = -self.counts[np.int64(code % np.uint64(SLOTS))]

    def cut(self, game, state, move, depth):
        code = np.uint64(game.code(state, move))
        left = max(1, self.longest - depth)
        self.counts[np.int64(code % np.uint64(SLOTS))] += left * left


ORDERS: dict[str, type[MoveOrder]] = {
    cls.name: cls for cls in (NoOrder, GameOrder, Killer, History)
}
