"""The search of a game for which none is named: the one that plays best in most games.

GRAVE beats UCT in most games (bench/README.md). It learns of a move from all simulations in which a
move of the same code was played later. That misleads where a player plays the same codes again and
again in one game: they mean something else each time (check/codes.py). Where there are few moves to
choose from, each is soon visited often enough by itself: in Connect Four both are even.

It has a reference of few visits. With 50, as its paper has for many more simulations, RAVE beats it
in Hex where there are some hundred simulations for a move (bench/log/plain.md).
"""

from __future__ import annotations

from playout.check.codes import MOST_AGAIN, look_at_codes
from playout.contract import Game, is_veiled

GRAVE = "grave:ref=10"
FEW_CHOICES = 7.0  # legal moves, in the mean of random games: each is soon visited often enough


def usual_search(game: Game, open: bool = False) -> str:
    """The search of a game for which none is named.

    `ismcts` where cards are hidden, `openloop` where luck is to come; otherwise, and where both are
    laid open, GRAVE, or `uct` where players move at the same time, have few moves to choose from,
    or play the same codes again and again.

    >>> from playout.games import load_game
    >>> usual_search(load_game("hex:5"))
    'grave:ref=10'
    """
    if is_veiled(game) and not open:
        return "ismcts" if game.hidden else "openloop"
    if game.simultaneous:
        return "uct"
    codes = look_at_codes(game)
    return "uct" if codes.again > MOST_AGAIN or codes.choices < FEW_CHOICES else GRAVE
