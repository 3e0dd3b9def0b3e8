"""The move orders that come with the package, by name.

- `none`: as the game lists them; `game`: the game's own order;
- `killer`: moves that decided other positions at the same depth; `history`: moves that decided
  positions anywhere, by how much was below them (J. Schaeffer, 1989);
- `success`: the game's order, and how often moves of the same code have decided positions at
  about the same stage, of all that were tried, by how much was below them;
- `mc`: what a Monte Carlo search of the root has learnt (`monte_carlo_order.py`);
- `mcsuccess`: what such a search has learnt, corrected wherever a move decides a position after
  others (`monte_carlo_success.py`);
- `latemc`: `success` at first, `mc` in a longer proof (`late_monte_carlo.py`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.algorithms.array_checks import within
from playout.compiled import same_record
from playout.contract import UNSURE, Game
from playout.solvers import MOVE_ORDERS
from playout.solvers.move_order import MoveOrder
from playout.solvers.staged_order import StagedOrder
from playout.text.grammar import parse_named
from playout.text.options import class_options, parse_values

SLOTS = 1 << 16  # of the history table
FEW_SLOTS = 1 << 12  # of each stage of `success`


class NoOrder(MoveOrder):
    """The moves as the game lists them."""

    name = "none"

    def wants_scores(self):
        return False

    def score(self, game, state, moves, n, scores, depth):
        pass


class GameOrder(MoveOrder):
    """The game's own order: its `lateness`, lowest first."""

    name = "game"

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = game.lateness(state, moves[i])


class Killer(MoveOrder):
    """The game's order, after the last two moves that decided a position at this depth."""

    fields = ("killers", "known")
    name = "killer"

    def prepare(self, game: Game, root: np.ndarray) -> None:
        self.killers = np.zeros((game.max_length + 2, 2), game.move_type)
        self.known = np.zeros(game.max_length + 2, np.int64)

    def check_arrays(self) -> None:
        within(self.known, 0, self.killers.shape[1], "killer moves")

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = game.lateness(state, moves[i])
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


class Success(StagedOrder):
    """The game's order less `weight` times the share of success of moves of the same code.

    Parameters
    ----------
    weight : float
        What success in every case is worth, in the game's own numbers.
    others
        See `StagedOrder`.
    """

    fields: tuple[str, ...] = (*StagedOrder.fields, "won", "lost", "weight")
    name = "success"

    def __init__(self, *, weight: float = 32.0, **others: Any) -> None:
        super().__init__(**others)
        self.weight = float(weight)

    def prepare(self, game: Game, root: np.ndarray) -> None:
        super().prepare(game, root)
        self.won = np.zeros((self.stages, FEW_SLOTS), np.float64)
        self.lost = np.zeros((self.stages, FEW_SLOTS), np.float64)

    def kind_of(self, game, state, move):
        """The slot of moves like this one."""
        return np.int64(np.uint64(game.code(state, move)) % np.uint64(FEW_SLOTS))

    def score(self, game, state, moves, n, scores, depth):
        stage = self.stage_of(game, state, depth)
        won, lost = self.won[stage], self.lost[stage]
        for i in range(n):
            scores[i] = game.lateness(state, moves[i])
            if scores[i] >= UNSURE:
                slot = self.kind_of(game, state, moves[i])
                scores[i] -= self.weight * (won[slot] + 1.0) / (won[slot] + lost[slot] + 2.0)

    def tried(self, game, state, move, depth, nodes, decided):
        slot = self.kind_of(game, state, move)
        table = self.won if decided else self.lost
        table[self.stage_of(game, state, depth), slot] += math.sqrt(nodes)


def make_order(text: str) -> MoveOrder:
    """The order that a text names: NAME[:OPTION=VALUE,...]; one's own is file.py:Class.

    >>> make_order("mc:playouts=5000").playouts
    5000
    """
    named = parse_named(text, MOVE_ORDERS)
    found = MOVE_ORDERS.find(named.name)
    return found(**parse_values(named.name, class_options(found), named.options))
