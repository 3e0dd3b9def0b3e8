"""Minimax in plain Python over every position of a small game, past included."""

from __future__ import annotations

from typing import Any

import numpy as np


def all_values(game: Any) -> dict[bytes, float]:
    """The value to the first player of every position that can come about, by its bytes."""
    known: dict[bytes, float] = {}

    def value(state: np.ndarray) -> float:
        text = state.tobytes()
        if text not in known:
            legal = game.new_moves()
            n = game.moves(state[0], legal)
            if n == 0:
                known[text] = float(game.reward(state[0], 0))
            else:
                values = []
                for i in range(n):
                    following = state.copy()
                    game.play(following[0], legal[i].copy())
                    values.append(value(following))
                known[text] = (max if game.turn(state[0]) == 0 else min)(values)
        return known[text]

    with np.errstate(over="ignore"):
        value(game.root())
    return known
