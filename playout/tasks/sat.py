"""Whether a graph has a colouring with k colours, asked of a SAT solver (extra `sat`).

The encoding of T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring, section 5.1:
a variable for each vertex and colour; each vertex has a colour; the ends of an edge do not share
one.
The solver is MiniSat, as in the paper.
"""

from __future__ import annotations

import math
import time
from threading import Timer
from typing import NamedTuple

from playout.errors import OptionError
from playout.problems.coloring.graph_files import Graph

MOST_CLAUSES = 12_000_000  # about as many as fit into 4 GB, the paper's limit


class SatAnswer(NamedTuple):
    """Whether there is a colouring, None if it is not known in time; the colouring; the effort."""

    answer: bool | None
    coloring: list[int]
    conflicts: int = 0


def sat_coloring(graph: Graph, k: int, seconds: float, conflicts: float = math.inf) -> SatAnswer:
    """What a SAT solver says of k colours within so many seconds and conflicts."""
    try:
        from pysat.solvers import Minisat22
    except ImportError:
        raise OptionError("the SAT solver needs python-sat: pip install 'playout[sat]'") from None
    end = time.monotonic() + seconds
    if len(graph.edges) * k > MOST_CLAUSES:
        return SatAnswer(None, [])
    with Minisat22() as solver:
        for v in range(graph.n):
            solver.add_clause(list(range(v * k + 1, v * k + k + 1)))
        for number, (a, b) in enumerate(graph.edges.tolist()):
            if number % 1000 == 0 and time.monotonic() > end:
                return SatAnswer(None, [])
            for colour in range(1, k + 1):
                solver.add_clause([-(a * k + colour), -(b * k + colour)])
        left = end - time.monotonic()
        if left <= 0:
            return SatAnswer(None, [])
        if conflicts < math.inf:
            solver.conf_budget(int(conflicts))
        timer = Timer(left, solver.interrupt)
        timer.start()
        try:
            answer = solver.solve_limited(expect_interrupt=True)
        finally:
            timer.cancel()
        spent = solver.accum_stats()["conflicts"]
        if not answer:
            return SatAnswer(answer, [], spent)
        true = {literal for literal in solver.get_model() if literal > 0}
    colors = [next(c for c in range(k) if v * k + c + 1 in true) for v in range(graph.n)]
    return SatAnswer(True, colors, spent)
