"""The parts that a tree search is made of, as classes that a user may replace by his own.

A part is a `Compiled` class: its `fields` are what compiled code may read, the keyword arguments of
`__init__` are its options on the command line. Methods that return a constant (`wants_amaf`, ...)
decide when the kernel is compiled what code it has at all.
"""

from __future__ import annotations

import math
from typing import Any, Self

from playout.compiled import Compiled
from playout.contract import Game


class Part(Compiled):
    """A part of a search; `given` are the options that it was made with, for its name in text."""

    fields: tuple[str, ...] = ()
    name = ""
    given: dict[str, Any]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        part = super().__new__(cls)
        part.given = options
        return part


class TreePolicy(Part):
    """Which move the search looks at next, inside the tree: the one with the highest `bound`."""

    def wants_all(self):
        """Whether every move of a node is tried once before any is tried again."""
        return True

    def wants_squares(self):
        """Whether `bound` reads the mean of the squared rewards."""
        return False

    def wants_prior(self):
        """Whether `bound` reads the prior probability of a move, from the game's `bias`."""
        return False

    def wants_amaf(self):
        """Whether `bound` reads all-moves-as-first statistics."""
        return False

    def prepare(self, visits):
        """A number that all bounds of a node share, from the node's visits."""
        return math.log(max(visits, 1))

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        """How much a move deserves the next simulation.

        n : its visits, q : its value to the player who moves, squares : the mean of the squared
        rewards, prior : its probability, amaf_n and amaf_q : visits and value as first.
        """
        raise NotImplementedError


class Backup(Part):
    """What a move is worth to the player who moves, from the rewards of its simulations."""

    def wants_top(self):
        """Whether `value` reads the highest reward."""
        return False

    def value(self, mean, top, n):
        """The value of a move whose n rewards have this mean, and this highest one.

        In a graph of UCT2 or UCT3 statistics the mean is that of the position behind the move.
        """
        raise NotImplementedError


class PlayoutPolicy(Part):
    """How a game is played on, from the leaf of the tree to its end.

    Each thread has a policy of its own. Arrays among the `fields` hold what it has learnt.
    """

    def prepare(self, game: Game, seed: int) -> None:
        """Make the arrays for a game, in plain Python; called once, before anything else."""

    def next_search(self) -> None:
        """A move has been played and another search begins, in plain Python."""

    def wants_moves(self):
        """Whether `seen` is to be told every move of a simulation."""
        return False

    def begin(self):
        """A simulation begins."""

    def choose(self, game, state, moves, n, rng):
        """The number of the move to play, from 0 to n - 1; -1 where a `bias` is no number."""
        raise NotImplementedError

    def seen(self, game, state, moves, n, chosen, mover):
        """In this state, with these n moves, `mover` is about to play move `chosen`.

        Told of every move of a simulation, in the tree and after it, if `wants_moves`.
        """

    def learn(self, game, rewards):
        """The simulation has ended with these rewards."""
