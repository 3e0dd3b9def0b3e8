"""Reversi, or Othello: a stone turns the other colour's lines between it and another; b begins.

A move must turn at least one stone. Who has no such move passes; when neither has one, most stones
win. The stones of each colour are the bits of a word: shifting a player's stones step by step over
the other's finds his moves, three shifts to a line of six (parallel prefix, as the programs
Edax and Zebra do it). Rows are numbered from the top, as Othello's notation has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, count_bits
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.games.board_game import BoardGame, list_cells
from playout.games.board_symmetries import cell_symmetries, mark_cells
from playout.games.boards import cell_name, letters_of, word_of

# How many moves there are before a player can have to pass, by size.
_FIRST_PASS = {4: 4, 6: 8, 8: 8}


class Reversi(BoardGame):
    """Reversi.

    The board has eight symmetries; half of them show the start with its colours exchanged, which
    is as good a start as the other.

    Parameters
    ----------
    size : int
        Columns and rows: 4, 6 or 8.
    """

    letters = "bw"
    marks = {"b": ("disc", "#2f2f2f"), "w": ("disc", "#fbfbf8")}
    top_down = True
    sets_of_cells = ("full", "inner", "column", "row", "above", "below", "around")
    fields = ("side", "cells", "across", "moved", "corner", *sets_of_cells)
    symmetries = 8
    kinds = 10

    def __init__(self, size: int = 8) -> None:
        if size not in _FIRST_PASS:
            raise OptionError(f"Reversi has no board of {size}x{size}: it takes 4x4, 6x6 or 8x8")
        self.side = self.width = self.height = int(size)
        self.cells = self.side**2
        self.across = np.uint64(size)
        self.row = np.uint64((1 << size) - 1)
        self.column = np.uint64(sum(1 << cell for cell in range(0, self.cells, size)))
        self.full = np.uint64((1 << self.cells) - 1)
        # no line of stones that are turned goes over the left or right edge
        self.inner = self.full & ~(self.column | self.column << np.uint64(size - 1))
        # the diagonals on either side of the one from a1, for changing columns and rows
        self.above, self.below = _diagonals(self.side)
        moved = cell_symmetries(self.side, self.side)
        self.moved = np.column_stack([moved, np.full(8, self.cells, np.int16)])
        self.corner, self.around = _corners(self.side), _cells_around(self.side)
        self.codes = 2 * (self.cells + 1)
        self.plane_shape = (2, self.side, self.side)  # the mover's stones and the other's
        self.outputs = self.cells + 1
        self.max_moves = self.cells - 4
        self.max_length = 2 * (self.cells - 4) - 1  # a pass between any two stones
        self.state_type = record(stones=("u8", 2), player="i1")
        self.move_type = record(cell="i1")  # the number of cells stands for a pass

    def reset(self, state):
        low = np.int64(self.cells // 2 - self.side // 2 - 1)  # d4 of a board of 8x8
        state.stones[0] = bit(low + 1) | bit(low + self.side)
        state.stones[1] = bit(low) | bit(low + self.side + 1)

    def moves(self, state, moves):
        own, other = state.stones[state.player], state.stones[1 - state.player]
        cells = self._playable(own, other)
        if cells == 0:
            if self._playable(other, own) == 0:
                return 0
            moves[0].cell = self.cells
            return 1
        return list_cells(cells, moves)

    def _playable(self, own, other):
        """The cells where a stone would turn others."""
        inner, one = other & self.inner, np.uint64(1)
        found = self._ends(own, other, self.across)
        found |= self._ends(own, inner, one)
        found |= self._ends(own, inner, self.across - one)
        found |= self._ends(own, inner, self.across + one)
        return found & self.full & ~(own | other)

    def _ends(self, own, other, step):
        """The cells behind lines of `other` that begin beside `own`, forward and backward."""
        up, down = self._lines(own, other, step)
        return up << step | down >> step

    def _lines(self, stones, other, step):
        """The lines of `other` that begin beside `stones`, forward and backward."""
        double = step + step
        up = other & stones << step
        up |= other & up << step
        pairs = other & other << step
        up |= pairs & up << double
        up |= pairs & up << double
        down = other & stones >> step
        down |= other & down >> step
        pairs = pairs >> step
        down |= pairs & down >> double
        down |= pairs & down >> double
        return up, down

    def play(self, state, move):
        player = state.player
        if move.cell < self.cells:
            own, other = state.stones[player], state.stones[1 - player]
            stone, inner, one = bit(move.cell), other & self.inner, np.uint64(1)
            turned = self._turned(stone, own, other, self.across)
            turned |= self._turned(stone, own, inner, one)
            turned |= self._turned(stone, own, inner, self.across - one)
            turned |= self._turned(stone, own, inner, self.across + one)
            state.stones[player] = own | stone | turned
            state.stones[1 - player] = other ^ turned
        state.player = 1 - player

    def _turned(self, stone, own, other, step):
        """The lines of `other` between a new stone and `own`, forward and backward."""
        up, down = self._lines(stone, other, step)
        none = np.uint64(0)
        return (up if up << step & own else none) | (down if down >> step & own else none)

    def reward(self, state, player):
        own, other = count_bits(state.stones[player]), count_bits(state.stones[1 - player])
        return 0.5 if own == other else 1.0 if own > other else 0.0

    def features(self, state, move):
        """Whether it fills a hole (1), plus twice what is beside the cell.

        That is 1 for a corner itself, 2 beside an empty corner, 3 beside one's own, 4 beside the
        other player's, and 0 elsewhere.
        """
        if move.cell == self.cells:
            return 0
        own, other = state.stones[state.player], state.stones[1 - state.player]
        hole = 0 if self.around[move.cell] & ~(own | other) else 1
        corner = self.corner[move.cell]
        if corner < 0:
            return hole
        if corner == move.cell:
            return 2 + hole
        if own & bit(corner):
            return 6 + hole
        return (8 if other & bit(corner) else 4) + hole

    def key(self, state):
        return mix(mix(state.stones[0] ^ mix(np.uint64(state.player))) ^ state.stones[1])

    def planes(self, state, out):
        for plane in range(2):
            stones = state.stones[state.player if plane == 0 else 1 - state.player]
            mark_cells(stones, out[plane], self.side)

    def transform(self, state, symmetry, out):
        for player in range(2):
            out.stones[player] = self._seen(state.stones[player], symmetry)
        out.player = state.player

    def _seen(self, stones, symmetry):
        """The stones under a symmetry, as `cell_symmetries` numbers them."""
        one = np.uint64(1)
        if symmetry & 4:
            seen = stones & self.above[0]
            for i in range(1, self.side):
                shift = np.uint64(i) * (self.across - one)
                seen |= (stones & self.above[i]) << shift | (stones & self.below[i]) >> shift
            stones = seen
        if symmetry & 1:
            seen = np.uint64(0)
            for _ in range(self.side):
                seen = seen << one | stones & self.column
                stones = stones >> one
            stones = seen
        if symmetry & 2:
            seen = np.uint64(0)
            for _ in range(self.side):
                seen = seen << self.across | stones & self.row
                stones = stones >> self.across
            stones = seen
        return stones

    def transform_move(self, move, symmetry, out):
        out.cell = self.moved[symmetry, move.cell]

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """The cell, a1 at the top left, or pass."""
        return "pass" if move.cell == self.cells else cell_name(move.cell, self.side)

    def where(self, state: Any, move: Any) -> Places:
        return () if move.cell == self.cells else super().where(state, move)

    def cell_letters(self, state: Any) -> list[str]:
        return letters_of(state.stones, self.letters, self.cells)

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        taken = {i for i, letter in enumerate(cells) if letter != "."}
        self._check_shape(text, taken)
        placed = len(taken) - 4
        if placed == 0 and self._mixed(cells):
            self.refuse(text, "four stones stand as at the start, or with colours exchanged")
        if placed < _FIRST_PASS[self.side] and placed % 2 != player:
            said = f"{len(taken)} stones with {self.letters[player]} to move"
            self.refuse(text, f"{said}, but b begins and nobody can have passed so soon")
        states = self.new_states(1)
        states[0].stones[:] = [word_of(cells, letter) for letter in self.letters]
        states[0].player = player
        return states

    def _check_shape(self, text: str, taken: set[int]) -> None:
        """Stones never leave the board, and each is put down beside another."""
        middle = [i for i, letter in enumerate(self.cell_letters(self.root()[0])) if letter != "."]
        for cell in middle:
            if cell not in taken:
                name = cell_name(cell, self.side)
                self.refuse(text, f"{name} is empty, but the game begins with a stone there")
        reached, new = set(middle), list(middle)
        while new:
            around = int(self.around[new.pop()])
            found = {i for i in taken - reached if around >> i & 1}
            reached |= found
            new.extend(found)
        if apart := taken - reached:
            name = cell_name(min(apart), self.side)
            self.refuse(text, f"the stone on {name} is not connected with the middle")

    def _mixed(self, cells: list[str]) -> bool:
        """Whether the four stones in the middle are not two of each colour on the diagonals."""
        low = self.cells // 2 - self.side // 2 - 1
        a, b, c, d = (cells[low + i] for i in (0, 1, self.side, self.side + 1))
        return a != d or b != c or a == b

    def status(self, state: Any) -> str:
        b, w = (count_bits(stones) for stones in state.stones)
        if self.moves(state, self.new_moves()):
            return f"b {b}, w {w}; {self.letters[state.player]} to move"
        if b == w:
            return f"a draw, {b} to {w}"
        return f"b wins, {b} to {w}" if b > w else f"w wins, {w} to {b}"


def _diagonals(side: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells whose column is 0, 1, ... more than their row, and less."""
    above, below = np.zeros(side, np.uint64), np.zeros(side, np.uint64)
    for row in range(side):
        for column in range(side):
            table = above if column >= row else below
            table[abs(column - row)] |= bit(row * side + column)
    return above, below


def _corners(side: int) -> np.ndarray:
    """For the corners and the cells beside them the corner, -1 for the others."""
    table = np.full(side * side, -1, np.int8)
    for row in range(side):
        for column in range(side):
            top, left = min(row, side - 1 - row), min(column, side - 1 - column)
            if top <= 1 and left <= 1:
                corner = (0 if row < side // 2 else side - 1, 0 if column < side // 2 else side - 1)
                table[row * side + column] = corner[0] * side + corner[1]
    return table


def _cells_around(side: int) -> np.ndarray:
    """The up to eight cells around each."""
    table = np.zeros(side * side, np.uint64)
    for cell in range(side * side):
        row, column = divmod(cell, side)
        for r in range(max(row - 1, 0), min(row + 2, side)):
            for c in range(max(column - 1, 0), min(column + 2, side)):
                if (r, c) != (row, column):
                    table[cell] |= bit(r * side + c)
    return table
