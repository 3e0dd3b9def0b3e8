"""Players that play as a playout policy does, without any search."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.compiled import friendly, kernel, wrapping
from playout.compiled.random import stream_of
from playout.contract import Game
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playout_policies.jass import HandMade, MinMax
from playout.matches.player import Player
from playout.stop import Stop


@kernel
def chosen_by(policy: Any, game: Any, states: Any, moves: Any, rng: Any) -> int:
    """The number of the move that a policy plays; -1 where there is none."""
    n = game.moves(states[0], moves)
    if n == 0:
        return -1
    chosen: int = policy.choose(game, states[0], moves, n, rng)
    return chosen


class PolicyPlayer(Player):
    """Plays what a playout policy chooses."""

    def __init__(self, policy: PlayoutPolicy) -> None:
        self._policy = policy
        options = ",".join(f"{name}={value}" for name, value in policy.given.items())
        self.name = policy.name + (f":{options}" if options else "")

    def check(self, game: Game) -> None:
        self._policy.prepare(game, 0)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._policy.prepare(game, seed)
        self._moves = game.new_moves()
        with wrapping():
            self._rng = np.array([stream_of(np.uint64(seed), 0)], np.uint64)

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        with friendly():
            k = chosen_by(self._policy, self.game, position, self._moves, self._rng)
        return self._moves[k]


class HandMadePlayer(PolicyPlayer):
    """Jass by a rule of thumb: `playout.gametree.playout_policies.jass.HandMade`."""

    def __init__(self) -> None:
        super().__init__(HandMade())


class MinMaxPlayer(PolicyPlayer):
    """Jass by the best card of the trick: `playout.gametree.playout_policies.jass.MinMax`.

    Parameters
    ----------
    value : points or ratio
        What a trick is worth to it.
    """

    def __init__(self, value: Literal["points", "ratio"] = "points") -> None:
        super().__init__(MinMax(value=value) if value != "points" else MinMax())
