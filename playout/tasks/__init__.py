"""Whole tasks around searches: colouring a graph with few colours, designing RNA."""

from playout.tasks.design_rna import RnaDesign, RnaDesigns, design_rna
from playout.tasks.fewest_colors import Coloring, color

__all__ = ["Coloring", "RnaDesign", "RnaDesigns", "color", "design_rna"]
