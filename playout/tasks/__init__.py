"""Colouring a graph with as few colours as can be found: `color`, and a SAT solver to compare."""

from playout.tasks.fewest_colors import Coloring, color

__all__ = ["Coloring", "color"]
