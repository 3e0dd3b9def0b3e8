"""The rules of Go, Atarigo and NoGo once more, by flood fill over dictionaries, to compare with.

Nothing here is shared with the package, nor with the naive rules of the other games. A position
is (board, player, ...), the board a dictionary from (column, row) to b or w, row 0 at the bottom.
Moves are texts.
"""

from __future__ import annotations

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class NaiveStones:
    def __init__(self, width=9, height=9):
        self.width, self.height = width, height
        self.cells = [(x, y) for y in range(height) for x in range(width)]

    def name(self, cell):
        return f"{COLUMNS[cell[0]]}{cell[1] + 1}"

    def sides(self, cell):
        x, y = cell
        all_four = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [c for c in all_four if 0 <= c[0] < self.width and 0 <= c[1] < self.height]

    def reach(self, board, cell):
        """The connected cells of one kind (a chain, or an empty region), and what is beside it."""
        kind, found, beside, new = board.get(cell), {cell}, set(), [cell]
        while new:
            for side in self.sides(new.pop()):
                if board.get(side) != kind:
                    beside.add(side)
                elif side not in found:
                    found.add(side)
                    new.append(side)
        return found, beside

    def liberties(self, board, cell):
        return {side for side in self.reach(board, cell)[1] if side not in board}

    def put(self, board, cell, letter):
        """The board after a stone, and what it takes; None if it is suicide."""
        after = {**board, cell: letter}
        taken = set()
        for side in self.sides(cell):
            if after.get(side) not in (None, letter) and not self.liberties(after, side):
                taken |= self.reach(after, side)[0]
        after = {c: stone for c, stone in after.items() if c not in taken}
        return None if not self.liberties(after, cell) else (after, taken)

    def board_line(self, board):
        rows = range(self.height - 1, -1, -1)
        return "/".join("".join(board.get((x, y), ".") for x in range(self.width)) for y in rows)

    def line(self, position):
        return f"{self.board_line(position[0])} {'bw'[position[1]]}"

    def start(self):
        return {}, 0


class NoGo(NaiveStones):
    def moves(self, position):
        board, player = position
        found = {}
        for cell in self.cells:
            put = None if cell in board else self.put(board, cell, "bw"[player])
            if put and not put[1]:
                found[self.name(cell)] = put[0], 1 - player
        return found

    def result(self, position):
        return (0.0, 1.0) if position[1] == 0 else (1.0, 0.0)


class Atarigo(NaiveStones):
    """What is taken stays on the board, which is how a finished game is recognised."""

    def moves(self, position):
        board, player = position
        if any(not self.liberties(board, cell) for cell in board):
            return {}
        return {
            self.name(cell): ({**board, cell: "bw"[player]}, 1 - player)
            for cell in self.cells
            if cell not in board and self.put(board, cell, "bw"[player])
        }

    def result(self, position):
        return (0.0, 1.0) if position[1] == 0 else (1.0, 0.0)


class Go(NaiveStones):
    """A position is (board, player, the moves so far, all boards so far)."""

    def __init__(self, width=9, height=9, komi=7.5, length=None, draw=False, eyes=False):
        super().__init__(width, height)
        self.komi, self.length = komi, length or 2 * width * height
        self.draw, self.eyes = draw, eyes

    def start(self):
        return {}, 0, (), frozenset([frozenset()])

    def finished(self, position):
        played = position[2]
        return played[-2:] == ("pass", "pass") or len(played) == self.length

    def moves(self, position):
        board, player, played, boards = position
        found = {}
        if self.finished(position):
            return found
        for cell in self.cells:
            put = None if cell in board else self.put(board, cell, "bw"[player])
            if put is None or frozenset(put[0].items()) in boards:
                continue
            if self.eyes and self.is_eye(board, cell, "bw"[player]):
                continue
            name = self.name(cell)
            seen = boards | {frozenset(put[0].items())}
            found[name] = put[0], 1 - player, (*played, name), seen
        if not self.eyes or not found:
            found["pass"] = board, 1 - player, (*played, "pass"), boards
        return found

    def is_eye(self, board, cell, letter):
        if any(board.get(side) != letter for side in self.sides(cell)):
            return False
        x, y = cell
        corners = [(x + i, y + j) for i in (-1, 1) for j in (-1, 1)]
        outside = [c for c in corners if c not in self.cells]
        enemies = [c for c in corners if board.get(c) not in (None, letter)]
        return len(enemies) < (1 if outside else 2)

    def area(self, board):
        """Black's area less white's."""
        total = 0
        for cell in self.cells:
            if cell in board:
                owners = {board[cell]}
            else:
                owners = {board[side] for side in self.reach(board, cell)[1]}
            total += (owners == {"b"}) - (owners == {"w"})
        return total

    def result(self, position):
        cut = position[2][-2:] != ("pass", "pass")
        lead = self.area(position[0]) - self.komi
        if lead == 0 or (cut and self.draw):
            return (0.5, 0.5)
        return (1.0, 0.0) if lead > 0 else (0.0, 1.0)

    def line(self, position):
        text = super().line(position)
        return text + " after " + " ".join(position[2]) if position[2] else text
