"""Matches between random players in Connect Four, with a transcript: seconds a game."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import playout as po
from bench.growth.measuring import Figures

SIZES = (100, 1_000, 10_000, 100_000)
SIZE = "games"
TOO_LARGE = 0
FIT = {"games": ("seconds", "going on s", "MB")}


def measure(size: int) -> Figures:
    """One match, and the same command again, which has nothing left to play."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"

        def play(games: int) -> float:
            start = time.process_time()
            po.match("connectfour", "random", "random", games=games, seed=1, record=path)
            return time.process_time() - start

        po.match("connectfour", "random", "random", games=2, seed=1)
        seconds = play(size)
        again = play(size)
        return {
            "games": size,
            "seconds": seconds,
            "ms a game": 1e3 * seconds / size,
            "going on s": again,
            "MB": path.stat().st_size / 1e6,
        }
