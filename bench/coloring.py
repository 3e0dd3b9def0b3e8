"""Graph colouring: playouts in DSatur's order against networkx's `greedy_color(strategy="DSATUR")`.

    python -m bench.coloring

One playout colours the whole graph, as one call of networkx does. Both are measured by the CPU
time of one thread, in turn, on le450_15c (or a random graph of that size without the data).
"""

from __future__ import annotations

import time

import playout as po
from bench.common import data_folder, row, store
from bench.speed import cpu_rate, ratio
from playout.problems import GraphColoring

LEAST = 200.0


def main() -> None:
    """Measure, print and store."""
    import networkx as nx

    folder = data_folder()
    if folder is not None:
        problem = GraphColoring.read(folder / "coloring/graphs/le450_15c.col.gz", k=23)[0]
        name = "le450_15c"
    else:
        problem, name = GraphColoring.random(1, n=450, density=0.165, k=23), "a random graph"
    graph = nx.Graph()
    graph.add_nodes_from(range(problem.n))
    graph.add_edges_from(problem.graph.edges.tolist())

    def theirs() -> float:
        start = time.thread_time()
        nx.greedy_color(graph, strategy="DSATUR")
        return 1 / (time.thread_time() - start)

    rows = []
    for algorithm in (po.Random(), po.NRPA(level=3)):
        ours, other, value = ratio(lambda a=algorithm: cpu_rate(problem, a, 2000), theirs)  # type: ignore[misc]
        what = f"{algorithm.name} playouts in DSatur's order, {name}, against networkx's DSATUR"
        rows.append(row(what, round(ours, 1), round(other, 3), value, LEAST))
        print(f"{what}: {ours:,.0f}/s against {other:.2f}/s, {value:,.0f} times")
    store("coloring", {"rows": rows})


if __name__ == "__main__":
    main()
