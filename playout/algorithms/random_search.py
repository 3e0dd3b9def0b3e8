"""Random search: play at random, keep the best. The base line for everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.biased_playouts import playout_mixins
from playout.algorithms.polish import with_mixins
from playout.algorithms.search import Search
from playout.contract import Problem
from playout.text.options import option


@dataclass(frozen=True, kw_only=True)
class Random(Algorithm):
    """Uniformly random playouts.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", po.Random(), "300 playouts", seed=1, compiled=False).score
    6.0
    """

    name: ClassVar[str] = "random"

    bias: bool = option(False, "draw the moves of playouts by the problem's bias")

    def start(self, problem: Problem, seed: int) -> RandomSearch:
        return with_mixins(RandomSearch, problem, *playout_mixins(self))(problem, seed)


class RandomSearch(Search):
    """Nothing but the best sequence; playouts come in batches so that threads can share them."""

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed, slots=16)

    def plan(self, problem):
        return len(self.scores)

    def playout(self, problem, slot):
        length = self.roll(problem, slot, 0)
        if length < 0:
            return length
        self.lengths[slot] = length
        return self.finish(problem, slot, 0)
