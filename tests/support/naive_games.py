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


class ConnectFour(Naive):
    def __init__(self, width=7, height=6):
        self.width, self.height = width, height

    def winner(self, board):
        for (x, y), letter in board.items():
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(board.get((x + i * dx, y + i * dy)) == letter for i in range(4)):
                    return self.letters.index(letter)
        return None

    def moves(self, position):
        board, player = position
        found = {}
        if self.winner(board) is None:
            for x in range(self.width):
                height = sum((x, y) in board for y in range(self.height))
                if height < self.height:
                    found["abcdefghijklmnop"[x]] = (
                        {**board, (x, height): self.letters[player]},
                        1 - player,
                    )
        return found

    def result(self, position):
        winner = self.winner(position[0])
        return (0.5, 0.5) if winner is None else self.won_by(winner)


class Breakthrough(Naive):
    letters = "wb"

    def __init__(self, width=8, height=8, misere=False):
        self.width, self.height, self.misere = width, height, misere

    def start(self):
        board = {}
        for x in range(self.width):
            for row in (0, 1):
                board[x, row] = "w"
                board[x, self.height - 1 - row] = "b"
        return board, 0

    def winner(self, board):
        """Who is at the far edge, or has the only pieces."""
        for x in range(self.width):
            if board.get((x, self.height - 1)) == "w":
                return 0
            if board.get((x, 0)) == "b":
                return 1
        left = set(board.values())
        return None if len(left) == 2 else self.letters.index(left.pop())

    def reach(self, board, x, y, forward):
        """The cells that a piece may go to, enemies included."""
        if (x, y + forward) not in board:
            yield x, y + forward
        yield x - 1, y + forward
        yield x + 1, y + forward

    def moves(self, position):
        board, player = position
        found = {}
        if self.winner(board) is not None:
            return found
        own = self.letters[player]
        for cell, letter in board.items():
            if letter != own:
                continue
            for to in self.reach(board, *cell, 1 if player == 0 else -1):
                inside = 0 <= to[0] < self.width and 0 <= to[1] < self.height
                if inside and board.get(to) != own:
                    after = {**board, to: own}
                    del after[cell]
                    sign = "x" if to in board else "-"
                    found[name(cell) + sign + name(to)] = after, 1 - player
        return found

    def result(self, position):
        board, player = position
        winner = self.winner(board)
        if winner is None:  # the player to move is stuck
            winner = 1 - player
        return self.won_by(1 - winner if self.misere else winner)


class Knightthrough(Breakthrough):
    def reach(self, board, x, y, forward):
        for aside, ahead in ((1, 2), (-1, 2), (2, 1), (-2, 1)):
            yield x + aside, y + ahead * forward


class Domineering(Naive):
    letters = "vh"

    def __init__(self, width=8, height=8, misere=False):
        self.width, self.height, self.misere = width, height, misere

    def moves(self, position):
        board, player = position
        found = {}
        for x in range(self.width):
            for y in range(self.height):
                to = (x, y + 1) if player == 0 else (x + 1, y)
                inside = to[0] < self.width and to[1] < self.height
                if inside and (x, y) not in board and to not in board:
                    letter = self.letters[player]
                    after = {**board, (x, y): letter, to: letter}
                    found[name((x, y)) + "-" + name(to)] = after, 1 - player
        return found

    def result(self, position):
        stuck = position[1]
        return self.won_by(stuck if self.misere else 1 - stuck)
