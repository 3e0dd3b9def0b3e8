"""A game in plain Python: its legal moves by their texts, and a game at random."""

from __future__ import annotations


def legal_texts(game, state):
    """The legal moves by their texts."""
    moves = game.new_moves()
    n = game.moves(state, moves)
    return {game.move_text(state, moves[i]): moves[i].copy() for i in range(n)}


def play_out(game, rng, states=None):
    """Play at random from a position; the states on the way, each an array of one."""
    states = game.root() if states is None else states.copy()
    path = [states.copy()]
    while moves := list(legal_texts(game, states[0]).values()):
        game.play(states[0], moves[rng.integers(len(moves))])
        path.append(states.copy())
    return path
