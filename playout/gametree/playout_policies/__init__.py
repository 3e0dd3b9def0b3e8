"""Playout policies, one file each; their names stand in `PLAYOUT_POLICIES` (playout.gametree)."""
