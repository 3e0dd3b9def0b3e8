"""The value of a position by looking at everything after it, to compare solvers with.

Positions are told apart by their text, in which a game that remembers has its past.
"""

from __future__ import annotations

import numpy as np


def minimax(game, state=None) -> float:
    """What the first player gets under perfect play."""
    known: dict[str, float] = {}

    def value(state) -> float:
        text = game.position_text(state[0])
        if text not in known:
            legal = game.new_moves()
            n = game.moves(state[0], legal)
            values = []
            for i in range(n):
                following = state.copy()
                game.play(following[0], legal[i].copy())
                values.append(value(following))
            best = max if n and game.turn(state[0]) == 0 else min
            known[text] = best(values) if values else float(game.reward(state[0], 0))
        return known[text]

    with np.errstate(over="ignore"):
        return value(game.root() if state is None else state)
