"""An independent referee for colourings: every edge, in plain NumPy, and nothing of the search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playout.errors import ProblemError
from playout.problems.coloring.graph_files import Graph


def monochromatic(graph: Graph, colours: Sequence[int]) -> list[tuple[int, int]]:
    """The edges whose ends have one colour, as pairs of indices of vertices."""
    if len(colours) != graph.n:
        raise ProblemError(f"{len(colours)} colours for {graph.n} vertices")
    given = np.asarray(colours)
    same = given[graph.edges[:, 0]] == given[graph.edges[:, 1]]
    return [(a, b) for a, b in graph.edges[same].tolist()]


def verify_coloring(graph: Graph, colours: Sequence[int]) -> int:
    """The number of colours of a proper colouring.

    Raises `ProblemError` if the two ends of an edge have one colour, naming the first.
    """
    wrong = monochromatic(graph, colours)
    if wrong:
        a, b = wrong[0]
        raise ProblemError(
            f"vertices {graph.labels[a]} and {graph.labels[b]} are neighbours of one colour"
            + (f", and {len(wrong) - 1} more edges" if len(wrong) > 1 else "")
        )
    return len(set(colours))


def coloring_of(n: int, k: int, moves: Sequence[tuple[int, int]]) -> list[int]:
    """The colours that a sequence of (vertex, colour) gives to n vertices.

    Raises `ProblemError` if a vertex is coloured twice or not at all, or there is no such colour.
    """
    colours = [-1] * n
    for number, (vertex, colour) in enumerate(moves, 1):
        if not 0 <= vertex < n or not 0 <= colour < k:
            raise ProblemError(f"move {number}: there is no vertex {vertex} or colour {colour}")
        if colours[vertex] >= 0:
            raise ProblemError(f"move {number}: vertex {vertex} has a colour already")
        colours[vertex] = colour
    if -1 in colours:
        raise ProblemError(f"vertex {colours.index(-1)} has no colour")
    return colours
