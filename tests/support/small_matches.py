"""Matches of Tic-Tac-Toe, and a player who needs no search."""

from __future__ import annotations

import playout as po
from playout.matches.player import Player


def plain(result):
    """The games without what depends on the machine's speed."""
    return [(g.number, g.seats, g.moves, g.result, g.simulations) for g in result.transcript]


def tictactoe(*players, **settings):
    return po.match("tictactoe", *players, **{"seed": 1, "simulations": 40, **settings})


class First(Player):
    """Plays the first legal move, or the last."""

    def __init__(self, last: bool = False) -> None:
        self.last = last
        self.told: list[str] = []

    def new_game(self, game, seed):
        super().new_game(game, seed)
        self.told = []

    def choose(self, position, stop):
        moves = self.game.new_moves()
        n = self.game.moves(position[0], moves)
        return moves[n - 1 if self.last else 0]

    def played(self, move):
        self.told.append(move.tobytes())
