"""Graph colouring: give each vertex one of k colours so that neighbours differ.

T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring. A move colours the vertex
that DSatur's rule names (section 4.2): the one whose neighbours have the most colours, of those
the one with the most neighbours. Colours that a neighbour has are left out (4.3, forward
checking), unless none is left: then all are moves. The score is minus the number of edges whose
ends have one colour (4.4), so that 0 is a proper colouring. A code is vertex times k plus
colour (4.5), and `all_moves` lists the colours that AdaptAll learns from (4.6).

The vertices are numbered by falling degree inside, and those with equal saturation are a set of
bits: the next vertex is the lowest bit of the highest set that is not empty.

Beyond the paper, whose conclusion proposes it: `polish` is a tabu search (`tabu.py`,
`partial_tabu.py`).
"""

from __future__ import annotations

from os import PathLike
from random import Random
from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.random import random_below
from playout.contract import Problem
from playout.contract.visible import Places
from playout.errors import DataError, OptionError, ProblemError
from playout.problems.coloring.bounds import dsatur, large_clique
from playout.problems.coloring.graph_files import (
    Graph,
    draw_svg,
    graph_text,
    parse_graph,
    vertex_point,
)
from playout.problems.coloring.partial_tabu import partial_search
from playout.problems.coloring.referee import coloring_of, monochromatic
from playout.problems.coloring.saturation import Saturation
from playout.problems.coloring.tabu import tabu_search
from playout.text.input_files import read_text

MOST_COLOURS = 32_000
CONFLICT = 8.0  # how much less likely a colour is that a neighbour has, as a logarithm


