"""Search that learns: networks, model files, batched evaluation, self-play and training.

PyTorch is the extra `learn`. Only `network.py` and what trains or evaluates a network import it,
so that everything else works without.
"""

from playout.learn.zones import Scan, scan_radii, zonnscan

__all__ = ["Scan", "scan_radii", "zonnscan"]
