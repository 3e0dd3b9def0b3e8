"""Whether a position shows who made the moves that led to it.

In Hex it does: a stone has its player's colour. In Nim it does not: whoever took the sticks, they
are gone, and all that counts is who is left to move. Searches that learn of a player's moves from
simulations in which he played them later learn nothing of that.

Two players make two moves, and the other way round: each makes the other's move, in the other
order. Where that leads to the same position, the moves have left no trace.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.contract import Game

LOOKED_AT = 40  # pairs of moves that could be exchanged
TRIED = 400  # pairs, most of which cannot in games whose players have moves of their own
PAIRS = 4  # at a position


def share_without_trace(game: Game) -> float:
    """Of pairs of moves in random games that players can exchange, the share that leads to the
    same position; 0 if none can be exchanged."""
    chance, exchanged, same, tried, number = random.Random(1), 0, 0, 0, 0
    while exchanged < LOOKED_AT and tried < TRIED:
        states = game.root(number)
        number += 1
        while len(legal := game.legal_moves(states[0])) and exchanged < LOOKED_AT:
            for _ in range(PAIRS):
                pair = exchange(game, states, legal, chance)
                tried += 1
                exchanged += pair is not None
                same += pair is True
            game.play_move(states[0], legal[chance.randrange(len(legal))])
        tried += 1  # a game without a move ends this, too
    return same / max(1, exchanged)


def exchange(game: Game, states: np.ndarray, legal: Any, chance: random.Random) -> bool | None:
    """Whether two moves of two players lead to the same position either way; None if they cannot
    be exchanged."""
    one, other = states.copy(), states.copy()
    first = legal[chance.randrange(len(legal))]
    game.play_move(one[0], first)
    answers = game.legal_moves(one[0])
    with wrapping():
        if not len(answers) or game.turn(one[0]) == game.turn(states[0]):
            return None
    second = answers[chance.randrange(len(answers))]
    if np.asarray(first).tobytes() == np.asarray(second).tobytes():
        return None
    game.play_move(one[0], second)
    for move in (second, first):
        if not is_among(move, game.legal_moves(other[0])):
            return None
        game.play_move(other[0], move)
    with wrapping():
        return bool(game.key(one[0]) == game.key(other[0]))


def is_among(move: Any, legal: Any) -> bool:
    """Whether a move is one of these, byte by byte."""
    return any(np.asarray(move).tobytes() == np.asarray(other).tobytes() for other in legal)
