"""The contract: what a problem or a game is to those who search, solve, learn, train and look.

One file an audience. A newcomer needs `rules` only.
"""

from playout.contract.game import Game
from playout.contract.move_room import most_moves, room_for_moves
from playout.contract.problem import Problem
from playout.contract.provable import UNSURE

__all__ = ["UNSURE", "Game", "Problem", "most_moves", "room_for_moves"]
