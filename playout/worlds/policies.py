"""Tree policies of searches over worlds: how often a move was available, in place of visits.

- UCB: equation (2) of T. Joppen and J. Fuernkranz, Ordinal Monte Carlo Tree Search, 2020, and
  equation (5), the Borda score in place of the mean;
- UCB1 and UCB1-Tuned as tree searches have them: P. Cowling, E. Powley and D. Whitehouse,
  Information Set Monte Carlo Tree Search, 2012.

With no hidden move and the same legal moves in every world a move is available whenever its node is
visited.
"""

from __future__ import annotations

import math

from playout.errors import OptionError
from playout.gametree import tree_policies
from playout.gametree.parts import TreePolicy
from playout.gametree.playout_policies.option_ranges import number


class WorldPolicy(TreePolicy):
    """A tree policy whose `prepare` is told how often a move was available."""

    def wants_order(self):
        """Whether outcomes are compared: `bound` is given the Borda score in place of the mean."""
        return False


class UCB(WorldPolicy):
    """The mean plus 2 C sqrt(2 ln n / n(a)): `uct` has C sqrt(ln n / n(a)), 2 sqrt 2 times this.

    With `ordered` the Borda score stands in place of the mean: how often a move beats another. It
    is a number and not a class, so that open-loop search and O-MCTS are compiled once.
    """

    fields = ("C", "ordered")
    name = "ucb"

    def __init__(self, *, C: float = 0.25, ordered: bool = False) -> None:
        self.C = number("C", C, 0)
        if not isinstance(ordered, bool):
            raise OptionError(f"ordered={ordered!r}: true or false")
        self.ordered = ordered

    def wants_order(self):
        return self.ordered

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        if n == 0:
            return math.inf
        return q + 2.0 * self.C * math.sqrt(2.0 * prepared / n)


class UCB1(WorldPolicy, tree_policies.UCB1):
    """The mean plus C sqrt(ln available / n)."""


class UCB1Tuned(WorldPolicy, tree_policies.UCB1Tuned):
    """UCB1 whose width follows the spread of the rewards."""
