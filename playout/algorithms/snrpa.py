"""Stabilized NRPA: P playouts of each policy before it is adapted.

T. Cazenave, J.-B. Sevestre and M. Toulemont, Stabilized Nested Rollout Policy Adaptation. The
paper counts the P playouts as a level of their own: its level n is level n - 1 here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.nrpa import NRPA
from playout.text.options import option


@dataclass(frozen=True, kw_only=True)
class SNRPA(NRPA):
    """Stabilized nested rollout policy adaptation.

    Examples
    --------
    >>> import playout as po
    >>> stable = po.SNRPA(level=2, N=10, P=2)
    >>> po.solve("maximum:n=9", stable, "100 playouts", seed=1, compiled=False).score
    5.0
    """

    name: ClassVar[str] = "snrpa"

    P: int = option(4, "stabilised playouts: playouts before each adapt at level 1", low=1)
