"""Backups: what a move is worth, from the rewards of the simulations through it.

- the mean: R. Coulom, Efficient selectivity and backup operators in Monte-Carlo tree search, 2006;
- the highest, and a mixture of both (mixmax): E. Jacobsen, R. Greve and J. Togelius, Monte Mario:
  platforming with MCTS, 2014.
"""

from __future__ import annotations

from playout.gametree.parts import Backup
from playout.gametree.playout_policies.option_ranges import number


class Mean(Backup):
    """The mean reward."""

    name = "mean"

    def value(self, mean, top, n):
        return mean


class Max(Backup):
    """The highest reward."""

    name = "max"

    def wants_top(self):
        return True

    def value(self, mean, top, n):
        return top


class MixMax(Backup):
    """The mean with a share `mix` of the highest reward in it."""

    fields = ("mix",)
    name = "mixmax"

    def __init__(self, *, mix: float = 0.125) -> None:
        self.mix = number("mix", mix, 0, 1)

    def wants_top(self):
        return True

    def value(self, mean, top, n):
        return (1.0 - self.mix) * mean + self.mix * top
