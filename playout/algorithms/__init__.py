"""The algorithms: one file each, options as frozen dataclasses.

To add one, write its file and add a line to `ALGORITHMS`.
"""

from __future__ import annotations

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.gnrpa import GNRPA
from playout.algorithms.nmcs import NMCS
from playout.algorithms.nrpa import NRPA
from playout.algorithms.random_search import Random
from playout.algorithms.snrpa import SNRPA
from playout.algorithms.uct import UCT
from playout.errors import OptionError, nearest
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS

ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls for cls in (Random, NMCS, NRPA, SNRPA, GNRPA, UCT, PolicyMCTS)
}


def algorithm_class(name: str) -> type[Algorithm]:
    """An algorithm's option class by the name that the command line uses."""
    if name not in ALGORITHMS:
        raise OptionError(f"there is no algorithm {name!r}; {nearest(name, ALGORITHMS)}")
    return ALGORITHMS[name]


__all__ = [
    "ALGORITHMS",
    "GNRPA",
    "NMCS",
    "NRPA",
    "SNRPA",
    "UCT",
    "PolicyMCTS",
    "Random",
    "algorithm_class",
]
