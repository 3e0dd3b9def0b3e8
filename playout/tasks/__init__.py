"""Whole tasks around searches: colouring a graph with few colours, designing RNA."""

from playout.tasks.fewest_colors import Coloring, color
from playout.tasks.rna_design import RnaDesign, RnaDesigns, design_rna

__all__ = ["Coloring", "RnaDesign", "RnaDesigns", "color", "design_rna"]
