"""What is known of a graph before any search: DSatur's colouring above, a clique below.

D. Brélaz, New methods to color the vertices of a graph, 1979: DSatur colours the vertex whose
neighbours have the most colours, of those the one with the most neighbours, with the first colour
that it may have.

The clique is the best that a branch and bound finds within a number of nodes, so it is the same
every time. Colouring the candidates bounds what they can add: E. Tomita and T. Seki, An efficient
branch-and-bound algorithm for finding a maximum clique, 2003.
"""

from __future__ import annotations

import heapq

from playout.problems.coloring.graph_files import Graph

CLIQUE_NODES = 20_000
LARGE = 20_000  # vertices from which on sets of them are no integers any more


def neighbours(graph: Graph) -> list[list[int]]:
    """The neighbours of each vertex."""
    found: list[list[int]] = [[] for _ in range(graph.n)]
    for a, b in graph.edges.tolist():
        found[a].append(b)
        found[b].append(a)
    return found


def dsatur(graph: Graph) -> list[int]:
    """DSatur's colouring; of equal vertices the first comes first."""
    near = neighbours(graph)
    colours = [-1 if others else 0 for others in near]  # one without neighbours has the first
    taken: list[set[int]] = [set() for _ in near]
    # entries go stale when a vertex's neighbours get more colours, and are passed over
    queue = [(0, -len(others), v) for v, others in enumerate(near) if others]
    heapq.heapify(queue)
    while queue:
        saturation, _, v = heapq.heappop(queue)
        if colours[v] >= 0 or -saturation != len(taken[v]):
            continue
        colour = 0
        while colour in taken[v]:
            colour += 1
        colours[v] = colour
        for u in near[v]:
            if colours[u] < 0 and colour not in taken[u]:
                taken[u].add(colour)
                heapq.heappush(queue, (-len(taken[u]), -len(near[u]), u))
    return colours


def large_clique(graph: Graph, nodes: int = CLIQUE_NODES) -> list[int]:
    """A clique, as indices of vertices: the largest found within so many nodes of the search."""
    near = neighbours(graph)
    order = _degeneracy_order(near)
    order = [v for v in order if near[v]] or order[:1]  # those without neighbours are at its end
    if len(order) > LARGE:
        quick = _quick_clique(near, order)
        order = _core(near, order, len(quick))
        if not order:
            return sorted(quick)
    rank = {v: i for i, v in enumerate(order)}
    # sets of vertices are the bits of integers, numbered from the last of the order
    adjacent = [0] * len(order)
    for v in order:
        bits = 0
        for u in near[v]:
            if u in rank:
                bits |= 1 << rank[u]
        adjacent[rank[v]] = bits
    search = _CliqueSearch(adjacent, nodes)
    search.run()
    return sorted(order[i] for i in search.best)


def _quick_clique(near: list[list[int]], order: list[int]) -> list[int]:
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


def _degeneracy_order(near: list[list[int]]) -> list[int]:
    """Vertices so that each has few neighbours before it: the least connected is put last."""
    degree = [len(others) for others in near]
    queue = [(d, v) for v, d in enumerate(degree)]
    heapq.heapify(queue)
    gone = [False] * len(near)
    order: list[int] = []
    while queue:
        d, v = heapq.heappop(queue)
        if gone[v] or d != degree[v]:
            continue
        gone[v] = True
        order.append(v)
        for u in near[v]:
            if not gone[u]:
                degree[u] -= 1
                heapq.heappush(queue, (degree[u], u))
    return order[::-1]


class _CliqueSearch:
    """Branch and bound over sets of candidates that are integers."""

    def __init__(self, adjacent: list[int], nodes: int) -> None:
        self.adjacent = adjacent
        self.nodes = nodes
        self.best: list[int] = []

    def run(self) -> None:
        n = len(self.adjacent)
        # a quick clique from every vertex, so that a search cut short has a good one
        for v in range(n):
            self._greedy(v)
        self._expand([], (1 << n) - 1)

    def _greedy(self, v: int) -> None:
        clique, candidates = [v], self.adjacent[v]
        while candidates:
            # the densest part comes first in the order
            u = (candidates & -candidates).bit_length() - 1
            clique.append(u)
            candidates &= self.adjacent[u]
        if len(clique) > len(self.best):
            self.best = clique

    def _expand(self, clique: list[int], candidates: int) -> None:
        if self.nodes <= 0:
            return
        self.nodes -= 1
        vertices, bounds = self._colour(candidates, len(self.best) - len(clique))
        for v, bound in zip(reversed(vertices), reversed(bounds), strict=True):
            if len(clique) + bound <= len(self.best) or self.nodes <= 0:
                return
            clique.append(v)
            rest = candidates & self.adjacent[v]
            if rest:
                self._expand(clique, rest)
            elif len(clique) > len(self.best):
                self.best = clique.copy()
            clique.pop()
            candidates &= ~(1 << v)

    def _colour(self, candidates: int, needed: int) -> tuple[list[int], list[int]]:
        """Candidates in order of colour classes; those of the first `needed` cannot matter."""
        vertices, bounds = [], []
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
                    vertices.append(v)
                    bounds.append(colour)
        return vertices, bounds
