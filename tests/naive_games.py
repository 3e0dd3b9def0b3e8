"""The rules of the games once more, with dictionaries of cells, to compare with.

Nothing here is shared with the package. A position is (board, player), the board a dictionary
from (column, row) to a letter, row 0 at the bottom. Moves are texts.
"""

from __future__ import annotations


def name(cell):
    return "abcdefghijklmnopqrstuvwxyz"[cell[0]] + str(cell[1] + 1)


class Naive:
    """What the games have in common; `letters` are the players'."""

    letters = "xo"
    width = height = 3

    def start(self):
        return {}, 0

    def moves(self, position):
        """All legal moves, as a dictionary from their texts to the positions after them."""
        raise NotImplementedError

    def result(self, position):
        """The rewards of a finished game."""
        raise NotImplementedError

    def line(self, position):
        """The position in one line."""
        board, player = position
        rows = [
            "".join(board.get((x, y), ".") for x in range(self.width))
            for y in range(self.height - 1, -1, -1)
        ]
        return "/".join(rows) + " " + self.letters[player]

    def won_by(self, player):
        return (1.0, 0.0) if player == 0 else (0.0, 1.0)


class TicTacToe(Naive):
    def winner(self, board):
        cells = [(x, y) for x in range(3) for y in range(3)]
        for player, letter in enumerate(self.letters):
            for x, y in cells:
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if all(board.get((x + i * dx, y + i * dy)) == letter for i in range(3)):
                        return player
        return None

    def moves(self, position):
        board, player = position
        if self.winner(board) is not None:
            return {}
        return {
            name((x, y)): ({**board, (x, y): self.letters[player]}, 1 - player)
            for x in range(3)
            for y in range(3)
            if (x, y) not in board
        }

    def result(self, position):
        winner = self.winner(position[0])
        return (0.5, 0.5) if winner is None else self.won_by(winner)
