"""Playout policies, one file each; a new one is one file and one line in `PLAYOUT_POLICIES`."""

from __future__ import annotations

from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playouts.heuristic import Heuristic
from playout.gametree.playouts.mast import MAST
from playout.gametree.playouts.nppa import NPPA
from playout.gametree.playouts.nst import NST
from playout.gametree.playouts.ppa import PPA, PPAF
from playout.gametree.playouts.uniform import Uniform

PLAYOUT_POLICIES: dict[str, type[PlayoutPolicy]] = {
    cls.name: cls for cls in (Uniform, MAST, NST, PPA, PPAF, NPPA, Heuristic)
}
