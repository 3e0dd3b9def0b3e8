"""DSatur's order in whole arrays: which vertex comes next, and what colouring it changes.

D. Brélaz, New methods to color the vertices of a graph, 1979: the next vertex is the one whose
neighbours have the most colours, of those the one with the most neighbours, of those the first.

Vertices are numbered by falling degree inside, so that the first of the highest saturation is the
next. One step is a few operations on arrays of the neighbours: in plain Python a graph of a
million edges is gone through in a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

COLOURED = -(2**30)  # a saturation that never is the highest


def adjacency(n: int, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All neighbours, those of vertex v from near[starts[v]] to near[starts[v + 1] - 1], rising."""
    low, high = edges.astype(np.int64).T
    keys = np.concatenate([low * n + high, high * n + low])
    keys.sort()
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(keys // n, minlength=n))])
    return starts, (keys % n).astype(np.int32)


@dataclass(frozen=True)
class InnerGraph:
    """A graph with its vertices numbered by falling degree.

    `order` has the vertex of each inner number and `rank` the inner number of each vertex;
    `starts` and `near` are the `adjacency` of inner numbers.
    """

    order: np.ndarray
    rank: np.ndarray
    starts: np.ndarray
    near: np.ndarray

    @classmethod
    def of(cls, n: int, edges: np.ndarray) -> InnerGraph:
        """From pairs of vertices, each pair once."""
        degree = np.bincount(edges.ravel(), minlength=n)
        order = np.argsort(-degree, kind="stable").astype(np.int32)
        rank = np.empty(n, np.int32)
        rank[order] = np.arange(n, dtype=np.int32)
        return cls(order, rank, *adjacency(n, rank[edges]))

    def neighbours(self, v: int) -> np.ndarray:
        """The neighbours of an inner vertex."""
        return self.near[self.starts[v] : self.starts[v + 1]]


class Saturation:
    """A colouring under way, by inner numbers.

    `colour` is counted from 1, 0 for none yet. Bit c % 64 of taken[c // 64][v] says that a
    neighbour of v has colour c, from 0; what a vertex has taken stays when it is coloured.
    """

    def __init__(self, graph: InnerGraph) -> None:
        self.graph = graph
        n = len(graph.order)
        self.colour = np.zeros(n, np.int32)
        self.saturation = np.zeros(n, np.int32)
        self.taken: list[np.ndarray] = []
        self.conflicts = 0
        self._waiting = np.zeros(n, np.int32)  # the saturation of vertices without colour

    def next_vertex(self) -> int:
        """The vertex to colour next, if one is left."""
        return int(self._waiting.argmax())

    def is_taken(self, v: int, colour: int) -> bool:
        """Whether a neighbour of v has this colour."""
        part, bit = divmod(colour, 64)
        return part < len(self.taken) and bool(int(self.taken[part][v]) >> bit & 1)

    def first_free(self, v: int) -> int:
        """The lowest colour that no neighbour of v has."""
        for part, words in enumerate(self.taken):
            free = ~int(words[v]) & (2**64 - 1)
            if free:
                return 64 * part + (free & -free).bit_length() - 1
        return 64 * len(self.taken)

    def give(self, v: int, colour: int) -> None:
        """Give a vertex a colour."""
        part, bit = colour // 64, np.uint64(1 << colour % 64)
        while len(self.taken) <= part:
            self.taken.append(np.zeros(len(self.colour), np.uint64))
        words, near = self.taken[part], self.graph.neighbours(v)
        theirs = self.colour[near]
        if self.is_taken(v, colour):
            self.conflicts += int(np.count_nonzero(theirs == colour + 1))
        self.colour[v] = colour + 1
        self._waiting[v] = COLOURED
        waiting = near[theirs == 0]
        fresh = waiting[(words[waiting] & bit) == 0]
        words[fresh] |= bit
        self.saturation[fresh] += 1
        self._waiting[fresh] += 1
