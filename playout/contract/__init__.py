"""The contract: what a problem or a game is to a search."""

from playout.contract.move_room import most_moves, room_for_moves
from playout.contract.rules import UNSURE, Game, Problem

__all__ = ["UNSURE", "Game", "Problem", "most_moves", "room_for_moves"]
