"""What the Gymnasium adapter costs: a search of an Atari game beside its bare steps and restores.

python -m bench.gymnasium                        # ALE/Breakout-v5
python -m bench.gymnasium --name ALE/Pong-v5     # another game; ale-py brings the ROMs

Bare: a snapshot is restored as often as the search has simulated, and as many steps are made with
random actions, four frames each, by ALE's own functions. Adapter: the same through the adapter's
methods, without a tree. CPU time, the best of some rounds of all of them in turn.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import playout as po
from playout.adapters.gymnasium import Gymnasium
from playout.compiled import wrapping

SEARCHES = ("openloop", "mixmax", "ordinal", "preference")


def searched(game: Gymnasium, text: str, calls: int, seed: int) -> tuple[float, int, int]:
    """CPU seconds, simulations and calls of a search of the start."""
    session = _session(game, text, seed)
    before = time.process_time()
    session.run(po.Calls(calls))
    return time.process_time() - before, session.team.done(), session.team.calls()


def _session(game: Gymnasium, text: str, seed: int) -> Any:
    from playout.gametree.tree_search import as_search

    session = as_search(text).session(game, seed=seed)
    session.set_position(game.root(seed))
    return session


def bare(game: Gymnasium, simulations: int, calls: int, seed: int) -> float:
    """CPU seconds of as many restores and steps, by ALE's own functions."""
    simulator: Any = game.simulator
    game.root(seed)
    ale, codes = simulator.ale, simulator._codes
    state = ale.cloneState()
    draws = np.random.default_rng(seed).integers(len(codes), size=calls).tolist()
    each = -(-calls // simulations)
    before = time.process_time()
    for number, action in enumerate(draws):
        if number % each == 0:
            ale.restoreState(state)
        code = codes[action]
        for _ in range(4):
            ale.act(code)
        ale.game_over()
    return time.process_time() - before


def adapted(game: Gymnasium, simulations: int, calls: int, seed: int) -> float:
    """CPU seconds of as many restores and steps, by the adapter's methods."""
    root, world = game.root(seed), game.new_states(1)
    draws = np.random.default_rng(seed).integers(game.max_moves, size=calls)
    rng = np.array([seed], np.uint64)
    each = -(-calls // simulations)
    before = time.process_time()
    with wrapping():
        for number, action in enumerate(draws):
            if number % each == 0:
                game.copy_world(root[0], world[0])
                game.redraw(world[0], 0, rng)
            game.play(world[0], action)
    return time.process_time() - before


def main() -> None:
    """Measure a game."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--name", default="ALE/Breakout-v5")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    game = Gymnasium(options.name)
    print(f"{options.name}, put back by {game.put_back_by}; CPU time")
    for name in SEARCHES:
        text = f"{name}:length={options.length}"
        rounds = []
        for _ in range(options.rounds):  # the same work each time
            spent, simulations, calls = searched(game, text, options.calls, 1)
            work = simulations, calls, 1
            rounds.append((spent, adapted(game, *work), bare(game, *work)))
        whole, through, ground = map(min, zip(*rounds))
        print(
            f"{text:<22} {calls / whole:7,.0f} calls/s   "
            f"adapter {100 * (through / ground - 1):+.1f}%, "
            f"the whole search {100 * (whole / ground - 1):+.1f}%",
            flush=True,
        )


if __name__ == "__main__":
    main()
