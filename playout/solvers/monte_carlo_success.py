"""Monte Carlo move ordering that the proof itself corrects: the order of the solver `auto`.

What a GRAVE search with PPAF has learnt of the root (`monte_carlo_order.py`) is a guess from
playouts. How often moves have decided positions in the proof so far (`Success`) is known, but late,
and not before some were tried. The sum of both is better than either on most boards of the paper's
tables. Counts of playouts at single positions are left out: near the root they stood against what
the proof had found out.

Moves count as alike if PPAF has one weight for them: the same code with the same features of the
game. A pawn's step and its capture are two things, though they lead from and to the same cells.
What is known of few such moves is filled up with what moves of the same code have come to, with
whatever features: as if `FILLED` of the effort had been spent on them with that success.

A small game is solved by the second alone before a Monte Carlo search would be compiled, so that
this search is made `later`, when the proof has taken so many moves. In a proof that takes `AGAIN`
times as many it is made once more, with `MORE` times the playouts, and so on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled.records import mix
from playout.contract import UNSURE, Game
from playout.solvers.learns_later import LearnsLater
from playout.solvers.monte_carlo_order import new_policy, root_search
from playout.solvers.move_orders import FEW_SLOTS, Success

MOST_SLOTS = 1 << 14  # of each stage
MOST_ROOM = 1 << 22  # of all stages; where they are many, each has `FEW_SLOTS`
FILLED = 10.0
AGAIN, MORE = 32, 4


class MonteCarloSuccess(LearnsLater):
    """The game's order, less what PPAF has learnt of moves, less their share of success.

    Parameters
    ----------
    blend, weight : float
        How much the game's own guess and success count beside a weight of PPAF.
    others
        See `LearnsLater`.
    """

    fields: tuple[str, ...] = (*Success.fields, "code_won", "code_lost", "policy", "blend")
    name = "mcsuccess"

    def __init__(self, *, blend: float = 4.0, weight: float = 64.0, **others: Any) -> None:
        super().__init__(blend=blend, weight=weight, **others)

    def prepare(self, game: Game, root: np.ndarray) -> None:
        super().prepare(game, root)
        self.seconds, self.learnings = 0.0, 0
        self.policy = new_policy(game, self.alpha)
        self.policy.prepare(game, 0)
        self.code_won, self.code_lost = self.won, self.lost
        stages = len(self.won)
        slots = MOST_SLOTS if stages * MOST_SLOTS <= MOST_ROOM else FEW_SLOTS
        self.won, self.lost = np.zeros((stages, slots)), np.zeros((stages, slots))
        if not self.later:
            self.learn(game, root)

    def learn(self, game: Game, root: np.ndarray) -> None:
        """Search the root; from then on the weights of its policy count."""
        self.policy = root_search(self, game, root, MORE**self.learnings).team.playouts[0]
        self.learnings += 1

    def learns_after(self, times: int) -> int:
        return self.later * AGAIN**times

    def take_over(self, other: MonteCarloSuccess) -> None:
        self.policy = other.policy

    def slot_of_kind(self, game, state, move, index):
        """The slot of moves that have the index of this one in the arrays of the policy."""
        kind = np.uint64(index)
        if self.policy.keys is not None:  # indices that change when it learns
            kind = np.uint64(game.code(state, move))
        return np.int64(mix(kind) & np.uint64(self.won.shape[1] - 1))

    def slot_of_code(self, game, state, move):
        return np.int64(np.uint64(game.code(state, move)) & np.uint64(self.code_won.shape[1] - 1))

    def kind_of(self, game, state, move):
        mover = np.int64(game.turn(state))
        index = self.policy.slot(game, state, move, mover, False)
        return self.slot_of_kind(game, state, move, index)

    def score(self, game, state, moves, n, scores, depth):
        stage = self.stage_of(game, state, depth)
        won, lost = self.won[stage], self.lost[stage]
        code_won, code_lost = self.code_won[stage], self.code_lost[stage]
        mover = np.int64(game.turn(state))
        weights = self.policy.weights
        for i in range(n):
            late = game.lateness(state, moves[i])
            if late >= UNSURE:
                index = self.policy.slot(game, state, moves[i], mover, False)
                slot = self.slot_of_kind(game, state, moves[i], index)
                code = self.slot_of_code(game, state, moves[i])
                guess = (code_won[code] + 1.0) / (code_won[code] + code_lost[code] + 2.0)
                success = (won[slot] + FILLED * guess) / (won[slot] + lost[slot] + FILLED)
                late = (
                    UNSURE + self.blend * (late - UNSURE) - weights[index] - self.weight * success
                )
            scores[i] = late

    def tried(self, game, state, move, depth, nodes, decided):
        stage, effort = self.stage_of(game, state, depth), math.sqrt(nodes)
        slot, code = self.kind_of(game, state, move), self.slot_of_code(game, state, move)
        if decided:
            self.won[stage, slot] += effort
            self.code_won[stage, code] += effort
        else:
            self.lost[stage, slot] += effort
            self.code_lost[stage, code] += effort
