"""Speed of the games' rules alone: uniformly random playouts per CPU second, on one core.

python -m bench.games                        # every game at its default size
python -m bench.games breakthrough:5x5       # these
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from playout.compiled import kernel
from playout.compiled.random import random_below
from playout.contract import room_for_moves
from playout.games import GAMES, load_game

ROUNDS = 5
SECONDS = 0.3


@kernel
def playouts(game, root, states, moves, rng, n, totals):
    """Play n games at random; adds their number of moves and the first player's rewards."""
    state = states[0]
    length, reward = 0, 0.0
    for _ in range(n):
        states[0] = root[0]
        while True:
            count = game.moves(state, moves)
            if count == 0:
                break
            game.play(state, moves[random_below(rng, count)])
            length += 1
        reward += game.reward(state, 0)
    totals[0] += length
    totals[1] += reward


def measure(game: Any) -> tuple[float, float, float]:
    """Playouts per CPU second, moves per playout, the first player's mean reward."""
    totals, rng = np.zeros(2), np.ones(1, np.uint64)
    moves = game.new_moves(room_for_moves(game.max_moves))
    arguments = game, game.root(), game.new_states(1), moves, rng
    playouts(*arguments, 1, totals)
    n, best, played = 16, 0.0, 1
    for _ in range(ROUNDS):
        while True:
            start = time.thread_time()
            playouts(*arguments, n, totals)
            spent = time.thread_time() - start
            played += n
            if spent >= SECONDS:
                break
            n *= 2
        best = max(best, n / spent)
    return best, totals[0] / played, totals[1] / played


def main() -> None:
    titles = "playouts/s", "moves", "ns a move", "first wins", "state"
    print(f"{'game':24} {titles[0]:>11} {titles[1]:>7} " + " ".join(f"{t:>10}" for t in titles[2:]))
    for name in sys.argv[1:] or [n for n in GAMES if not GAMES.entry(n).takes_text]:
        game = load_game(name)
        rate, length, reward = measure(game)
        print(
            f"{name:24} {rate:11,.0f} {length:7.1f} {1e9 / rate / max(length, 1e-9):10.1f} "
            f"{reward:10.3f} {game.state_type.itemsize:8} B",
            flush=True,
        )


if __name__ == "__main__":
    main()
