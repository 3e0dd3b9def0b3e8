"""Ticks a second of the VGDL engine beside GVGAI's: a copy of the root, then 20 random ticks.

python -m bench.arcade                # the seven games of the ordinal paper ($PLAYOUT_DATA/vgdl)
python -m bench.arcade zelda aliens   # these games

Level 0, CPU time of one thread, the best of some rounds. GVGAI's figures are constants: Java 17,
its own forward model with the same copies and random ticks, the mean of 4 CPU seconds after as
much warm-up.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from bench.common import data_folder
from playout.arcade import load_arcade
from playout.compiled import kernel
from playout.compiled.random import random_below, random_bits

GVGAI = {
    "aliens": 79_800,
    "zelda": 45_800,
    "chase": 39_400,
    "whackamole": 236_000,
    "boulderchase": 10_700,
    "surround": 54_300,
    "jaws": 117_000,
}
TICKS = 20  # after each copy
ROUNDS = 5
SECONDS = 0.5  # of a round


@kernel
def random_ticks(game, root, work, moves, rng, copies):
    """Some times: a copy of the root with luck of its own, then random ticks; all ticks."""
    ticks = 0
    for _ in range(copies):
        game.copy_world(root[0], work[0])
        work[0].luck[0] = random_bits(rng) >> np.uint64(16)
        for _ in range(TICKS):
            n = game.moves(work[0], moves)
            if n == 0:
                break
            game.play(work[0], moves[random_below(rng, n)])
            ticks += 1
    return ticks


def ticks_a_second(name: str) -> tuple[float, float]:
    """Ticks for each CPU second, and ticks for each copy."""
    game = load_arcade(name)
    root, work, moves = game.root(), game.root(), game.new_moves()
    rng = np.array([1], np.uint64)
    random_ticks(game, root, work, moves, rng, 10)
    copies, best, per_copy = 100, 0.0, 0.0
    for _ in range(ROUNDS):
        spent = 0.0
        while spent < SECONDS / 4:
            copies *= 2
            before = time.thread_time()
            ticks = random_ticks(game, root, work, moves, rng, copies)
            spent = time.thread_time() - before
        copies = max(100, int(copies * SECONDS / spent / 2))
        best, per_copy = max(best, ticks / spent), ticks / copies
    return best, per_copy


def main() -> None:
    if data_folder() is None:
        sys.exit("set PLAYOUT_DATA to the folder that has vgdl/")
    print(f"{'game':14} {'ticks/s':>12} {'GVGAI':>9} {'ratio':>6}")
    for name, theirs in GVGAI.items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            ours, _ = ticks_a_second(name)
            print(f"{name:14} {ours:12,.0f} {theirs:9,} {ours / theirs:6.1f}", flush=True)


if __name__ == "__main__":
    main()