class GraphColoring(Problem):
    """A graph to be coloured with k colours.

    Parameters
    ----------
    graph : Graph, networkx graph, or pairs of vertices
    k : int
        The number of colours; without one, one less than DSatur needs, or the size of a clique if
        that is more.
    checking : bool
        Forward checking: leave out colours that a neighbour has. Without it every colouring can be
        played, so that what `polish` finds is learned as it is; the bias keeps conflicts rare.
    polish_steps : int
        `polish` ends after this many steps without progress; 250 for each vertex if not given.
    """

    collections = {"dimacs": "coloring/graphs"}

    graph_fields = ("starts", "near", "order", "rank", "mask", "n", "parts", "words")
    fields = (*graph_fields, "k", "polish_steps", "checking", "ended")

    def __init__(
        self,
        graph: Any,
        *,
        k: int | None = None,
        checking: bool = True,
        polish_steps: int | None = None,
    ) -> None:
        self.graph = Graph.of(graph)
        if k is None:
            k = max(len(set(dsatur(self.graph))) - 1, len(large_clique(self.graph)))
        if not 1 <= k <= MOST_COLOURS:
            raise OptionError(f"k={k}: a whole number from 1 to {MOST_COLOURS}")
        if polish_steps is None:
            polish_steps = 250 * self.graph.n
        if polish_steps < 1:
            raise OptionError(f"polish_steps={polish_steps}: a whole number over 0")
        self.checking = bool(checking)
        self.n = n = self.graph.n
        self.k, self.polish_steps = int(k), int(polish_steps)
        self.ended = np.zeros(1, np.int64)
        inner = self.graph.inner
        self.order, self.rank = inner.order, inner.rank
        self.starts, self.near = inner.starts, inner.near
        # Sizes in large steps, so that graphs of about one size share their compiled code.
        room = 64
        while room < n:
            room *= 2
        self.words = room // 64  # of a set of vertices
        self.parts = -(-self.k // 64)  # words of a set of colours
        self.mask = np.zeros(self.parts, np.uint64)
        for colour in range(self.k):
            self.mask[colour // 64] |= bit(colour % 64)
        self.max_moves, self.max_length, self.codes = self.k, n, n * self.k
        self.move_type = record(vertex="i4", colour="i4")
        self.state_type = record(
            vertex="i8",  # to be coloured next, by its inner number
            left="i8",
            conflicts="i8",
            highest="i8",  # saturation that a vertex may have
            colour=("i2", room),  # by inner number; 0: none yet
            saturation=("i2", room),  # how many colours the neighbours have
            taken=("u8", room * self.parts),  # which
            levels=("u8", (64 * self.parts + 1) * self.words),  # vertices of each saturation
        )

    def reset(self, state):
        state.left = self.n
        for v in range(self.n):
            state.levels[v >> 6] |= bit(v & 63)

    def moves(self, state, moves):
        if state.left == 0:
            return 0
        if not self.checking:
            return self.all_moves(state, moves)
        vertex, base = self.order[state.vertex], state.vertex * self.parts
        n = 0
        for part in range(self.parts):
            free = self.mask[part] & ~state.taken[base + part]
            while free != 0:
                moves[n].vertex = vertex
                moves[n].colour = 64 * part + lowest_bit(free)
                free = without_lowest(free)
                n += 1
        if n == 0:
            return self.all_moves(state, moves)
        return n

    def all_moves(self, state, moves):
        vertex = self.order[state.vertex]
        for colour in range(self.k):
            moves[colour].vertex = vertex
            moves[colour].colour = colour
        return self.k

    def play(self, state, move):
        v, one = np.int64(self.rank[move.vertex]), np.int64(1)
        part, wanted = move.colour >> 6, bit(move.colour & 63)
        colour, saturation, taken = state.colour, state.saturation, state.taken
        levels, near, parts, words = state.levels, self.near, self.parts, self.words
        mine = move.colour + 1
        first, beyond = self.starts[v], self.starts[v + 1]
        if taken[v * parts + part] & wanted != 0:
            for i in range(first, beyond):
                state.conflicts += colour[near[i]] == mine
        colour[v] = mine
        levels[saturation[v] * words + (v >> 6)] ^= bit(v & 63)
        state.left -= 1
        highest = state.highest
        for i in range(first, beyond):
            u = np.int64(near[i])
            if colour[u] == 0:
                slot = u * parts + part
                has = taken[slot]
                if has & wanted == 0:
                    taken[slot] = has | wanted
                    level = np.int64(saturation[u])
                    saturation[u] = level + one
                    slot, mark = level * words + (u >> 6), bit(u & 63)
                    levels[slot] ^= mark
                    levels[slot + words] |= mark
                    highest = max(highest, level + one)
        state.highest = highest
        self._find_next(state)

    def _find_next(self, state):
        """The vertex of the highest saturation, of those the first by degree."""
        levels, words, level = state.levels, self.words, state.highest
        if state.left == 0:
            return
        while True:
            for word in range(words):
                here = levels[level * words + word]
                if here != 0:
                    state.vertex = 64 * word + lowest_bit(here)
                    state.highest = level
                    return
            level -= 1

    def score(self, state):
        return 0.0 - state.conflicts

    def code(self, state, move):
        return np.uint64(move.vertex * np.int64(self.k) + move.colour)

    def bias(self, state, move):
        return -CONFLICT if self._is_taken(state, state.vertex * self.parts, move.colour) else 0.0

    # tabu search

    def polish(self, state, moves, first, length, rng):
        """Lower the number of conflicts by tabu search; vertices of the first moves stay.

        Either of complete colourings or, if no vertex must stay, of partial ones: which is drawn.
        What is found must be played in DSatur's order, in which forward checking may not let a
        conflict be; then another colour is taken.
        """
        n, before = self.n, state.conflicts
        if before == 0:
            return length
        colour, fixed = np.empty(n, np.int32), np.zeros(n, np.bool_)
        for i in range(length):
            v = self.rank[moves[i].vertex]
            colour[v] = moves[i].colour
            fixed[v] = i < first
        steps, ended = self.polish_steps, self.ended
        near, starts = self.near, self.starts
        if first == 0 and random_below(rng, 2) == 0:
            best = partial_search(near, starts, self.k, colour, steps, ended, rng)
        else:
            best = tabu_search(near, starts, self.k, colour, fixed, steps, ended, rng)
        # the way there
        vertices, old = np.empty(length, np.int32), np.empty(length, np.int32)
        for i in range(length):
            vertices[i], old[i] = moves[i].vertex, moves[i].colour
        self._clear(state)
        self.reset(state)
        for i in range(length):
            v = state.vertex
            best[v] = self._playable(state, v, best)
            moves[i].vertex = self.order[v]
            moves[i].colour = best[v]
            self.play(state, moves[i])
        if state.conflicts > before:
            for i in range(length):
                moves[i].vertex, moves[i].colour = vertices[i], old[i]
        return length

    def _clear(self, state):
        """Nothing is coloured."""
        state.vertex = 0
        state.conflicts = 0
        state.highest = 0
        state.colour[:] = 0
        state.saturation[:] = 0
        state.taken[:] = 0
        state.levels[:] = 0

    def _playable(self, state, v, wanted):
        """The wanted colour if it is a move, else the one that fewest neighbours want."""
        colour = wanted[v]
        base = v * self.parts
        if not self.checking or state.saturation[v] == self.k:
            return colour
        if not self._is_taken(state, base, colour):
            return colour
        least, found = self.n, colour
        for c in range(self.k):
            if self._is_taken(state, base, c):
                continue
            count = 0
            for i in range(self.starts[v], self.starts[v + 1]):
                count += wanted[self.near[i]] == c
            if count < least:
                least, found = count, c
        return found

    def _is_taken(self, state, base, colour):
        return state.taken[base + (colour >> 6)] & bit(colour & 63) != 0

    # what a person sees, in plain Python

    def coloring(self, moves: Any) -> list[int]:
        """The colour of each vertex of the graph that a finished sequence gives, from 0."""
        return coloring_of(self.n, self.k, [(int(m["vertex"]), int(m["colour"])) for m in moves])

    def verify(self, moves: Any) -> float:
        """The score by counting the wrong edges of the graph again."""
        return 0.0 - len(monochromatic(self.graph, self.coloring(self.as_moves(moves))))

    def replay(
        self, moves: Any, start: np.ndarray | None = None, texts: list[str] | None = None
    ) -> np.ndarray:
        """As of any game; a whole one, of which a large graph has many moves, in whole arrays."""
        moves = self.as_moves(moves, start)
        if start is not None or len(moves) != self.n:
            return super().replay(moves, start, texts)
        states, colouring = self.root(), Saturation(self.graph.inner)
        v = 0
        for number, (vertex, colour) in enumerate(moves.tolist(), 1):
            v = colouring.next_vertex()
            taken = self.checking and colouring.is_taken(v, colour)
            if (
                self.order[v] != vertex
                or not 0 <= colour < self.k
                or (taken and colouring.saturation[v] < self.k)
            ):
                raise ProblemError(f"move {number}, {moves[number - 1]}, is not legal there")
            if texts is not None:
                texts.append(self.move_text(states[0], moves[number - 1]))
            colouring.give(v, colour)
        state = states[0]
        self._clear(state)
        state.vertex, state.left, state.highest = v, 0, colouring.saturation[v]
        state.conflicts = colouring.conflicts
        state.colour[: self.n], state.saturation[: self.n] = colouring.colour, colouring.saturation
        for part, words in enumerate(colouring.taken):
            state.taken[part : self.n * self.parts : self.parts] = words
        return states

    def render(self, state: Any) -> str:
        colours = state.colour[self.rank]
        used = colours[colours > 0].tolist()
        summary = (
            f"{self.n} vertices, {len(self.graph.edges)} edges, {self.k} colours: "
            f"{len(used)} coloured with {len(set(used))}, {state.conflicts} wrong edges"
        )
        lines = [summary]
        for colour in sorted(set(used)):
            members = [
                str(self.graph.labels[v]) for v in np.flatnonzero(colours == colour).tolist()
            ]
            lines.append(f"{colour:>4}: {' '.join(members)}")
        return "\n".join(lines)

    def svg(self, state: Any) -> str:
        """The vertices on a circle, for graphs that are small enough to be seen."""
        if not self._is_small():
            return ""
        return draw_svg(self.graph, state.colour[self.rank].tolist(), self.k)

    def where(self, state: Any, move: Any) -> Places:
        """The vertex."""
        return (vertex_point(int(move["vertex"]), self.n),) if self._is_small() else ()

    def _is_small(self) -> bool:
        return self.n <= 200 and len(self.graph.edges) <= 5000

    def move_text(self, state: Any, move: Any) -> str:
        """Vertex and colour, which is counted from 1."""
        return f"{self.graph.labels[int(move['vertex'])]}={int(move['colour']) + 1}"

    # where instances come from

    @classmethod
    def default(cls, *, n: int = 8, **options: Any) -> GraphColoring:
        """The squares of an n x n board, neighbours where a queen's move leads."""
        if not 1 <= n <= 100:
            raise OptionError(f"n={n}: a whole number from 1 to 100")
        squares = [(i, j) for i in range(n) for j in range(n)]
        edges = [
            (a, b)
            for a, (i, j) in enumerate(squares)
            for b, (x, y) in enumerate(squares[:a])
            if i == x or j == y or abs(i - x) == abs(j - y)
        ]
        return cls(_numbered(n * n, edges), **options)

    @classmethod
    def random(
        cls, seed: int = 0, *, n: int = 100, density: float = 0.5, **options: Any
    ) -> GraphColoring:
        """A graph of n vertices in which each edge is with probability `density`."""
        if not 1 <= n <= 5000:
            raise OptionError(f"n={n}: a whole number from 1 to 5000")
        if not 0 <= density <= 1:
            raise OptionError(f"density={density}: a number from 0 to 1")
        rng = Random(seed)  # its random() is promised to stay the same for ever
        edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < density]
        return cls(_numbered(n, edges), **options)

    @classmethod
    def read(cls, path: str | PathLike[str], **options: Any) -> list[GraphColoring]:
        """The graph in a file: see `coloring_files` for its forms."""
        return cls.parse(read_text(path), str(path), **options)

    @classmethod
    def parse(cls, text: str, source: str, **options: Any) -> list[GraphColoring]:
        """The graph in the text of a file; `source` is its name for error messages."""
        try:
            return [cls(parse_graph(text, source), **options)]
        except DataError as error:
            if str(error).startswith(source):
                raise
            raise DataError(f"{source}: {error}") from None

    def write(self) -> str:
        return graph_text(self.graph)


def _numbered(n: int, edges: list[tuple[int, int]]) -> Graph:
    """A graph whose vertices are named 1 to n, from pairs of indices."""
    return Graph.tidy(range(1, n + 1), np.array(edges, np.int64).reshape(-1, 2))
