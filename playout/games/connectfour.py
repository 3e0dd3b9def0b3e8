"""Connect Four: stones drop to the lowest free cell of a column; four in a line win; x begins.

The stones are bits of a word, a column after another with one spare bit on top of each, so that
adding the bottom row to the occupied cells gives the cell where each column's next stone comes to
rest, and shifting a player's stones onto themselves finds lines. V. Allis, A Knowledge-Based
Approach of Connect-Four, 1988, has the game's theory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.games.board_game import BoardGame, list_cells

_LEAST = 4  # columns and rows


class ConnectFour(BoardGame):
    """Connect Four.

    Parameters
    ----------
    width : int
        Columns, from 4.
    height : int
        Rows, from 4; width times (height + 1) is at most 64.
    """

    letters = "xo"
    marks = {"x": ("disc", "#c8453d"), "o": ("disc", "#e9c23b")}
    fields = ("width", "tall", "bottom", "whole")
    symmetries = 2

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if min(width, height) < _LEAST or width * (height + 1) > 64:
            raise OptionError(
                f"Connect Four has no board of {width}x{height}: it takes {_LEAST} or more columns "
                f"and rows, columns times (rows + 1) at most 64, as in 7x6"
            )
        self.width, self.height = int(width), int(height)
        self.tall = np.uint64(height + 1)  # bits of a column
        column = range(0, width * (height + 1), height + 1)
        self.bottom = np.uint64(sum(1 << low for low in column))
        self.whole = np.uint64(sum(((1 << height) - 1) << low for low in column))
        self.codes = 2 * self.width * (self.height + 1)
        self.max_moves = self.width
        self.max_length = self.width * self.height
        self.plane_shape = (2, self.height, self.width)  # the mover's stones and the other's
        self.outputs = self.width
        # the stones of the player to move, and of both
        self.state_type = record(own="u8", both="u8", player="i1", won="i1")
        self.move_type = record(cell="i1")

    def moves(self, state, moves):
        if state.won:
            return 0
        cells = (state.both + self.bottom) & self.whole
        return list_cells(cells, moves)

    def play(self, state, move):
        stone = bit(move.cell)
        own = state.own | stone
        state.own ^= state.both
        state.both |= stone
        state.won = self._has_four(own)
        state.player = 1 - state.player

    def _has_four(self, stones):
        one, tall = np.uint64(1), self.tall
        for step in (one, tall - one, tall, tall + one):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> (step + step)):
                return True
        return False

    def reward(self, state, player):
        if not state.won:
            return 0.5
        return 1.0 if player != state.player else 0.0  # who moved last has the line

    def key(self, state):
        return mix(mix(state.both) ^ state.own)

    def planes(self, state, out):
        tall = np.int64(self.tall)
        own = state.own
        for plane in range(2):
            stones = own if plane == 0 else own ^ state.both
            while stones:
                cell = np.int64(lowest_bit(stones))
                out[plane, cell % tall, cell // tall] = 1.0
                stones = without_lowest(stones)

    def output(self, state, move):
        return np.int64(move.cell) // np.int64(self.tall)

    def transform(self, state, symmetry, out):
        out.own = self._mirrored(state.own) if symmetry else state.own
        out.both = self._mirrored(state.both) if symmetry else state.both
        out.player = state.player
        out.won = state.won

    def _mirrored(self, stones):
        column = (np.uint64(1) << self.tall) - np.uint64(1)
        result = np.uint64(0)
        for _ in range(self.width):
            result = result << self.tall | stones & column
            stones = stones >> self.tall
        return result

    def transform_move(self, move, symmetry, out):
        tall = np.int64(self.tall)
        column, row = move.cell // tall, move.cell % tall
        out.cell = (self.width - 1 - column) * tall + row if symmetry else move.cell

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """The letter of the column."""
        return chr(ord("a") + int(move.cell) // int(self.tall))

    def where(self, state: Any, move: Any) -> Places:
        column, row = divmod(int(move.cell), int(self.tall))
        return (self.point_of(row * self.width + column),)

    def parse_move(self, state: Any, text: str) -> Any:
        """The letter of the column, or its number from 1."""
        word = text.strip()
        if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= self.width:
            text = chr(ord("a") + int(word) - 1)
        return super().parse_move(state, text)

    def cell_letters(self, state: Any) -> list[str]:
        both, own = int(state.both), int(state.own)
        x = own if state.player == 0 else own ^ both
        bits = [self._bit_of(cell) for cell in range(self.width * self.height)]
        return ["x" if x >> i & 1 else "o" if both >> i & 1 else "." for i in bits]

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        for cell, letter in enumerate(cells):
            if letter != "." and cell >= self.width and cells[cell - self.width] == ".":
                self.refuse(text, f"{letter} hangs over an empty cell")
        self.check_turns(text, cells, player)
        mover, last = self.letters[player], self.letters[1 - player]
        own, other = (
            np.uint64(sum(1 << self._bit_of(i) for i, c in enumerate(cells) if c == letter))
            for letter in (mover, last)
        )
        if self._has_four(own):
            self.refuse(text, f"{mover} has four, but {last} moved")
        won = bool(self._has_four(other))
        if won and not self._one_stone_made_it(int(own | other), int(other)):
            self.refuse(text, f"{last} had four before the last stone")
        states = self.new_states(1)
        states[0].own, states[0].both = own, own | other
        states[0].player, states[0].won = player, won
        return states

    def _one_stone_made_it(self, both: int, stones: int) -> bool:
        """Whether there is a stone on top of a column without which there is no line."""
        for cell in range(self.width * self.height):
            i = self._bit_of(cell)
            on_top = stones >> i & 1 and not both >> (i + 1) & 1
            if on_top and not self._has_four(np.uint64(stones & ~(1 << i))):
                return True
        return False

    def _bit_of(self, cell: int) -> int:
        return cell % self.width * int(self.tall) + cell // self.width
