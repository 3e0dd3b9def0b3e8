"""What a tree that threads share loses to a simulation: threads that simulate in turn, in one.

    python -m bench.in_turn hex:9x9 --threads 8 --simulations 3000 --games 100

Plays `uct` with so many threads against `uct` with one, both with the same number of simulations a
move. The threads take turns, a simulation each, so that all are always under way: what one has not
told the others yet is as much as on idle cores, on any machine. Half of the games is what no loss
would give; at equal time the threads have several times as many simulations.
"""

from __future__ import annotations

import argparse

import playout as po
from playout.compiled import kernel
from playout.gametree.nodes import FINE
from playout.gametree.parallel_schemes import Team
from playout.gametree.proofs import is_settled
from playout.gametree.simulate import hand_in_all, one_simulation
from playout.gametree.tree_arrays import SIMULATIONS, SLOT


@kernel
def simulate_in_turn(tree, game, policy, backup, playout, threads, limit):
    """Simulate until there are `limit` simulations, each by the next thread; FINE or an error."""
    status, number = FINE, tree.counters[SIMULATIONS]
    while number < limit and status == FINE and not is_settled(tree):
        slot = (number % threads) * SLOT
        status = one_simulation(tree, game, policy, backup, playout, slot, number)
        number += 1
        tree.counters[SIMULATIONS] = number
    for thread in range(threads):
        hand_in_all(tree, policy, thread * SLOT)
    return status


class InTurn(Team):
    """The workers of one tree, in one thread. Their playouts share what they learn."""

    def simulate(self, goal: int) -> None:
        algorithm, tree = self.algorithm, self.trees[0]
        parts = algorithm.policy, algorithm.backup, self.playouts[0]
        simulate_in_turn(tree, self.game, *parts, self.workers, goal)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.in_turn")
    parser.add_argument("game")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--simulations", type=int, default=3000, help="for a move")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--opening", type=int, default=4, help="random moves first")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    result = po.match(
        options.game,
        f"uct:parallel={__file__}:InTurn,workers={options.threads}",
        "uct",
        simulations=options.simulations,
        games=options.games,
        opening=options.opening,
        seed=options.seed,
    )
    low, high = result.interval
    print(
        f"{options.game}, {options.threads} threads in turn against one, {options.simulations:,} "
        f"simulations a move: {result.win_rate:.3f} [{low:.3f}, {high:.3f}] of {result.games} games"
    )


if __name__ == "__main__":
    main()
