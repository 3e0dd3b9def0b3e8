"""What is known of a graph before any search: DSatur's colouring above, a clique below.

D. Brélaz, New methods to color the vertices of a graph, 1979: DSatur colours the vertex whose
neighbours have the most colours, of those the one with the most neighbours, with the first colour
that it may have.

The clique is the best that a branch and bound finds within a number of nodes, so it is the same
every time, unless the seconds that it is given are over before. Colouring the candidates bounds
what they can add: E. Tomita and T. Seki, An efficient branch-and-bound algorithm for finding a
maximum clique, 2003.
"""

from __future__ import annotations

import math
import time
from itertools import pairwise

import numpy as np

from playout.problems.coloring.graph_files import Graph
from playout.problems.coloring.saturation import Saturation, adjacency

CLIQUE_NODES = 20_000
LARGE = 20_000  # vertices from which on sets of them are no integers any more
GONE = 2**30  # a degree that never is the least


def dsatur(graph: Graph) -> list[int]:
    """DSatur's colouring; of equal vertices the first comes first."""
    inner = graph.inner
    colouring = Saturation(inner)
    for _ in range(graph.n):
        v = colouring.next_vertex()
        colouring.give(v, colouring.first_free(v))
    colours: list[int] = (colouring.colour[inner.rank] - 1).tolist()
    return colours


def large_clique(graph: Graph, nodes: int = CLIQUE_NODES, seconds: float = math.inf) -> list[int]:
    """A clique, as indices of vertices: the largest found within so many nodes of the search."""
    end = time.perf_counter() + seconds
    starts, ends = adjacency(graph.n, graph.edges)
    order = _degeneracy_order(starts, ends)
    # those without neighbours are at its end
    order = [v for v in order if starts[v] < starts[v + 1]] or order[:1]
    rank = np.full(graph.n, len(order), np.int32)  # of those that matter; the others share one
    rank[order] = np.arange(len(order), dtype=np.int32)
    if len(order) > LARGE:
        flat, firsts = ends.tolist(), starts.tolist()
        near = [flat[a:b] for a, b in pairwise(firsts)]
        quick = _quick_clique(near, order, end)
        order = _core(near, order, len(quick))
        if not order or time.perf_counter() > end:
            return sorted(quick)
        rank[:] = len(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
    # sets of vertices are the bits of integers, numbered from the last of the order
    adjacent = []
    for v in order:
        marks = np.zeros(len(order) + 1, np.uint8)
        marks[rank[ends[starts[v] : starts[v + 1]]]] = 1
        packed = np.packbits(marks[:-1], bitorder="little")
        adjacent.append(int.from_bytes(packed.tobytes(), "little"))
    search = _CliqueSearch(adjacent, nodes, end)
    search.run()
    return sorted(order[i] for i in search.best)


def _quick_clique(near: list[list[int]], order: list[int], end: float) -> list[int]:
    """The best clique that one vertex after another gives with the first that fit to it."""
    rank = {v: i for i, v in enumerate(order)}
    best: list[int] = []
    for v in order:
        clique, candidates = [v], {rank[u] for u in near[v]}
        while candidates:
            u = order[min(candidates)]
            clique.append(u)
            candidates &= {rank[w] for w in near[u]}
        if len(clique) > len(best):
            best = clique
        if time.perf_counter() > end:
            break
    return best


def _core(near: list[list[int]], order: list[int], degree: int) -> list[int]:
    """The vertices, in their order, that have so many neighbours among themselves."""
    count = {v: len(near[v]) for v in order}
    gone = [v for v in order if count[v] < degree]
    while gone:
        v = gone.pop()
        if count.pop(v, None) is None:
            continue
        for u in near[v]:
            if u in count:
                count[u] -= 1
                if count[u] < degree:
                    gone.append(u)
    return [v for v in order if v in count]


def _degeneracy_order(starts: np.ndarray, near: np.ndarray) -> list[int]:
    """Vertices so that each has few neighbours before it: the least connected is put last."""
    degree = np.diff(starts).astype(np.int32)
    order: list[int] = []
    for _ in range(len(degree)):
        v = int(degree.argmin())
        order.append(v)
        degree[v] = GONE
        degree[near[starts[v] : starts[v + 1]]] -= 1
    return order[::-1]


class _CliqueSearch:
    """Branch and bound over sets of candidates that are integers."""

    def __init__(self, adjacent: list[int], nodes: int, end: float) -> None:
        self.adjacent = adjacent
        self.nodes = nodes
        self.end = end
        self.best: list[int] = []

    def run(self) -> None:
        n = len(self.adjacent)
        # a quick clique from every vertex, so that a search cut short has a good one
        for v in range(n):
            self._greedy(v)
            if time.perf_counter() > self.end:
                return
        self._expand((1 << n) - 1)

    def _greedy(self, v: int) -> None:
        clique, candidates = [v], self.adjacent[v]
        while candidates:
            # the densest part comes first in the order
            u = (candidates & -candidates).bit_length() - 1
            clique.append(u)
            candidates &= self.adjacent[u]
        if len(clique) > len(self.best):
            self.best = clique

    def _expand(self, everything: int) -> None:
        clique: list[int] = []
        # of each node under way: its candidates that are left, and those to try next with bounds
        nodes = [(everything, self._to_try(everything, 0))]
        while nodes:
            candidates, waiting = nodes.pop()
            if not waiting or self.nodes <= 0 or len(clique) + waiting[-1][1] <= len(self.best):
                if clique:
                    clique.pop()
                continue
            v, _ = waiting.pop()
            nodes.append((candidates & ~(1 << v), waiting))
            clique.append(v)
            rest = candidates & self.adjacent[v]
            if rest:
                nodes.append((rest, self._to_try(rest, len(clique))))
                continue
            if len(clique) > len(self.best):
                self.best = clique.copy()
            clique.pop()

    def _to_try(self, candidates: int, size: int) -> list[tuple[int, int]]:
        """The candidates that may make a clique of this size the best, the last one first."""
        if time.perf_counter() > self.end:
            self.nodes = 0
        if self.nodes <= 0:
            return []
        self.nodes -= 1
        return self._colour(candidates, len(self.best) - size)

    def _colour(self, candidates: int, needed: int) -> list[tuple[int, int]]:
        """Candidates with their colour classes; those of the first `needed` cannot matter."""
        found = []
        colour, left = 0, candidates
        while left:
            colour += 1
            free = left
            while free:
                bit = free & -free
                v = bit.bit_length() - 1
                free &= ~(bit | self.adjacent[v])
                left ^= bit
                if colour > needed:
                    found.append((v, colour))
        return found
