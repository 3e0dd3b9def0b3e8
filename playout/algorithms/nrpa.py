"""Nested rollout policy adaptation: GNRPA with temperature 1 and no bias.

C. Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.gnrpa import GNRPA
from playout.text.options import option


@dataclass(frozen=True, kw_only=True)
class NRPA(GNRPA):
    """Nested rollout policy adaptation (Rosin 2011).

    Examples
    --------
    >>> import playout as po
    >>> both = po.NRPA(level=2), po.GNRPA(level=2, bias=False)
    >>> how = {"playouts": 99, "seed": 1, "compiled": False}
    >>> [po.solve("maximum:n=9", algorithm, **how).score for algorithm in both]
    [5.0, 5.0]
    """

    name: ClassVar[str] = "nrpa"

    bias: bool = option(False, "use the problem's bias (that is GNRPA)")
