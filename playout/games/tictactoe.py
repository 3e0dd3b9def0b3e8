"""Tic-tac-toe: three in a row, column or diagonal of a board of 3x3 wins; x begins.

The stones of each player are the bits of a number, and a table tells which numbers have a line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.records import mix
from playout.contract import Game
from playout.games.boards import (
    cell_name,
    cell_symmetries,
    draw_svg,
    draw_text,
    impossible,
    position_line,
    read_line,
)

LETTERS = "xo"
_LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_FULL = 0o777
_MARKS = {"x": ("cross", "#b3403a"), "o": ("ring", "#2f5d8a")}


class TicTacToe(Game):
    """Tic-tac-toe."""

    fields = ("lines", "moved")
    symmetries = 8
    max_moves = 9
    max_length = 9
    codes = 18
    plane_shape = (2, 3, 3)  # the mover's stones and the other's
    outputs = 9

    def __init__(self) -> None:
        self.lines = np.array([any(s & w == w for w in _LINES) for s in range(_FULL + 1)])
        self.moved = cell_symmetries(3, 3)
        self.state_type = record(stones=("i2", 2), player="i1", won="i1")
        self.move_type = record(cell="i1")

    def reset(self, state):
        state.player = 0

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

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        if not state.won:
            return 0.5
        return 1.0 if player != state.player else 0.0  # who moved last has the line

    def code(self, state, move):
        return np.int64(move.cell) * 2 + state.player

    def key(self, state):
        return mix(np.uint64(state.stones[0]) << np.uint64(9) | np.uint64(state.stones[1]))

    def planes(self, state, out):
        for cell in range(9):
            for plane in range(2):
                stones = state.stones[state.player if plane == 0 else 1 - state.player]
                if stones >> cell & 1:
                    out[plane, cell // 3, cell % 3] = 1.0

    def output(self, state, move):
        return np.int64(move.cell)

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

    def position_text(self, state: Any) -> str:
        return position_line(self._cells(state), 3, LETTERS[state.player])

    def read_position(self, text: str) -> np.ndarray:
        start = self.position_text(self.root()[0])
        cells, player = read_line(text, 3, 3, LETTERS, LETTERS, start)
        states = self.new_states(1)
        state = states[0]
        for number, letter in enumerate(LETTERS):
            state.stones[number] = sum(1 << i for i in range(9) if cells[i] == letter)
        x, o = (cells.count(letter) for letter in LETTERS)
        if x - o != player:
            counts = f"{x} x and {o} o with {LETTERS[player]} to move"
            impossible(text, f"{counts}, but they move in turn and x begins", start)
        if self.lines[state.stones[player]]:
            impossible(
                text, f"{LETTERS[player]} has a line, but {LETTERS[1 - player]} moved", start
            )
        state.player = player
        state.won = self.lines[state.stones[1 - player]]
        return states

    def render(self, state: Any) -> str:
        return draw_text(self._cells(state), 3, self._status(state))

    def svg(self, state: Any) -> str:
        return draw_svg(self._cells(state), 3, _MARKS, self._status(state))

    def _cells(self, state: Any) -> list[str]:
        x, o = (int(stones) for stones in state.stones)
        return ["x" if x >> i & 1 else "o" if o >> i & 1 else "." for i in range(9)]

    def _status(self, state: Any) -> str:
        if state.won:
            return f"{LETTERS[1 - state.player]} wins"
        drawn = int(state.stones[0] | state.stones[1]) == _FULL
        return "a draw" if drawn else f"{LETTERS[state.player]} to move"
