"""The contract: what a problem or a game is to those who search, solve, learn, train and look.

One file an audience. A newcomer needs `rules` only.
"""

from playout.contract.game import Game
from playout.contract.move_room import most_moves, room_for_moves
from playout.contract.problem import Problem
from playout.contract.provable import UNSURE
from playout.contract.sense import (
    as_written,
    maximised,
    refuse_costs,
    score_word,
    sign_as_written,
    sign_of,
)
from playout.contract.veiled import check_open, is_veiled, open_copy
from playout.contract.views import stir

__all__ = [
    "UNSURE",
    "Game",
    "Problem",
    "as_written",
    "check_open",
    "is_veiled",
    "maximised",
    "most_moves",
    "open_copy",
    "refuse_costs",
    "room_for_moves",
    "score_word",
    "sign_as_written",
    "sign_of",
    "stir",
]
