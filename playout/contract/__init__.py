"""The contract: what a problem or a game is to a search."""

from playout.contract.rules import UNSURE, Game, Problem, same_move

__all__ = ["UNSURE", "Game", "Problem", "same_move"]
