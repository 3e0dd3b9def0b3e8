"""Hex (P. Hein, J. Nash): r connects top and bottom, b connects left and right; r begins.

There are no draws. Stones that hang together, and the edge that they touch, share a root in a
union-find structure (R. Tarjan, 1975), so a move looks at six neighbours and no more. Edges are
nodes of it with the highest numbers, and of two roots the higher one stays, so that joining two
edges shows at once. The empty cells are a list, which `moves` copies.

Notation as usual: columns are letters, rows are numbered from the top, each row is half a cell to
the right of the one above. Under the swap rule the second player may answer the first stone
with `swap`: it becomes his, mirrored in the long diagonal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from playout.compiled import copy_record, record
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.games.board_game import BoardGame
from playout.games.boards import cell_name, label, svg_page

LARGEST_SIZE = 19
_COLOURS = ("#c8453d", "#3b6fb6")
_AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # column and row, in a circle


class Hex(BoardGame):
    """Hex.

    Parameters
    ----------
    size : int
        Columns and rows, from 2 to 19.
    swap : bool
        Whether the second player may take over the first stone.
    """

    letters = "rb"
    top_down = True
    fields = ("side", "cells", "near", "words", "swap")
    symmetries = 2
    kinds = 3**6
    outcomes = (0.0, 1.0)

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        if not 2 <= size <= LARGEST_SIZE:
            raise OptionError(
                f"Hex has no board of {size}x{size}: it takes 2x2 to {LARGEST_SIZE}x{LARGEST_SIZE}"
            )
        self.side = self.width = self.height = int(size)
        self.cells, self.swap = self.side**2, bool(swap)
        self.near = _neighbours(self.side)
        self.words = mix(np.arange(1, 2 * self.cells + 1, dtype=np.uint64))  # of each stone
        self.codes = 2 * (self.cells + 1)
        self.plane_shape = (2, self.side, self.side)  # the mover's stones and the other's
        self.outputs = self.cells + 1
        self.max_moves = self.cells
        self.max_length = self.cells + self.swap
        number = "u1" if self.cells + 4 <= 256 else "u2"
        self.state_type = record(
            stones="u8",  # their words, xored
            left="i2",  # how many cells are empty
            player="i1",
            won="i1",
            colour=("i1", self.cells + 4),  # of cells and edges: 0 empty, 1 r, 2 b
            link=(number, self.cells + 4),  # the way to the root; an empty cell's slot in `empty`
            empty=(number, self.cells),  # the first `left` of them count
        )
        self.move_type = record(cell=number)  # the number of cells stands for a swap

    def reset(self, state):
        for cell in range(self.cells):
            state.link[cell] = cell
            state.empty[cell] = cell
        for edge in range(4):  # top, bottom, left, right
            state.colour[self.cells + edge] = 1 + edge // 2
            state.link[self.cells + edge] = self.cells + edge
        state.left = self.cells

    def moves(self, state, moves):
        if state.won:
            return 0
        n = np.int64(state.left)
        for i in range(n):
            moves[i].cell = state.empty[i]
        if self.swap and state.player == 1 and n == self.cells - 1:
            moves[n].cell = self.cells
            n += 1
        return n

    def play(self, state, move):
        if move.cell == self.cells:
            self._swap(state)
        else:
            self._put(state, np.int64(move.cell), np.int64(state.player))
        state.player = 1 - state.player

    def _put(self, state, cell, player):
        """Put a stone on an empty cell."""
        slot, last = np.int64(state.link[cell]), np.int64(state.left) - 1
        moved = np.int64(state.empty[last])
        state.empty[slot] = moved
        state.link[moved] = slot
        state.left = last
        colour = player + 1
        state.colour[cell] = colour
        state.link[cell] = cell
        state.stones ^= self.words[2 * cell + player]
        root = cell
        for i in range(6):
            beside = np.int64(self.near[cell, i])
            if state.colour[beside] == colour:
                other = self._root(state, beside)
                low, root = min(root, other), max(root, other)
                state.link[low] = root
                if low >= self.cells and low != root:  # two edges
                    state.won = 1

    def _root(self, state, node):
        """The root of a stone or an edge; paths get shorter on the way."""
        above = np.int64(state.link[node])
        while above != node:
            top = np.int64(state.link[above])
            state.link[node] = top
            node, above = top, np.int64(state.link[top])
        return node

    def _swap(self, state):
        """Make the only stone, of r, one of b, columns and rows exchanged."""
        cell = 0
        while state.colour[cell] == 0:
            cell += 1
        for i in range(self.cells + 4):
            state.link[i] = 0
            state.colour[i] = 0
        state.stones = 0
        self.reset(state)
        self._put(state, cell % self.side * self.side + cell // self.side, 1)

    def features(self, state, move):
        """The six neighbours in a circle as digits to the base 3: empty, one's own, the other's.

        Edges count as stones of their player. So bridges and cuts show.
        """
        if move.cell == self.cells:
            return 0
        found = 0
        for i in range(6):
            colour = np.int64(state.colour[self.near[move.cell, i]])
            found = found * 3 + (colour if state.player == 0 or colour == 0 else 3 - colour)
        return found

    def key(self, state):
        return mix(state.stones ^ np.uint64(state.player))

    def planes(self, state, out):
        """Columns and rows exchanged for b: both players connect top and bottom."""
        for cell in range(self.cells):
            colour = np.int64(state.colour[cell])
            if colour > 0:
                seen = self._as_seen(cell, state.player)
                plane = 0 if colour - 1 == state.player else 1
                out[plane, seen // self.side, seen % self.side] = 1.0

    def output(self, state, move):
        return self._as_seen(np.int64(move.cell), state.player)

    def _as_seen(self, cell, player):
        """A cell as a player sees it; the swap, beyond the last cell, is the same for both."""
        if player == 0 or cell == self.cells:
            return cell
        return cell % self.side * self.side + cell // self.side

    def transform(self, state, symmetry, out):
        copy_record(state, out)
        if symmetry == 0:
            return
        stones = np.uint64(0)
        for node in range(self.cells + 4):
            there, colour = self._turned(node), np.int64(state.colour[node])
            out.colour[there] = colour
            empty = colour == 0
            out.link[there] = (
                state.link[node] if empty else self._turned(np.int64(state.link[node]))
            )
            if not empty and node < self.cells:
                stones ^= self.words[2 * there + colour - 1]
        for i in range(self.cells):
            out.empty[i] = self._turned(np.int64(state.empty[i]))
        out.stones = stones

    def _turned(self, node):
        """Where a cell or an edge is when the board is turned by 180 degrees."""
        if node < self.cells:
            return self.cells - 1 - node
        return self.cells + ((node - self.cells) ^ 1)

    def transform_move(self, move, symmetry, out):
        cell = np.int64(move.cell)
        out.cell = self._turned(cell) if symmetry and cell < self.cells else cell

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """The cell, a1 at the top left, or swap."""
        return "swap" if move.cell == self.cells else cell_name(move.cell, self.side)

    def cell_letters(self, state: Any) -> list[str]:
        return [("." + self.letters)[state.colour[cell]] for cell in range(self.cells)]

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        swapped = self.swap and cells.count("b") - cells.count("r") == 1 - player
        if not swapped:
            self.check_turns(text, cells, player)
        states = self.root()
        stones = [
            {i for i, found in enumerate(cells) if found == letter} for letter in self.letters
        ]
        mover, other = self.letters[player], self.letters[1 - player]
        if self._connected(stones[player], player):
            self.refuse(text, f"{mover} has connected, but {other} moved last")
        last = stones[1 - player]
        if self._connected(last, 1 - player) and all(
            self._connected(last - {cell}, 1 - player) for cell in last
        ):
            self.refuse(text, f"{other} had connected before the last stone")
        for number in range(2):
            for cell in sorted(stones[number]):
                self._put(states[0], cell, number)
        states[0].player = player
        return states

    def _connected(self, stones: set[int], player: int) -> bool:
        """Whether these stones connect the edges of a player."""
        first, last = self.cells + 2 * player, self.cells + 2 * player + 1
        new = [cell for cell in stones if first in self.near[cell]]
        seen = set(new)
        while new:
            around = {int(node) for node in self.near[new.pop()]}
            if last in around:
                return True
            found = around & stones - seen
            seen |= found
            new.extend(found)
        return False

    def render(self, state: Any) -> str:
        letters, side = self.cell_letters(state), self.side
        margin = len(str(side))
        names = " ".join(chr(ord("a") + column) for column in range(side))
        lines = [" " * margin + " " + names]
        for row in range(side):
            cells = " ".join(letters[row * side : (row + 1) * side])
            lines.append(" " * row + f"{row + 1:>{margin}} {cells} {row + 1}")
        lines.append(" " * (side + margin + 1) + names)
        return "\n".join([*lines, self.status(state)])

    def where(self, state: Any, move: Any) -> Places:
        if int(move.cell) == self.cells:
            return ()  # a swap
        return (_centre(*divmod(int(move.cell), self.side)),)

    def svg(self, state: Any) -> str:
        return _picture(self.cell_letters(state), self.side, self.status(state))


def _neighbours(side: int) -> np.ndarray:
    """The six nodes around each cell: cells, then the edges top, bottom, left and right."""
    table = np.zeros((side * side, 6), np.int16)
    for cell in range(side * side):
        row, column = divmod(cell, side)
        for i, (across, down) in enumerate(_AROUND):
            x, y = column + across, row + down
            if 0 <= x < side and 0 <= y < side:
                table[cell, i] = y * side + x
            elif 0 <= x < side:
                table[cell, i] = side * side + (0 if y < 0 else 1)
            else:
                table[cell, i] = side * side + (2 if x < 0 else 3)
    return table


_RADIUS = 20.0
_WIDE = _RADIUS * 3**0.5
_MARGIN = 30.0


def _centre(row: int, column: int) -> tuple[float, float]:
    """The middle of a cell in the picture."""
    x = _MARGIN + _WIDE * (column + row / 2 + 0.5)
    return x, _MARGIN + _RADIUS * (1.5 * row + 1)


def _picture(letters: list[str], side: int, caption: str) -> str:
    """The board as hexagons, each edge in the colour of its player."""

    def corners(row: int, column: int, numbers: Iterable[int]) -> list[tuple[float, float]]:
        """Corners of a cell, numbered clockwise from the one at the top."""
        x, y = _centre(row, column)
        half, near, far = _WIDE / 2, _RADIUS / 2, _RADIUS
        around = ((0, -far), (half, -near), (half, near), (0, far), (-half, near), (-half, -near))
        return [(x + around[i][0], y + around[i][1]) for i in numbers]

    def points(found: list[tuple[float, float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in found)

    parts = []
    for cell, letter in enumerate(letters):
        outline = points(corners(*divmod(cell, side), range(6)))
        parts.append(f'<polygon points="{outline}" fill="#efe7d6" stroke="#9a8f7c"/>')
        if letter != ".":
            x, y = _centre(*divmod(cell, side))
            colour = _COLOURS["rb".index(letter)]
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="13" fill="{colour}"/>')
    end, along = side - 1, range(side)
    edges = (
        (0, [corners(0, i, (5, 0, 1)) for i in along]),
        (0, [corners(end, i, (4, 3, 2)) for i in along]),
        (1, [corners(i, 0, (5, 4)) for i in along]),
        (1, [corners(i, end, (1, 2)) for i in along]),
    )
    for player, path in edges:
        outline = points([point for piece in path for point in piece])
        parts.append(
            f'<polyline points="{outline}" fill="none" stroke="{_COLOURS[player]}" '
            'stroke-width="4" stroke-linejoin="round"/>'
        )
    for i in along:
        (x, y), (left, middle) = _centre(0, i), _centre(i, 0)
        parts.append(label(x - _WIDE / 4, y - _RADIUS - 10, chr(ord("a") + i)))
        parts.append(label(left - _WIDE / 2 - 12, middle, str(i + 1)))
    x, y = _centre(end, end)
    return svg_page(x + _WIDE / 2 + _MARGIN, y + _RADIUS + 14, parts, caption)
