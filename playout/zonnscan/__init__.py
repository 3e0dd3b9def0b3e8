"""zoNNscan: how undecided a classifier is around an input; classifiers, images, files of both."""

from playout.zonnscan.zones import Scan, scan_radii, zonnscan

__all__ = ["Scan", "scan_radii", "zonnscan"]
