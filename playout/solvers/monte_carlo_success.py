"""Monte Carlo move ordering that the proof itself corrects: the order of the solver `auto`.

What a GRAVE search with PPAF has learnt of the root (`monte_carlo_order.py`) is a guess from
playouts, and so is what the game says of a move itself. The proof shows where their sum is wrong:
a move that decides a position after others were searched in vain should have come first. From then
on moves like it are worth more, and moves like those before it less: a step of logistic regression
for each such pair, longer where the scores were further from the right order and where more was
searched in vain. So it learns only what the guesses leave untold. Steps become shorter the more of
them moves alike have had. Positions that no move decides teach nothing: there any order is as good.
Counts of playouts at single positions are left out: near the root they stood against what the proof
had found out.

Moves count as alike if PPAF has one weight for them: the same code with the same features of the
game. A pawn's step and its capture are two things, though they lead from and to the same cells.

A small game is solved by the corrections alone before a Monte Carlo search would be compiled, so
that this search is made `later`, when the proof has taken so many moves. In a proof that takes
`AGAIN` times as many it is made once more, with `MORE` times the playouts, and so on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled.maths import exp
from playout.compiled.records import mix
from playout.contract import UNSURE, Game
from playout.solvers.learns_later import LearnsLater
from playout.solvers.monte_carlo_order import new_policy, root_search
from playout.solvers.move_orders import FEW_SLOTS

MOST_SLOTS = 1 << 14  # of each stage
MOST_ROOM = 1 << 22  # of all stages; where they are many, each has `FEW_SLOTS`
SPREAD = 8.0  # a difference of scores that is known well
AGAIN, MORE = 32, 4


class MonteCarloSuccess(LearnsLater):
    """The game's order, less what PPAF has learnt of moves, less what the proof has shown.

    Parameters
    ----------
    blend : float
        How much the game's own guess counts beside a weight of PPAF.
    weight : float
        The longest step that moves alike take for a pair, beside a weight of PPAF.
    others
        See `LearnsLater`.
    """

    fields: tuple[str, ...] = (
        *LearnsLater.fields,
        *("worth", "effort", "dense", "policy", "blend", "weight"),
    )
    name = "mcsuccess"

    def __init__(self, *, blend: float = 8.0, weight: float = 2.0, **others: Any) -> None:
        super().__init__(blend=blend, **others)
        self.weight = float(weight)

    def prepare(self, game: Game, root: np.ndarray) -> None:
        super().prepare(game, root)
        self.seconds, self.learnings = 0.0, 0
        self.policy = new_policy(game, self.alpha)
        self.policy.prepare(game, 0)
        slots = MOST_SLOTS if self.stages * MOST_SLOTS <= MOST_ROOM else FEW_SLOTS
        # each index of the policy has a slot of its own if there are enough, else its hash has one
        self.dense = self.policy.keys is None and len(self.policy.weights) <= slots
        if self.dense:
            slots = len(self.policy.weights)
        self.worth = np.zeros((self.stages, slots), np.float32)
        self.effort = np.zeros((self.stages, slots), np.float32)
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

    def slot_of(self, game, state, move, index):
        """The slot of moves that have the index of this one in the arrays of the policy."""
        if self.dense:
            return np.int64(index)
        kind = np.uint64(index)
        if self.policy.keys is not None:  # indices that change when it learns
            kind = np.uint64(game.code(state, move))
        return np.int64(mix(kind) & np.uint64(self.worth.shape[1] - 1))

    def look_up(self, game, state, move, mover, worth):
        """How early a move comes of which the game is not sure, and its slot."""
        index = self.policy.slot(game, state, move, mover, False)
        slot = self.slot_of(game, state, move, index)
        return self.policy.weights[index] + worth[slot], slot

    def score(self, game, state, moves, n, scores, depth):
        worth = self.worth[self.stage_of(game, state, depth)]
        mover = np.int64(game.turn(state))
        for i in range(n):
            late = game.lateness(state, moves[i])
            if late >= UNSURE:
                good, _ = self.look_up(game, state, moves[i], mover, worth)
                late = UNSURE + self.blend * (late - UNSURE) - good
            scores[i] = late

    def late_cut(self, game, state, moves, n, spent, depth):
        late = game.lateness(state, moves[n - 1])
        if late < UNSURE:
            return
        stage = self.stage_of(game, state, depth)
        worth, effort = self.worth[stage], self.effort[stage]
        mover = np.int64(game.turn(state))
        good, best = self.look_up(game, state, moves[n - 1], mover, worth)
        good -= self.blend * (late - UNSURE)
        more, whole = 0.0, 0.0
        for i in range(n - 1):
            late = game.lateness(state, moves[i])
            if late < UNSURE or spent[i] == 0:  # which cost nothing
                continue
            bad, slot = self.look_up(game, state, moves[i], mover, worth)
            bad -= self.blend * (late - UNSURE)
            cost = math.sqrt(math.sqrt(spent[i]))
            wrong = cost / (1.0 + exp((good - bad) / SPREAD))
            effort[slot] += cost
            worth[slot] -= self.weight * wrong / math.sqrt(1.0 + effort[slot])
            more += wrong
            whole += cost
        effort[best] += whole
        worth[best] += self.weight * more / math.sqrt(1.0 + effort[best])
