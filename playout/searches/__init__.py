"""The algorithms: one file each, options as frozen dataclasses.

To add one, write its file and add a line to `ALGORITHMS`.
"""

from __future__ import annotations

from playout.errors import OptionError, nearest
from playout.searches.flat import Random
from playout.searches.gnrpa import GNRPA
from playout.searches.nmcs import NMCS
from playout.searches.nrpa import NRPA
from playout.searches.options import Algorithm
from playout.searches.policymcts import PolicyMCTS
from playout.searches.snrpa import SNRPA
from playout.searches.uct import UCT

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
