"""The tables of `ordinal` over five levels of each game, in turn: eight of 40 runs on each."""

from __future__ import annotations

from playout.experiments.ordinal import make_experiment

EXPERIMENT = make_experiment("ordinal-levels", levels=5)
