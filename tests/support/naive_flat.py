"""The rules of Reversi, Hex and Dots-and-Boxes once more, with dictionaries, to compare with.

Nothing here is shared with the package. A position is (board, player); moves are texts. Rows of
Reversi and Hex are numbered from the top, those of Dots-and-Boxes from the bottom.
"""

from __future__ import annotations

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def name(x, y):
    return ALPHABET[x] + str(y + 1)


def lines(board, side):
    return "/".join("".join(board.get((x, y), ".") for x in range(side)) for y in range(side))


class Reversi:
    """The board is a dictionary from (column, row) to a letter."""

    letters = "bw"

    def __init__(self, side=8):
        self.side = side

    def start(self):
        low = self.side // 2 - 1
        high = low + 1
        return {(low, low): "w", (high, high): "w", (low, high): "b", (high, low): "b"}, 0

    def turned(self, board, cell, letter):
        """The cells that a stone turns, walking from it in each direction."""
        found = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                x, y = cell
                passed = []
                while (dx or dy) and (x + dx, y + dy) in board:
                    x, y = x + dx, y + dy
                    if board[x, y] == letter:
                        found += passed
                        break
                    passed.append((x, y))
        return found

    def placements(self, board, player):
        letter, after = self.letters[player], {}
        for y in range(self.side):
            for x in range(self.side):
                if (x, y) not in board and (turned := self.turned(board, (x, y), letter)):
                    new = {**board, (x, y): letter, **dict.fromkeys(turned, letter)}
                    after[name(x, y)] = (new, 1 - player)
        return after

    def moves(self, position):
        board, player = position
        after = self.placements(board, player)
        if not after and self.placements(board, 1 - player):
            return {"pass": (board, 1 - player)}
        return after

    def result(self, position):
        b, w = (list(position[0].values()).count(letter) for letter in self.letters)
        return (0.5, 0.5) if b == w else (1.0, 0.0) if b > w else (0.0, 1.0)

    def line(self, position):
        return lines(position[0], self.side) + " " + self.letters[position[1]]


class Hex:
    """The board is a dictionary from (column, row) to a letter."""

    letters = "rb"

    def __init__(self, side=11, swap=False):
        self.side, self.swap = side, swap

    def start(self):
        return {}, 0

    def connects(self, board, player):
        """Whether a player's stones join his two edges: r's are rows, b's are columns."""
        letter, along = self.letters[player], 1 - player
        reached = {cell for cell, found in board.items() if found == letter and cell[along] == 0}
        new = list(reached)
        while new:
            x, y = cell = new.pop()
            if cell[along] == self.side - 1:
                return True
            for beside in (
                (x + 1, y),
                (x - 1, y),
                (x, y + 1),
                (x, y - 1),
                (x + 1, y - 1),
                (x - 1, y + 1),
            ):
                if board.get(beside) == letter and beside not in reached:
                    reached.add(beside)
                    new.append(beside)
        return False

    def moves(self, position):
        board, player = position
        if self.connects(board, 1 - player):
            return {}
        after = {
            name(x, y): ({**board, (x, y): self.letters[player]}, 1 - player)
            for x in range(self.side)
            for y in range(self.side)
            if (x, y) not in board
        }
        if self.swap and player == 1 and len(board) == 1:
            ((x, y),) = board
            after["swap"] = ({(y, x): "b"}, 0)
        return after

    def result(self, position):
        return (1.0, 0.0) if self.connects(position[0], 0) else (0.0, 1.0)

    def line(self, position):
        return lines(position[0], self.side) + " " + self.letters[position[1]]


class DotsAndBoxes:
    """The board is (lines, owners): a set of pairs of dots, a dictionary from box to letter.

    A dot is (column, row); a box goes by its lower left dot.
    """

    letters = "rbgy"

    def __init__(self, width=3, height=3, players=2):
        self.width, self.height, self.players = width, height, players
        dots = [(x, y) for x in range(width + 1) for y in range(height + 1)]
        self.all = {((x, y), (x + 1, y)) for x, y in dots if x < width}
        self.all |= {((x, y), (x, y + 1)) for x, y in dots if y < height}

    def start(self):
        return (frozenset(), {}), 0

    def around(self, x, y):
        """The lines around a box."""
        return {
            ((x, y), (x + 1, y)),
            ((x, y + 1), (x + 1, y + 1)),
            ((x, y), (x, y + 1)),
            ((x + 1, y), (x + 1, y + 1)),
        }

    def moves(self, position):
        (drawn, owners), player = position
        after = {}
        for line in self.all - drawn:
            new = drawn | {line}
            taken = [
                (x, y)
                for x in range(self.width)
                for y in range(self.height)
                if (x, y) not in owners and self.around(x, y) <= new
            ]
            turn = player if taken else (player + 1) % self.players
            held = {**owners, **dict.fromkeys(taken, self.letters[player])}
            after[f"{name(*line[0])}-{name(*line[1])}"] = ((new, held), turn)
        return after

    def result(self, position):
        held = list(position[0][1].values())
        counts = [held.count(self.letters[player]) for player in range(self.players)]
        best = max(counts)
        return tuple(1 / counts.count(best) if n == best else 0.0 for n in counts)

    def line(self, position):
        (drawn, owners), player = position
        rows = []
        for y in range(self.height, -1, -1):
            lying = [((x, y), (x + 1, y)) in drawn for x in range(self.width)]
            rows.append("".join("-" if there else "." for there in lying))
            if y > 0:
                row = ""
                for x in range(self.width + 1):
                    row += "|" if ((x, y - 1), (x, y)) in drawn else "."
                    row += owners.get((x, y - 1), ".") if x < self.width else ""
                rows.append(row)
        return "/".join(rows) + " " + self.letters[player]


def count_games(game, position=None, known=None):
    """How many different games there are from a position on, and the most moves that one has."""
    position, known = position or game.start(), {} if known is None else known
    line = game.line(position)
    if line not in known:
        after = [count_games(game, next, known) for next in game.moves(position).values()]
        known[line] = (
            (sum(n for n, _ in after), 1 + max(long for _, long in after)) if after else (1, 0)
        )
    return known[line]


def rewards(game, position=None, known=None):
    """What each player gets when each makes the most of it."""
    position, known = position or game.start(), {} if known is None else known
    line = game.line(position)
    if line not in known:
        after = [rewards(game, next, known) for next in game.moves(position).values()]
        player = position[1]
        known[line] = max(after, key=lambda r: r[player]) if after else game.result(position)
    return known[line]
