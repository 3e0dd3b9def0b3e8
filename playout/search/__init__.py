"""The algorithms: one file each, options as frozen dataclasses.

To add one, write its file and add a line to `ALGORITHMS`.
"""

from __future__ import annotations

from playout.errors import OptionError, nearest
from playout.search.flat import Random
from playout.search.gnrpa import GNRPA
from playout.search.nmcs import NMCS
from playout.search.nrpa import NRPA
from playout.search.options import Algorithm
from playout.search.snrpa import SNRPA
from playout.search.uct import UCT

ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls for cls in (Random, NMCS, NRPA, SNRPA, GNRPA, UCT)
}


def algorithm_class(name: str) -> type[Algorithm]:
    """An algorithm's option class by the name that the command line uses."""
    if name not in ALGORITHMS:
        raise OptionError(f"there is no algorithm {name!r}; {nearest(name, ALGORITHMS)}")
    return ALGORITHMS[name]


__all__ = ["ALGORITHMS", "GNRPA", "NMCS", "NRPA", "SNRPA", "UCT", "Random", "algorithm_class"]
