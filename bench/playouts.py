"""What playout policies cost: simulations per CPU second of UCT with each, on one core.

python -m bench.playouts                          # the figures, Breakthrough 8x8
python -m bench.playouts -g connectfour nst ppa   # these, on another game

A policy that learns also plays other games, often shorter ones, so moves a simulation and
nanoseconds a move are told beside the ratio of simulations.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import playout
from bench.common import row, store
from playout.games import load_game
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.stop import Playouts

ROUNDS = 7
WARM, SIMULATIONS, LOOKED_AT = 200, 30_000, 500
GAME = "breakthrough:8x8"
LEAST = {"mast": 0.5, "ppa": 0.35}
OTHERS = ("mast,selection=gibbs", "nst", "ppa,selection=greedy", "ppaf", "nppa")
OWN = {"mast": "MAST", "ppa": "PPA"}  # files whose text is a user's own policy


class Runner:
    """UCT with a playout policy, one search of the start of the game after another."""

    def __init__(self, game: Any, playout_policy: str) -> None:
        self.game, self.search = game, TreeSearch.parse(f"uct:playout={playout_policy}")
        self.rates: list[float] = []
        self.lengths: list[float] = []

    def run(self, seed: int) -> None:
        session = TreeSession(self.game, self.search, seed=seed)
        session.set_position()
        session.run(Playouts(WARM))  # compiles, and touches the memory
        session.set_position()
        start = time.thread_time()
        session.run(Playouts(SIMULATIONS))
        self.rates.append(SIMULATIONS / (time.thread_time() - start))
        for more in range(1, LOOKED_AT + 1):  # one by one, to see the length of each
            session.team.simulate(SIMULATIONS + more)
            self.lengths.append(float(session.tree.lengths[0]))

    @property
    def rate(self) -> float:
        return median(self.rates)

    @property
    def length(self) -> float:
        return sum(self.lengths) / len(self.lengths)


def measure(game: Any, policies: list[str]) -> dict[str, Runner]:
    """Every policy in every round, so that a busy machine is the same for all."""
    runners = {name: Runner(game, name) for name in policies}
    for seed in range(ROUNDS):
        for runner in runners.values():
            runner.run(seed)
    return runners


def ratio(one: Runner, other: Runner) -> float:
    return median(a / b for a, b in zip(one.rates, other.rates, strict=True))


def own_copies(folder: Path) -> dict[str, str]:
    """Files of a user whose classes are the built-in ones, by their text."""
    source = Path(playout.__file__).parent / "gametree" / "playout_policies"
    copies = {}
    for name, cls in OWN.items():
        path = folder / f"own_{name}.py"
        path.write_text((source / f"{name}.py").read_text())
        copies[name] = f"{path}:{cls}"
    return copies


def figures(game_name: str, policies: list[str]) -> None:
    """Measure, print and store."""
    with tempfile.TemporaryDirectory() as folder:
        copies = own_copies(Path(folder))
        own = {name: path for name, path in copies.items() if name in policies}
        runners = measure(load_game(game_name), ["uniform", *policies, *own.values()])
    uniform = runners["uniform"]
    title = f"UCT with {{}} against uniform playouts, simulations/s, {game_name}"
    rows = {}
    for name in policies:
        runner = runners[name]
        least = LEAST.get(name) if game_name == GAME else None
        rows[f"playouts {name}"] = row(
            title.format(name), runner.rate, uniform.rate, ratio(runner, uniform), least
        ) | {
            "moves a simulation": round(runner.length, 1),
            "ns a move": round(1e9 / runner.rate / runner.length, 1),
        }
    for name, path in own.items():
        what = f"a user's own {name} against the built-in one, simulations/s, {game_name}"
        both = ratio(runners[path], runners[name])
        rows[f"playouts own {name}"] = row(
            what, runners[path].rate, runners[name].rate, both, 0.95 if game_name == GAME else None
        )
    print(f"uniform: {uniform.rate:,.0f} simulations/s, {uniform.length:.1f} moves each")
    for name, found in rows.items():
        wanted = "" if found["least"] is None else f">= {found['least']}"
        good = "" if found["least"] is None else "yes" if found["reached"] else "NO"
        length, cost = found.get("moves a simulation"), found.get("ns a move")
        more = f"{length:6.1f} moves {cost:7.1f} ns a move" if length else ""
        speed = f"{found['ours']:10,.0f}/s"
        print(f"{name[9:]:24} {found['value']:7.3f} {wanted:8} {good:3} {speed} {more}")
        if game_name == GAME:
            store(f"speed {name}", found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-g", "--game", default=GAME)
    parser.add_argument("policies", nargs="*", default=[*LEAST, *OTHERS])
    options = parser.parse_args()
    figures(options.game, options.policies)


if __name__ == "__main__":
    main()
