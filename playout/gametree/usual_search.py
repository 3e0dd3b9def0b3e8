"""The search of a game for which none is named: the one that plays best at equal time.

It is GRAVE where all-moves-as-first tells much, and otherwise PUCT, which makes more simulations
(bench/log/plain.md has the matches). A few random games tell which (check/codes.py and traces.py).
GRAVE learns of a move from all simulations in which a move of the same code was played later. That
helps where what a player plays later is legal now already, as stones are in Hex and Go. It does not

- where most of it is not: pieces that move, in Breakthrough, or fall, in Connect Four;
- where there are few moves to choose from: each is soon visited often enough by itself;
- where the same codes come again and again in one game: they mean something else each time;
- where a position does not show who made the moves that led to it, as in Nim and in Dots and Boxes:
  what counts is when.

GRAVE has a reference of few visits. With 50, as its paper has for many more simulations, RAVE beats
it in Hex where there are some hundred simulations for a move.
"""

from __future__ import annotations

from playout.check.codes import MOST_AGAIN, Codes, look_at_codes
from playout.check.traces import share_without_trace
from playout.contract import Game, is_veiled

GRAVE = "grave:ref=10"
FEW_CHOICES = 7.0  # legal moves, in the mean of random games
MOST_ALREADY = 0.75  # Go has 0.8 and more, Hex 1, Knightthrough 0.65, Breakthrough 0.5, Reversi 0.4
MOST_WITHOUT_TRACE = 0.5  # of pairs of moves; all in Nim, Cram and Chomp, and none in Hex


def usual_search(game: Game, open: bool = False) -> str:
    """The search of a game for which none is named.

    `ismcts` where cards are hidden, `openloop` where luck is to come; otherwise, and where both are
    laid open, `uct` where players move at the same time, GRAVE where it helps, and else `puct`.

    >>> from playout.games import load_game
    >>> usual_search(load_game("hex:5"))
    'grave:ref=10'
    >>> usual_search(load_game("breakthrough:5x5"))
    'puct'
    """
    if is_veiled(game) and not open:
        return "ismcts" if game.hidden else "openloop"
    if game.simultaneous:
        return "uct"
    helps = grave_helps(look_at_codes(game)) and share_without_trace(game) <= MOST_WITHOUT_TRACE
    return GRAVE if helps else "puct"


def grave_helps(codes: Codes) -> bool:
    """Whether all-moves-as-first tells enough of a game's moves to be worth its time."""
    return (
        codes.already > MOST_ALREADY and codes.choices >= FEW_CHOICES and codes.again <= MOST_AGAIN
    )
