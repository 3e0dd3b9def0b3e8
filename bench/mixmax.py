"""`python -m bench.mixmax READING...`: the readings of MixMax that the ordinal paper's words allow.

250 calls a decision, playouts of 5, C = 1.25, level 0, seeds 1 to 40; needs `$PLAYOUT_DATA/vgdl`.
What came out is in bench/log/papers.md.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import playout as po
from playout.gametree.search_result import MoveStatistics
from playout.problems.instances import open_problem
from playout.worlds import world_session
from playout.worlds.arrays import TOP, WorldTree
from playout.worlds.root_worlds import find_edge, root_figures

# the lowest and the highest score that a game can be thought to have
RANGES = {
    "jaws": (-1, 1100),
    "surround": (0, 100),
    "aliens": (-1, 90),
    "chase": (0, 7),
    "whackamole": (-5, 100),
    "zelda": (-1, 10),
    "boulderchase": (-1, 40),
}

# the share of the highest, the final choice, whether values at the root are mixtures, known range
READINGS = {
    "page": (0.25, "visits", False, False),
    "ties": (0.25, "visits", True, False),
    "value": (0.25, "mean", True, False),
    "range": (0.25, "mean", True, True),
    "exchanged": (0.75, "visits", True, False),
    "exchanged-value": (0.75, "mean", True, False),
    "highest": (1.0, "mean", True, False),
}


def mixed_figures(session: Any, position: np.ndarray) -> list[MoveStatistics]:
    """The moves of the root, each with the mixture as its value, of one tree."""
    tree: WorldTree = session.team.trees[0]
    rows = []
    for row in root_figures(session, position):
        edge = find_edge(tree, session.game, position, row.record, int(tree.roots[0]))
        value = row.value
        if edge is not None and row.visits:
            top = float(tree.sums[edge, TOP])
            value = session.algorithm.backup.value(value, top, row.visits)
        rows.append(MoveStatistics(row.move, row.visits, value, None, row.record))
    return rows


def play(name: str, game: str, runs: int) -> str:
    """The games of a reading, as a line."""
    mix, choice, mixed, known = READINGS[name]
    kept = world_session.root_figures, world_session.known_bounds
    if mixed:
        world_session.root_figures = mixed_figures
    if known:
        low, high = RANGES[game]
        world_session.known_bounds = lambda _: (float(low), float(high))
    try:
        problem = open_problem(f"vgdl:game={game}")[0]
        search = f"mixmax:C=1.25,length=5,mix={mix:g},choice={choice}"
        played = [
            po.episode(problem, search, po.Calls(250), seed=seed, verify=False)
            for seed in range(1, runs + 1)
        ]
    finally:
        world_session.root_figures, world_session.known_bounds = kept
    won = sum(one.outcome["standing"] >= 2 for one in played)
    return f"{name:16} {game:12} {won} of {runs}, {np.mean([one.score for one in played]):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.mixmax", description=__doc__)
    parser.add_argument("readings", nargs="*", metavar="READING", help=", ".join(READINGS))
    parser.add_argument("--games", nargs="+", default=list(RANGES), choices=list(RANGES))
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    for name in options.readings or READINGS:
        for game in options.games:
            print(play(name, game, options.runs), flush=True)


if __name__ == "__main__":
    main()
