"""Colouring random graphs of 100 neighbours a vertex, 10^4 to 10^6 edges: bounds and GNRPA."""

from __future__ import annotations

import time

import numpy as np

import playout as po
from bench.growth.measuring import Figures, search_figures
from playout.problems import GraphColoring
from playout.problems.coloring.bounds import dsatur, large_clique
from playout.problems.coloring.graph_files import Graph, graph_text, parse_graph
from playout.problems.coloring.referee import monochromatic

SIZES = (10_000, 100_000, 1_000_000)
SIZE = "edges"
TOO_LARGE = 30_000_000
FIT = {"edges": ("reading s", "clique s", "DSatur s", "GNRPA playouts/s", "checking s")}
CLIQUE_SECONDS = 10.0


def random_graph(edges: int) -> Graph:
    """A random graph with so many edges, 50 for each vertex."""
    n = edges // 50
    rng = np.random.default_rng(1)
    ends = rng.integers(0, n, (2 * edges, 2))
    graph = Graph.tidy(range(1, n + 1), ends[ends[:, 0] != ends[:, 1]])
    chosen = np.sort(rng.choice(len(graph.edges), edges, replace=False))
    return Graph.tidy(range(1, n + 1), graph.edges[chosen])


def measure(size: int) -> Figures:
    """One graph."""
    text = graph_text(random_graph(size))
    spent = {}

    def timed(what, function, *arguments, **named):
        start = time.process_time()
        result = function(*arguments, **named)
        spent[what] = time.process_time() - start
        return result

    graph = timed("reading s", parse_graph, text, "a graph")
    clique = timed("clique s", large_clique, graph, seconds=CLIQUE_SECONDS)
    colours = timed("DSatur s", dsatur, graph)
    timed("checking s", monochromatic, graph, colours)
    k = len(set(colours)) - 1
    nested = search_figures(GraphColoring(graph, k=k), po.GNRPA(level=2))
    return {
        "edges": size,
        "vertices": graph.n,
        **spent,
        "clique": len(clique),
        "DSatur's colours": k + 1,
        "GNRPA playouts/s": nested["playouts/s"],
        "wrong edges, one colour less": 0.0 - nested["best"],
        "arrays MB": nested["arrays MB"],
    }
