"""Whether the codes of moves suit searches that learn of a move from moves of the same code.

GRAVE and RAVE (all moves as first) learn of a move from simulations in which a move of the same
code was played later. That misleads where a player plays the same codes again and again in one game
and they mean something else each time, and is of little use where there are few moves to choose
from: in Kalah, whose moves are six pits, GRAVE loses to UCT.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from playout.compiled import wrapping
from playout.contract import Game

LOOKED_AT = 400  # moves of random games
MOST_AGAIN = 0.5  # of them, with a code that the player had played in the game before


class Codes(NamedTuple):
    """What random games show of a game's codes."""

    again: float  # the share of moves whose code the same player had played in the game before
    choices: float  # the mean number of legal moves


def look_at_codes(game: Game, looked_at: int = LOOKED_AT) -> Codes:
    """Play random games, of so many moves in all."""
    chance, seen, again, choices = random.Random(1), 0, 0, 0
    while seen < looked_at:
        states = game.root(seen)
        known: set[tuple[int, int]] = set()
        before = seen
        while len(legal := game.legal_moves(states[0])) and seen < looked_at:
            move = legal[chance.randrange(len(legal))]
            with wrapping():
                code = (int(game.turn(states[0])), int(game.code(states[0], move)))
            game.play_move(states[0], move)
            again += code in known
            choices += len(legal)
            seen += 1
            known.add(code)
        if seen == before:  # a game without a move
            break
    return Codes(again / max(1, seen), choices / max(1, seen))


def codes_note(game: Game) -> str:
    """What to know of the codes of a game for several players; empty if they are fine."""
    if game.players < 2 or (again := look_at_codes(game).again) <= MOST_AGAIN:
        return ""
    return (
        f"{again:.0%} of the moves have a code that their player had played in the game before: "
        "grave and rave would be misled, and the usual search is uct"
    )
