"""The Move-Average Sampling Technique: moves that did well elsewhere are played more often.

H. Finnsson and Y. Bjornsson, Learning simulation control in General Game-Playing agents, 2010, as
C. Sironi, T. Cazenave and M. Winands use it: Enhancing Playout Policy Adaptation for General Game
Playing, 2021, sections 3.3 (values, Gibbs and epsilon-greedy selection), 5.2 (decay), 6.1 (the
values of the options) and 6.8 (discount).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.compiled.maths import exp
from playout.compiled.random import random_below, random_unit
from playout.contract import Game
from playout.gametree.playout_policies.choosing import first_above, one_of_equals
from playout.gametree.playout_policies.code_slots import CodePolicy
from playout.gametree.playout_policies.option_ranges import number, selection_of


class MAST(CodePolicy):
    """Moves by the mean reward of the simulations in which their player played them.

    Parameters
    ----------
    selection : greedy or gibbs
        The best move but for a share `epsilon` of random ones, or with probabilities in proportion
        to exp(mean / tau).
    epsilon : float
        0.4 if it is not given.
    tau : float
        0.1 if it is not given, for rewards from 0 to 1.
    decay : float
        What is left of the statistics when the next search begins.
    discount : float
        The reward counts so much less for each move between a move and the end.
    unseen : float
        The value of a move that was never played.
    table : int
        The most codes that are kept, if the game's codes are not small numbers.
    """

    name = "mast"
    fields: tuple[str, ...] = (
        *CodePolicy.fields,
        *("greedy", "epsilon", "tau", "means", "values", "totals", "visits"),
        *("played", "movers", "steps", "powers", "buffer"),
    )

    def __init__(
        self,
        *,
        selection: Literal["greedy", "gibbs"] = "greedy",
        epsilon: float | None = None,
        tau: float | None = None,
        decay: float = 0.2,
        discount: float = 1.0,
        unseen: float = 1.0,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self.greedy, self.epsilon, self.tau = selection_of(
            selection, epsilon, tau, usual=(0.4, 0.1)
        )
        self.means = self.greedy  # what `choose` reads is the mean, not exp(mean / tau)
        self.decay = number("decay", decay, 0, 1)
        self.discount = number("discount", discount, 0, 1)
        self.unseen = number("unseen", unseen, -1e6, 1e6)

    def prepare(self, game: Game, seed: int) -> None:
        size = self.set_slots(game)
        self.values = np.zeros(size)
        self.totals = np.zeros(size)
        self.visits = np.zeros(size)
        self.steps = np.zeros(1, np.int64)
        self.played = np.zeros(game.max_length + 2, np.uint32)
        self.movers = np.zeros(game.max_length + 2, np.int8)
        self.powers = self.discount ** np.arange(game.max_length + 2)
        self.buffer = np.zeros(game.max_moves)
        self.forget()

    def forget(self) -> None:
        """Make every move unseen."""
        self.values[:] = self.unseen if self.means else exp(self.unseen / self.tau)
        self.totals[:] = self.visits[:] = 0

    def next_search(self) -> None:
        if self.decay == 0:
            self.forget()
        self.totals *= self.decay
        self.visits *= self.decay

    def wants_moves(self):
        return True

    def begin(self):
        self.steps[0] = 0

    def choose(self, game, state, moves, n, rng):
        if self.greedy and random_unit(rng) < self.epsilon:
            return random_below(rng, n)
        mover = np.int64(game.turn(state))
        values, buffer = self.values, self.buffer
        if self.greedy:
            most = -np.inf
            for i in range(n):
                value = values[np.uint64(self.slot(game, state, moves[i], mover, False))]
                buffer[i] = value
                most = value if value > most else most
            return one_of_equals(buffer, n, most, rng)
        total = 0.0
        for i in range(n):
            total += values[np.uint64(self.slot(game, state, moves[i], mover, False))]
            buffer[i] = total
        return first_above(buffer, n, random_unit(rng) * total)

    def seen(self, game, state, moves, n, chosen, mover):
        step = self.steps[0]
        self.played[step] = self.slot(game, state, moves[chosen], mover, True)
        self.movers[step] = mover
        self.steps[0] = step + 1

    def learn(self, game, rewards):
        self.take_in(rewards)

    def take_in(self, rewards):
        """Add the rewards to the statistics of the moves."""
        steps = self.steps[0]
        for i in range(steps):
            slot = np.int64(self.played[i])
            if slot == self.no_slot:
                continue
            reward = rewards[self.movers[i]] * self.powers[steps - 1 - i]
            visits, total = self.visits[slot] + 1.0, self.totals[slot] + reward
            self.visits[slot], self.totals[slot] = visits, total
            mean = total / visits
            self.values[slot] = mean if self.means else exp(mean / self.tau)
