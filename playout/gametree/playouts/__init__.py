"""Playout policies, one file each; a new one is one file and one line in `PLAYOUT_POLICIES`."""

from __future__ import annotations

from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playouts.uniform import Uniform

PLAYOUT_POLICIES: dict[str, type[PlayoutPolicy]] = {cls.name: cls for cls in (Uniform,)}
