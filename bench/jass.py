"""Jass: the report's figures, ours beside them (X. Servot, Improving MCTS, 2019).

python -m bench.jass                         # times of a search, then policies against random
python -m bench.jass times                   # 10,000 simulations from the report's position
python -m bench.jass policies --games 20000  # HandMade, MinMax, ratio MinMax to 1,000 points
python -m bench.jass faults                  # the same under each fault of the program, alone

Times are CPU time of all threads, since machines are shared, the least and the mean of the
runs; what two idle cores would take is half of the CPU time of two threads.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from playout.compiled import kernel
from playout.compiled.random import stream_of
from playout.games import load_game
from playout.gametree import PLAYOUT_POLICIES
from playout.gametree.playout_policies.uniform import Uniform
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.statistics import wilson
from playout.stop import Playouts

POSITION = "S 1 -/T98.JT9876../-/- SJ"
ITERATIONS = 10_000
C = 40 * 2**0.5  # the report's bound has sqrt(2 ln N / n)
FIRST = f"uct:C={C:.4f},choice=mean,keep=false"
FINAL = "ucb1tuned:playout=handmade,choice=mean,keep=false"

# player, options, the report's percentage and its number of games
POLICIES = {
    "handmade": ("handmade", {}, 84.7, 100_000),
    "minmax": ("minmax", {}, 84.6, 10_000),
    "minmax:value=ratio": ("minmax", {"value": "ratio"}, 92.6, 1_000),
}
PROGRAM = "goal=1000,last_trump=true,loose_trumps=true,same_leader=true"
RULES = {
    "the rules": "goal=1000",
    "last_trump": "goal=1000,last_trump=true",
    "loose_trumps": "goal=1000,loose_trumps=true",
    "same_leader": "goal=1000,same_leader=true",
    "the program": PROGRAM,
}


@kernel
def games_won(game, one, other, states, moves, rng, seed, first, end):
    """Play games of the first team by one policy against the other's; games and cards won."""
    wins, cards = 0, 0
    state = states[0]
    for number in range(first, end):
        rng[0] = stream_of(seed, number)
        states[0] = states[1]
        game.draw(state, rng)
        while True:
            n = game.moves(state, moves)
            if n == 0:
                break
            if game.turn(state) & 1 == 0:
                k = one.choose(game, state, moves, n, rng)
            else:
                k = other.choose(game, state, moves, n, rng)
            game.play(state, moves[k])
            cards += 1
        if game.reward(state, 0) == 1.0:
            wins += 1
    return wins, cards


def against_random(rules: str, name: str, options: dict[str, Any], games: int, seed: int) -> Any:
    """Games won of so many, and nanoseconds for each card of both sides."""
    game = load_game(f"jass:{rules}")
    policy, other = PLAYOUT_POLICIES[name](**options), Uniform()
    policy.prepare(game, seed)
    parts = game, policy, other, game.new_states(2), game.new_moves(), np.zeros(1, np.uint64)
    games_won(*parts, np.uint64(seed), 0, 1)
    start = time.process_time()
    wins, cards = games_won(*parts, np.uint64(seed), 0, games)
    return wins, 1e9 * (time.process_time() - start) / cards


def policies(rules: dict[str, str], games: int, seed: int) -> None:
    """What each policy wins against random, under some rules."""
    print(
        f"{'rules':14} {'policy':20} {'wins':>8}  {'95% interval':>16} {'report':>7} {'ns/card':>8}"
    )
    for label, text in rules.items():
        for name, (policy, options, theirs, _) in POLICIES.items():
            n = games if policy == "handmade" else max(1, games // 10)
            wins, spent = against_random(text, policy, options, n, seed)
            low, high = (100 * end for end in wilson(wins, n))
            shown = f"{100 * wins / n:7.2f}  [{low:6.2f}, {high:6.2f}] {theirs:7.1f} {spent:8.0f}"
            print(f"{label:14} {name:20} {shown}   {n:,} games", flush=True)


def times(runs: int) -> None:
    """CPU milliseconds of a search of the report's position."""
    print(f"{'search':64} {'threads':>7} {'least':>7} {'mean':>7} {'report':>7}")
    report = {("", 1): 170, ("root", 2): 91, ("leaf", 2): 172}
    for search, rules in ((FIRST, "points"), (FINAL, "ratio")):
        game = load_game(f"jass:pool=true,reward={rules}")
        position = game.read_position(POSITION)
        for scheme, threads in (("", 1), ("root", 2), ("leaf", 2)):
            text = search + (f",parallel={scheme}" if scheme else "")
            session = TreeSession(game, TreeSearch.parse(text), seed=1, workers=threads)
            spent = []
            for _ in range(runs + 1):  # the first is not counted, as in the report
                session.set_position(position)
                start = time.process_time()
                session.run(Playouts(ITERATIONS))
                spent.append(1000 * (time.process_time() - start))
            theirs = report[scheme, threads] if search is FIRST else "-"
            least, mean = min(spent[1:]), np.mean(spent[1:])
            print(f"{text:64} {threads:7} {least:7.1f} {mean:7.1f} {theirs:>7}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("times", "policies", "faults"))
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what in (None, "times"):
        times(options.runs)
    if options.what in (None, "policies"):
        policies({"the program": PROGRAM}, options.games, options.seed)
    if options.what == "faults":
        policies(RULES, options.games, options.seed)


if __name__ == "__main__":
    main()
