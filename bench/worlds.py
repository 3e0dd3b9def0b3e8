"""Searches over worlds: calls of `play` per CPU second, and what ordered outcomes cost.

python -m bench.worlds                       # a small game with luck, of this file
python -m bench.worlds aliens zelda          # VGDL games by name, level 0 (the data folder's too)
python -m bench.worlds --budget 10000        # calls for a decision
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import playout as po
from playout.compiled.random import random_below, random_bits
from playout.gametree.tree_search import as_search

SEARCHES = (
    "openloop:C=0.25,length=5",
    "mixmax:length=5",
    "ordinal:length=5",
    "preference:length=5",
)
ROUNDS, CALLS = 4, 150_000  # the best of so many rounds, of so many calls each


class Meadow(po.Problem):
    """A grid with food and random walkers that bite: about as much work as a small video game."""

    chance = True
    fields = ("size", "walkers", "ticks")
    outcome_type = po.record(standing="i8", score="f8")

    def __init__(self, size: int = 16, walkers: int = 20, ticks: int = 500) -> None:
        self.size, self.walkers, self.ticks = size, walkers, ticks
        self.state_type = po.record(
            luck=("u8", 1),
            x="i8",
            y="i8",
            tick="i8",
            score="i8",
            dead="i8",
            walker_x=("i1", walkers),
            walker_y=("i1", walkers),
            food=("i1", size * size),
        )
        self.move_type = "i8"
        self.max_moves, self.max_length = 5, ticks

    def reset(self, state):
        state.x = state.y = self.size // 2
        for i in range(self.walkers):
            state.walker_x[i] = (i * 7) % self.size
        for i in range(self.size * self.size):
            state.food[i] = i * 2654435761 % 5 == 0

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng)

    def moves(self, state, moves):
        for i in range(5):
            moves[i] = i
        return 0 if state.dead or state.tick >= self.ticks else 5

    def play(self, state, move):
        state.tick += 1
        last = self.size - 1
        state.x = min(max(state.x + (move == 2) - (move == 1), 0), last)
        state.y = min(max(state.y + (move == 4) - (move == 3), 0), last)
        cell = state.y * self.size + state.x
        state.score += state.food[cell]
        state.food[cell] = 0
        xs, ys = state.walker_x, state.walker_y
        for i in range(self.walkers):
            way = random_below(state.luck, 4)
            xs[i] = min(max(xs[i] + (way == 1) - (way == 0), 0), last)
            ys[i] = min(max(ys[i] + (way == 3) - (way == 2), 0), last)
            if xs[i] == state.x and ys[i] == state.y:
                state.dead = 1

    def score(self, state):
        return float(state.score)

    def outcome(self, state, player, out):
        out.standing = 0 if state.dead else 1
        out.score = state.score

    def better(self, a, b):
        if a.standing != b.standing:
            return 1 if a.standing > b.standing else -1
        if a.score != b.score:
            return 1 if a.score > b.score else -1
        return 0

    def worth(self, out, low, high):
        share = (out.score - low) / (high - low) if high > low else 0.5
        return (out.standing + share) / 2.0


def calls_per_second(game: Any, text: str, budget: int) -> float:
    """Calls of `play` per CPU second, trees begun anew for each decision."""
    session = as_search(text).session(game, seed=1)
    session.run(po.Calls(budget))
    decisions, best = max(1, CALLS // budget), 0.0
    for round in range(ROUNDS):
        began = time.process_time()
        for number in range(decisions):
            session._begin_trees()
            session.team.begin(number + 1, round, po.Calls(budget))
            session.team.simulate(budget)
        best = max(best, decisions * budget / (time.process_time() - began))
    return best


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--searches", nargs="*", default=SEARCHES)
    options = parser.parse_args()
    for name in options.games or ["meadow"]:
        game: Any = Meadow()
        if name != "meadow":
            from playout.arcade.vgdl.engine import VGDL

            game = VGDL.default(game=name)
        rates = {text: calls_per_second(game, text, options.budget) for text in options.searches}
        first = next(iter(rates.values()))
        for text, rate in rates.items():
            search = text.partition(":")[0]
            print(f"{name:<14} {search:<11} {rate:>12,.0f} calls/s  {rate / first:.2f}", flush=True)


if __name__ == "__main__":
    main()
