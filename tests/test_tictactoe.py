"""Tic-tac-toe: counts that are known of the whole game."""

from __future__ import annotations

import numpy as np

from playout.games import TicTacToe


def test_all_positions_and_those_that_differ_by_more_than_symmetry():
    """5,478 positions, 765 up to symmetry; 138 finished ones: 91 for x, 44 for o, 3 drawn."""
    game = TicTacToe()
    seen = {game.position_text(game.root()[0]): game.root()}
    new = list(seen.values())
    moves = game.new_moves()
    while new:
        states = new.pop()
        for i in range(game.moves(states[0], moves)):
            after = states.copy()
            game.play(after[0], moves[i])
            text = game.position_text(after[0])
            if text not in seen:
                seen[text] = after
                new.append(after)
    assert len(seen) == 5478
    out = game.new_states(1)
    classes = {}
    with np.errstate(over="ignore"):
        for states in seen.values():
            keys = []
            for symmetry in range(game.symmetries):
                game.transform(states[0], symmetry, out[0])
                keys.append(int(game.key(out[0])))
            classes.setdefault(min(keys), states)
    assert len(classes) == 765
    ends = [s for s in classes.values() if game.moves(s[0], moves) == 0]
    results = [game.reward(s[0], 0) for s in ends]
    assert [results.count(value) for value in (1.0, 0.0, 0.5)] == [91, 44, 3]
