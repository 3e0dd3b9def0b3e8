"""Uniformly random playouts."""

from __future__ import annotations

from playout.compiled.random import random_below
from playout.gametree.parts import PlayoutPolicy


class Uniform(PlayoutPolicy):
    """Every legal move is as likely as any other."""

    name = "uniform"

    def choose(self, game, state, moves, n, rng):
        return random_below(rng, n)
