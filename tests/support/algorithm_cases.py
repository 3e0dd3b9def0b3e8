"""Every algorithm with options for small problems, and what a search knows."""

from __future__ import annotations

# options that come to a natural end within a few hundred playouts, and use batches
CASES = {
    "auto": {},
    "random": {},
    "nmcs": {"level": 2},
    "nrpa": {"level": 2, "N": 8},
    "snrpa": {"level": 2, "N": 5, "P": 3},
    "gnrpa": {"level": 2, "N": 6, "beam": (3, 2), "diversity": "score", "P": 2},
    "uct": {"simulations": 40},
    "policy-mcts": {"model": "uniform", "leaves": 3, "simulations": 40, "rollouts": "policy"},
}


def knowledge(search):
    """All that a search knows, apart from working space that no later step reads."""
    return {name: array.tobytes() for name, array in search.arrays().items()}
