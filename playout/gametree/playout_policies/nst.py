"""The N-gram Selection Technique: MAST over sequences of moves as well.

M. Tak, M. Winands and Y. Bjornsson, N-grams and the last-good-reply policy applied in general game
playing, 2012, as in C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for
General Game Playing, 2021, section 3.4, equations 3 and 4, with the values of section 6.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.random import random_below, random_unit
from playout.contract import Game
from playout.gametree.playout_policies.choosing import gibbs, one_of_equals
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.ngrams import (
    NGrams,
    add_gram,
    context_of,
    find_gram,
    gram_key,
    longest_gram,
    move_before,
)

GRAM = record(value="f8", total="f8", visits="f8")
GRAMS = 1 << 17


class NST(NGrams, MAST):
    """Moves by the mean of the values of the N-grams that they would end, up to length L.

    Longer ones than the move itself count if they have at least V visits. The moves before are
    those of the simulation, in the order of play; where players move at the same time, see
    ngrams.py.

    Parameters
    ----------
    L : int
        The length of the longest N-grams; with 1 it is MAST.
    V : float
        Visits from which a longer N-gram counts.
    grams : int
        The most longer N-grams that are kept.
    selection, epsilon, tau, decay, discount, unseen, table
        See MAST.
    """

    name = "nst"
    fields = (*MAST.fields, *NGrams.gram_fields, "gram_log")

    def __init__(self, *, L: int = 3, V: float = 7, grams: int = GRAMS, **others: Any) -> None:
        super().__init__(**others)
        self.set_gram_options(L, V, grams)
        self.means = True

    def prepare(self, game: Game, seed: int) -> None:
        super().prepare(game, seed)
        self.new_grams(GRAM, game)
        self.gram_log = np.zeros((game.max_length + 2, self.L + 1), np.int64)

    def next_search(self) -> None:
        super().next_search()
        if self.decay == 0:
            self.forget_grams()
        elif self.decay < 1:
            self.grams["total"] *= self.decay
            self.grams["visits"] *= self.decay
        self.make_room_for_grams()

    def choose(self, game, state, moves, n, rng):
        if self.greedy and random_unit(rng) < self.epsilon:
            return random_below(rng, n)
        mover = np.int64(game.turn(state))
        buffer, contexts, grams, keys = self.buffer, self.contexts, self.grams, self.gram_keys
        longest = self.set_contexts(game, state, mover)
        most = -np.inf
        for i in range(n):
            slot = self.slot(game, state, moves[i], mover, False)
            # not a function of its own: that costs a tenth of the simulations
            total, counted = self.values[np.uint64(slot)], 1.0
            for length in range(2, longest + 1):
                gram = find_gram(keys, gram_key(contexts[length], slot))
                if gram >= 0 and grams[gram].visits >= self.V:
                    total += grams[gram].value
                    counted += 1.0
            value = total / counted
            buffer[i] = value
            most = value if value > most else most
        if self.greedy:
            return one_of_equals(buffer, n, most, rng)
        return gibbs(buffer, n, most, 1.0 / self.tau, rng)

    def set_contexts(self, game, state, mover):
        """What the moves come after; the length up to which N-grams may have visits enough.

        An N-gram has no more visits than the one without its last move, which came before.
        """
        step = self.steps[0]
        self.set_before(game, state, step, mover)
        last = move_before(self.before, step)
        if self.L == 1 or last < 0 or self.visits[self.played[last]] < self.V:
            return 1
        longest = 2
        while longest < longest_gram(self.before, step, self.L):
            gram = self.gram_log[last, longest]
            if gram < 0 or self.grams[gram].visits < self.V:
                break
            longest += 1
        for length in range(2, longest + 1):
            self.contexts[length] = context_of(self.played, self.before, step, length)
        return longest

    def seen(self, game, state, moves, n, chosen, mover):
        step = self.steps[0]
        slot = self.slot(game, state, moves[chosen], mover, True)
        self.set_before(game, state, step, mover)
        for length in range(2, longest_gram(self.before, step, self.L) + 1):
            key = gram_key(context_of(self.played, self.before, step, length), slot)
            self.gram_log[step, length] = add_gram(self.gram_keys, self.grams_used, key)
        self.played[step] = slot
        self.movers[step] = mover
        self.steps[0] = step + 1

    def learn(self, game, rewards):
        self.take_in(rewards)
        steps, grams = self.steps[0], self.grams
        for i in range(steps):
            reward = rewards[self.movers[i]] * self.powers[steps - 1 - i]
            for length in range(2, longest_gram(self.before, i, self.L) + 1):
                gram = self.gram_log[i, length]
                if gram >= 0:
                    grams[gram].total += reward
                    grams[gram].visits += 1.0
                    grams[gram].value = grams[gram].total / grams[gram].visits
