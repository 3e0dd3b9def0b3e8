"""Tic-tac-toe: three in a row, column or diagonal of a board of 3x3 wins; x begins.

The stones of each player are the bits of a number, and a table tells which numbers have a line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.records import mix
from playout.games.board_game import BoardGame
from playout.games.board_symmetries import cell_symmetries
from playout.games.boards import cell_name, letters_of, word_of

_LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_SETS = 0o1000  # of cells


class TicTacToe(BoardGame):
    """Tic-tac-toe."""

    letters = "xo"
    marks = {"x": ("cross", "#b3403a"), "o": ("ring", "#2f5d8a")}
    width = height = 3
    fields = ("lines", "moved")
    symmetries = 8
    max_moves = 9
    max_length = 9
    codes = 18
    plane_shape = (2, 3, 3)  # the mover's stones and the other's
    outputs = 9

    def __init__(self) -> None:
        self.lines = np.array([any(s & w == w for w in _LINES) for s in range(_SETS)])
        self.moved = cell_symmetries(3, 3)
        self.state_type = record(stones=("i2", 2), player="i1", won="i1")
        self.move_type = record(cell="i1")

    def moves(self, state, moves):
        if state.won:
            return 0
        taken = state.stones[0] | state.stones[1]
        n = 0
        for cell in range(9):
            if not taken >> cell & 1:
                moves[n].cell = cell
                n += 1
        return n

    def play(self, state, move):
        stones = state.stones[state.player] | 1 << np.int64(move.cell)
        state.stones[state.player] = stones
        state.won = self.lines[stones]
        state.player = 1 - state.player

    def reward(self, state, player):
        if not state.won:
            return 0.5
        return 1.0 if player != state.player else 0.0  # who moved last has the line

    def key(self, state):
        return mix(np.uint64(state.stones[0]) << np.uint64(9) | np.uint64(state.stones[1]))

    def planes(self, state, out):
        for cell in range(9):
            for plane in range(2):
                stones = state.stones[state.player if plane == 0 else 1 - state.player]
                if stones >> cell & 1:
                    out[plane, cell // 3, cell % 3] = 1.0

    def transform(self, state, symmetry, out):
        for player in range(2):
            stones = 0
            for cell in range(9):
                if state.stones[player] >> cell & 1:
                    stones |= 1 << np.int64(self.moved[symmetry, cell])
            out.stones[player] = stones
        out.player = state.player
        out.won = state.won

    def transform_move(self, move, symmetry, out):
        out.cell = self.moved[symmetry, move.cell]

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        return cell_name(move.cell, 3)

    def cell_letters(self, state: Any) -> list[str]:
        return letters_of(state.stones, self.letters, 9)

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        self.check_turns(text, cells, player)
        states = self.new_states(1)
        state = states[0]
        state.stones[:] = [word_of(cells, letter) for letter in self.letters]
        if self.lines[state.stones[player]]:
            mover, other = self.letters[player], self.letters[1 - player]
            self.refuse(text, f"{mover} has a line, but {other} moved")
        state.player = player
        state.won = self.lines[state.stones[1 - player]]
        return states
