"""Playout Policy Adaptation: weights of moves that go up where they win; with move features, PPAF.

- T. Cazenave, Playout policy adaptation for games, 2015, as in C. Sironi, T. Cazenave and M.
  Winands, Enhancing Playout Policy Adaptation for General Game Playing, 2021: Algorithm 1, with
  sections 5.1 (epsilon-greedy selection, payoff-based update), 5.2 (decay) and 5.4 (discount). The
  defaults are the best values of section 6.
- T. Cazenave, Playout policy adaptation with move features, 2016, as in T. Cazenave, Monte Carlo
  Game Solver, 2021, section 2.5, Algorithm 2: PPAF. T. Cazenave and E. Diemert, Memorizing the
  playout policy, 2018: alpha, and the policy kept between moves.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.compiled import helper, kernel
from playout.compiled.maths import exp, exp_all
from playout.compiled.random import random_below, random_unit
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError
from playout.gametree.playout_policies.choosing import first_above, one_of_equals
from playout.gametree.playout_policies.code_slots import CodePolicy, slot_of
from playout.gametree.playout_policies.option_ranges import number, one_of, selection_of

MOST_LOGGED = 1 << 20  # legal moves of one simulation that are learnt from
STEPS, LOGGED, READY = 0, 1, 2  # in `head`: moves, those in the log, whether one is just chosen


class PPA(CodePolicy):
    """Moves with probabilities in proportion to exp(k weight).

    After a simulation, in each of its positions the weight of the move played goes up by alpha and
    those of all legal moves go down by alpha times their probabilities, as the policy was before.

    Parameters
    ----------
    alpha : float
        The learning rate.
    k : float
        How sharply the weights tell moves apart when they are selected.
    selection : gibbs or greedy
        By the probabilities, or the highest weight but for a share `epsilon` of random moves.
    epsilon : float
        0.4 if it is not given.
    update : payoff or winner
        Every player learns, in proportion to his reward (from 0 to 1), or a single winner only.
    decay : float
        What the weights are multiplied by when the next search begins.
    discount : float
        A position counts so much less for each move between its own and the end.
    memory : bool
        Whether the weights are kept for the next search at all.
    table : int
        The most codes that are kept, if the game's codes are not small numbers.
    """

    name = "ppa"
    fields: tuple[str, ...] = (
        *CodePolicy.fields,
        *("alpha", "k", "greedy", "epsilon", "payoff", "weights", "odds", "chances", "change"),
        *("powers", "buffer", "log", "ends", "played", "movers", "totals", "head"),
        *("touched", "fresh"),
    )

    def __init__(
        self,
        *,
        alpha: float = 0.32,
        k: float = 1.0,
        selection: Literal["gibbs", "greedy"] = "gibbs",
        epsilon: float | None = None,
        update: Literal["payoff", "winner"] = "payoff",
        decay: float = 1.0,
        discount: float = 0.95,
        memory: bool = True,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self.alpha = number("alpha", alpha, 0)
        self.k = number("k", k, 0)
        self.greedy, self.epsilon, _ = selection_of(selection, epsilon, None, usual=(0.4, 1.0))
        self.payoff = one_of("update", update, ("payoff", "winner")) == "payoff"
        self.decay = number("decay", decay, 0, 1)
        self.discount = number("discount", discount, 0, 1)
        if not memory and 0 < decay < 1:
            raise OptionError(f"decay={decay}: memory=false forgets all, leave decay out")
        self.memory = bool(memory)

    def prepare(self, game: Game, seed: int) -> None:
        size = self.set_slots(game)
        self.weights = np.zeros(size)
        self.odds = np.ones(size)  # exp(weight)
        # exp(k weight): the very same array where it is the same
        self.chances = self.odds if self.k == 1 else np.ones(size)
        self.change = np.zeros(size)  # of the weights, while a simulation is taken in
        room = min(game.max_length * game.max_moves, MOST_LOGGED)
        # the slots of all legal moves, step by step; one more step than room does no harm
        self.log = np.zeros(room + game.max_moves, np.uint32)
        self.touched = np.zeros(len(self.log) + 1, np.uint32)
        self.fresh = np.zeros(len(self.touched))
        # of each step: the end of its moves, the slot and the player of the move that was
        # played, and the sum of the odds if it is known already
        self.ends = np.zeros(game.max_length + 3, np.int64)
        self.played = np.zeros(game.max_length + 2, np.uint32)
        self.movers = np.zeros(game.max_length + 2, np.int8)
        self.totals = np.zeros(game.max_length + 2)
        self.powers = self.alpha * self.discount ** np.arange(game.max_length + 2)
        self.buffer = np.zeros(game.max_moves)
        self.head = np.zeros(3, np.int64)

    def next_search(self) -> None:
        if not self.memory or self.decay == 0:
            self.weights[:] = 0
            self.odds[:] = self.chances[:] = 1
        elif self.decay < 1:
            self.weights *= self.decay
            renew(self.weights, self.odds, 1.0)
            if self.chances is not self.odds:
                renew(self.weights, self.chances, self.k)

    def wants_moves(self):
        return True

    def begin(self):
        self.head[STEPS] = 0
        self.head[LOGGED] = 0
        self.head[READY] = 0

    def choose(self, game, state, moves, n, rng):
        if self.greedy and random_unit(rng) < self.epsilon:
            return random_below(rng, n)
        step = self.head[LOGGED]
        start = self.ends[step]
        mover = np.int64(game.turn(state))
        chances, buffer, log = self.chances, self.buffer, self.log[start : start + n]
        self.head[READY] = 1
        self.totals[step] = 0.0
        if self.greedy:
            most = -np.inf
            for i in range(n):
                slot = self.slot(game, state, moves[i], mover, True)
                weight = self.weights[np.uint64(slot)]
                log[i] = slot
                buffer[i] = weight
                most = weight if weight > most else most
            return one_of_equals(buffer, n, most, rng)
        total = 0.0
        for i in range(n):
            slot = self.slot(game, state, moves[i], mover, True)
            total += chances[np.uint64(slot)]
            log[i] = slot
            buffer[i] = total
        if self.k == 1.0:
            self.totals[step] = total
        return first_above(buffer, n, random_unit(rng) * total)

    def seen(self, game, state, moves, n, chosen, mover):
        self.log_move(game, state, moves, n, chosen, mover)

    def log_move(self, game, state, moves, n, chosen, mover):
        """Note the legal moves and the one that is played."""
        step = self.head[LOGGED]
        start = self.ends[step]
        log = self.log
        if self.head[READY] == 0:  # in the tree, or chosen without looking
            for i in range(n):
                log[start + i] = self.slot(game, state, moves[i], mover, True)
            self.totals[step] = 0.0
        self.head[READY] = 0
        self.head[STEPS] += 1
        if start + n + len(self.buffer) > len(log):
            return  # no room for it
        self.played[step] = log[start + chosen]
        self.movers[step] = mover
        self.ends[step + 1] = start + n
        self.head[LOGGED] = step + 1

    def learn(self, game, rewards):
        self.adapt(rewards)

    def adapt(self, rewards):
        """Adapt the weights of single moves to the simulation."""
        winner = single_winner(rewards)
        odds, change, log, touched = self.odds, self.change, self.log, self.touched
        n = 0
        for step in range(self.head[LOGGED]):
            mover = np.int64(self.movers[step])
            share = rewards[mover] if self.payoff else 1.0 * (mover == winner)
            if share == 0.0:
                continue
            alpha = share * self.powers[self.head[STEPS] - 1 - step]
            start, end = self.ends[step], self.ends[step + 1]
            total = self.totals[step]
            if total == 0.0:
                for e in range(start, end):
                    total += odds[log[e]]
            scale = alpha / total
            for e in range(start, end):
                slot = log[e]
                before = change[slot]
                touched[n] = slot
                n += before == 0.0
                change[slot] = before - scale * odds[slot]
            change[self.played[step]] += alpha
        self.take_in(n)

    def take_in(self, n):
        """Change the weights of the first n touched slots, some of which may stand twice."""
        weights, fresh, touched = self.weights, self.fresh, self.touched
        self.change[self.no_slot] = 0.0
        for i in range(n):
            slot = touched[i]
            weights[slot] += self.change[slot]
            self.change[slot] = 0.0
            fresh[i] = weights[slot]
        exp_all(fresh, n)
        for i in range(n):
            self.odds[touched[i]] = fresh[i]
        if self.k != 1.0:
            for i in range(n):
                self.chances[touched[i]] = exp(self.k * weights[touched[i]])


class PPAF(PPA):
    """PPA whose weights are of codes and the game's `features` together; options as PPA's."""

    name = "ppaf"
    fields = (*PPA.fields, "kinds")

    def __init__(
        self,
        *,
        update: Literal["payoff", "winner"] = "winner",
        discount: float = 1.0,
        **others: Any,
    ) -> None:
        super().__init__(update=update, discount=discount, **others)

    def prepare(self, game: Game, seed: int) -> None:
        if type(game).features is Game.features or game.kinds == 1:
            name = type(game).__name__
            raise OptionError(f"{name} has no move features (features and kinds): use playout=ppa")
        self.kinds = int(game.kinds)
        super().prepare(game, seed)

    def set_slots(self, game: Game, kinds: int = 1) -> int:
        return super().set_slots(game, self.kinds)

    def slot(self, game, state, move, mover, add):
        code = with_features(
            self.keys, self.kinds, game.code(state, move), game.features(state, move)
        )
        return slot_of(self.keys, self.used, self.codes, self.no_slot, code, mover, add)


@helper
def with_features(keys, kinds, code, features):
    """A number for a code with features: a small one if the codes are."""
    if keys is None:  # known when this is compiled
        if np.uint64(features) < np.uint64(kinds):
            return np.int64(code) * kinds + np.int64(features)
        return np.int64(-1)
    return mix(np.uint64(code)) + np.uint64(features)


@helper
def single_winner(rewards):
    """The player with the highest reward, -1 if others have it too."""
    winner = 0
    for player in range(1, len(rewards)):
        if rewards[player] > rewards[winner]:
            winner = player
    for player in range(len(rewards)):
        if player != winner and rewards[player] == rewards[winner]:
            return -1
    return winner


@kernel
def renew(weights, odds, k):
    """Make the odds those of the weights."""
    for i in range(len(weights)):
        odds[i] = k * weights[i]
    exp_all(odds, len(weights))
