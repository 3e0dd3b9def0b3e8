"""Every algorithm with options for small problems, and what a search knows."""

from __future__ import annotations

from playout.algorithms.search import FINE, ROOM, step
from playout.run.portfolio import Portfolio

# options that come to a natural end within a few hundred playouts, and use batches
CASES = {
    "auto": {},
    "random": {},
    "nmcs": {"level": 2},
    "nrpa": {"level": 2, "N": 8},
    "snrpa": {"level": 2, "N": 5, "P": 3},
    "gnrpa": {"level": 2, "N": 6, "beam": (3, 2), "diversity": "score", "P": 2},
    "lahc": {"memory": 1, "P": 3},
    "uct": {"simulations": 40},
    "policy-mcts": {"model": "uniform", "leaves": 3, "simulations": 40, "rollouts": "policy"},
}


def knowledge(search):
    """All that a search knows, apart from working space that no later step reads."""
    arrays = search.arrays().items()
    return {name: array.tobytes() for name, array in arrays if not name.endswith("odds")}


def take_on(search, problem, size, kernel=step):
    """Take a search on by a step; how the step ended."""
    goal = int(search.head[0].playouts) + size
    if isinstance(search, Portfolio):  # whose steps may be shorter than they were asked to be
        search.head[0].budget = 3000
        steps = search.make_step(problem, kernel is step, 1)
        status = steps(search, 0)
        while status == FINE and int(search.head[0].playouts) < goal:
            status = steps(search, goal - int(search.head[0].playouts))
        return status
    while (status := kernel(search, problem, goal - int(search.head[0].playouts))) == ROOM:
        search.grow()
    return status
