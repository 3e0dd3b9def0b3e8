"""Playouts by the game's own knowledge: its `bias` of each move."""

from __future__ import annotations

from typing import Literal

import numpy as np

from playout.compiled.random import random_below, random_unit
from playout.contract import Game
from playout.errors import OptionError
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playout_policies.choosing import gibbs, one_of_equals
from playout.gametree.playout_policies.option_ranges import number, one_of


class Heuristic(PlayoutPolicy):
    """Moves by the game's `bias`, but for a share `epsilon` of random ones.

    Parameters
    ----------
    selection : gibbs or greedy
        With probabilities in proportion to exp(bias / tau), or the highest bias.
    epsilon : float
        The share of moves of which each is as likely as any other.
    tau : float
        How little the bias tells moves apart, for selection=gibbs.
    """

    name = "heuristic"
    fields = ("greedy", "epsilon", "tau", "buffer")

    def __init__(
        self,
        *,
        selection: Literal["gibbs", "greedy"] = "gibbs",
        epsilon: float = 0.1,
        tau: float | None = None,
    ) -> None:
        self.greedy = one_of("selection", selection, ("gibbs", "greedy")) == "greedy"
        if self.greedy and tau is not None:
            raise OptionError(f"tau={tau}: tau belongs to selection=gibbs")
        self.epsilon = number("epsilon", epsilon, 0, 1)
        self.tau = number("tau", 1.0 if tau is None else tau, 0.01)

    def prepare(self, game: Game, seed: int) -> None:
        if type(game).bias is Game.bias:
            raise OptionError(
                f"{type(game).__name__} has no heuristic (bias): use another playout policy, "
                "such as playout=mast"
            )
        self.buffer = np.zeros(game.max_moves)

    def choose(self, game, state, moves, n, rng):
        if random_unit(rng) < self.epsilon:
            return random_below(rng, n)
        buffer = self.buffer
        most = -np.inf
        for i in range(n):
            bias = np.float64(game.bias(state, moves[i]))
            if not abs(bias) < np.inf:
                return -1
            buffer[i] = bias
            most = bias if bias > most else most
        if self.greedy:
            return one_of_equals(buffer, n, most, rng)
        return gibbs(buffer, n, most, 1.0 / self.tau, rng)
