"""Playout policies, one file each; a new one is one file and one line in `PLAYOUT_POLICIES`."""

from __future__ import annotations

from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playout_policies.heuristic import Heuristic
from playout.gametree.playout_policies.mast import MAST
from playout.gametree.playout_policies.nppa import NPPA
from playout.gametree.playout_policies.nst import NST
from playout.gametree.playout_policies.ppa import PPA, PPAF
from playout.gametree.playout_policies.uniform import Uniform

PLAYOUT_POLICIES: dict[str, type[PlayoutPolicy]] = {
    cls.name: cls for cls in (Uniform, MAST, NST, PPA, PPAF, NPPA, Heuristic)
}
