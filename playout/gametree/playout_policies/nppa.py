"""N-gram Playout Policy Adaptation: PPA with weights of sequences of moves as well.

C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for General Game Playing,
2021, section 5.3, equation 8; the defaults are the best values of sections 6.5 and 6.8.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.compiled import kernel, record
from playout.compiled.maths import exp
from playout.compiled.random import random_below, random_unit
from playout.contract import Game
from playout.gametree.playout_policies.choosing import gibbs, one_of_equals
from playout.gametree.playout_policies.ngrams import (
    NGrams,
    add_gram,
    context_of,
    find_gram,
    gram_key,
    longest_gram,
)
from playout.gametree.playout_policies.ppa import LOGGED, PPA, READY, STEPS, single_winner

GRAM = record(value="f8", odds="f8", change="f8", visits="f8")
GRAMS = 1 << 19


class NPPA(NGrams, PPA):
    """PPA by the mean weight of the N-grams that a move would end, up to length L.

    Longer ones than the move itself count if they were adapted at least V times, be it since
    another move was played in their place. Each N-gram of the simulation learns as PPA's moves do,
    among those that end with another legal move.

    Parameters
    ----------
    L, V, grams
        See NST; with an L of 1 it is PPA.
    alpha, k, selection, epsilon, update, decay, discount, memory, table
        See PPA.
    """

    name = "nppa"
    fields = (*PPA.fields, *NGrams.gram_fields, "gram_slots", "gram_touched")

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        L: int = 3,
        V: float = 7,
        update: Literal["payoff", "winner"] = "winner",
        grams: int = GRAMS,
        **others: Any,
    ) -> None:
        super().__init__(alpha=alpha, update=update, **others)
        self.set_gram_options(L, V, grams)

    def prepare(self, game: Game, seed: int) -> None:
        super().prepare(game, seed)
        self.new_grams(GRAM, game)
        self.gram_slots = np.zeros(game.max_moves, np.int64)
        self.gram_touched = np.zeros(self.L * len(self.log) + 1, np.int64)

    def next_search(self) -> None:
        super().next_search()
        if not self.memory or self.decay == 0:
            self.forget_grams()
        elif self.decay < 1:
            self.grams["value"] *= self.decay
            renew_grams(self.gram_keys, self.grams)
        self.make_room_for_grams()

    def choose(self, game, state, moves, n, rng):
        if self.greedy and random_unit(rng) < self.epsilon:
            return random_below(rng, n)
        step = self.head[LOGGED]
        start = self.ends[step]
        mover = np.int64(game.turn(state))
        buffer, contexts, grams, keys = self.buffer, self.contexts, self.grams, self.gram_keys
        log = self.log[start : start + n]
        longest = self.set_contexts(game, state, mover)
        most = -np.inf
        for i in range(n):
            slot = self.slot(game, state, moves[i], mover, True)
            log[i] = slot
            # not a function of its own: that costs a tenth of the simulations
            total, counted = self.weights[np.uint64(slot)], 1.0
            for length in range(2, longest + 1):
                gram = find_gram(keys, gram_key(contexts[length], slot))
                if gram >= 0 and grams[gram].visits >= self.V:
                    total += grams[gram].value
                    counted += 1.0
            weight = total / counted
            buffer[i] = weight
            most = weight if weight > most else most
        self.head[READY] = 1
        self.totals[step] = 0.0
        if self.greedy:
            return one_of_equals(buffer, n, most, rng)
        return gibbs(buffer, n, most, self.k, rng)

    def set_contexts(self, game, state, mover):
        """What the moves come after; the length of the longest N-gram."""
        step = self.head[LOGGED]
        if step < self.head[STEPS]:
            return 1  # the moves before are not in the log
        self.set_before(game, state, step, mover)
        longest = longest_gram(self.before, step, self.L)
        for length in range(2, longest + 1):
            self.contexts[length] = context_of(self.played, self.before, step, length)
        return longest

    def seen(self, game, state, moves, n, chosen, mover):
        self.set_before(game, state, self.head[LOGGED], mover)
        self.log_move(game, state, moves, n, chosen, mover)

    def learn(self, game, rewards):
        self.adapt(rewards)
        winner = single_winner(rewards)
        grams, log, slots = self.grams, self.log, self.gram_slots
        n = 0
        for step in range(self.head[LOGGED]):
            mover = np.int64(self.movers[step])
            share = rewards[mover] if self.payoff else 1.0 * (mover == winner)
            alpha = share * self.powers[self.head[STEPS] - 1 - step]
            start, end = self.ends[step], self.ends[step + 1]
            for length in range(2, longest_gram(self.before, step, self.L) + 1):
                context = context_of(self.played, self.before, step, length)
                if alpha == 0.0:
                    continue
                played = self.gram(context, self.played[step])
                total = 0.0
                for e in range(start, end):
                    gram = self.gram(context, log[e])
                    slots[e - start] = gram
                    total += grams[gram].odds if gram >= 0 else 1.0
                scale = alpha / total
                for e in range(start, end):
                    gram = slots[e - start]
                    if gram >= 0:
                        before = grams[gram].change
                        self.gram_touched[n] = gram
                        n += before == 0.0
                        grams[gram].change = before - scale * grams[gram].odds
                        grams[gram].visits += 1.0
                if played >= 0:
                    grams[played].change += alpha
        for i in range(n):
            gram = self.gram_touched[i]
            grams[gram].value += grams[gram].change
            grams[gram].change = 0.0
            grams[gram].odds = exp(grams[gram].value)

    def gram(self, context, slot):
        """Where an N-gram is, -1 if there is no room for it; a new one has value 0."""
        gram = add_gram(self.gram_keys, self.grams_used, gram_key(context, slot))
        if gram >= 0 and self.grams[gram].odds == 0.0:
            self.grams[gram].odds = 1.0
        return gram


@kernel
def renew_grams(keys, grams):
    """Make the odds of N-grams those of their weights."""
    for i in range(len(grams)):
        if keys[i] != 0:
            grams[i].odds = exp(grams[i].value)
