"""Domineering (G. Andersson): dominoes on a board, upright for v, who begins, lying for h.

Who has no room for another domino loses; under misere rules, wins. The covered cells are the
bits of a word for each player, so that shifting the free ones onto themselves finds the room.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled import helper, record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.games.boards import (
    bit_symmetries,
    cell_name,
    cell_symmetries,
    check_size,
    draw_svg,
    draw_text,
    impossible,
    moved_bits,
    position_line,
    read_line,
)
from playout.problem import Game

LETTERS = "vh"
_COLOURS = ("#4c78a8", "#d98841")


class Domineering(Game):
    """Domineering.

    Parameters
    ----------
    width : int
        Columns, from 1; at most 64 cells in all.
    height : int
        Rows, from 1.
    misere : bool
        Whether the player who cannot move wins.
    """

    fields = ("width", "full", "not_right", "around", "moved", "turned", "misere")
    symmetries = 4
    kinds = 64
    outcomes = (0.0, 1.0)
    packed = 1

    def __init__(self, width: int = 8, height: int = 8, misere: bool = False) -> None:
        check_size("Domineering", width, height)
        self.width, self.height, self.misere = int(width), int(height), bool(misere)
        cells = self.width * self.height
        self.full = np.uint64((1 << cells) - 1)
        right = sum(1 << row * self.width for row in range(self.height)) << (self.width - 1)
        self.not_right = self.full & ~np.uint64(right)
        self.moved = cell_symmetries(self.width, self.height, turned=False)
        self.turned = bit_symmetries(self.moved)
        self.around = _cells_around(self.width, self.height)
        upright, lying = self.width * (self.height - 1), (self.width - 1) * self.height
        self.codes = 2 * cells
        self.plane_shape = (2, self.height, self.width)  # what is covered, and all ones for h
        self.outputs = cells
        self.max_moves = max(1, upright, lying)
        self.max_length = max(1, cells // 2)
        self.state_type = record(covered=("u8", 2), player="i1")
        # the lower or left cell of the domino, and whether it lies
        self.move_type = record(cell="i1", lying="i1")

    def reset(self, state):
        state.player = 0

    def moves(self, state, moves):
        free = self.full & ~(state.covered[0] | state.covered[1])
        if state.player == 0:
            room = free & free >> np.uint64(self.width)
        else:
            room = free & free >> np.uint64(1) & self.not_right
        n = 0
        while room:
            moves[n].cell = lowest_bit(room)
            moves[n].lying = state.player
            room = without_lowest(room)
            n += 1
        return n

    def play(self, state, move):
        lower = bit(move.cell)
        upper = lower << np.uint64(1 if move.lying else self.width)
        state.covered[state.player] |= lower | upper
        state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if (player != state.player) != self.misere else 0.0

    def code(self, state, move):
        return np.int64(move.cell) * 2 + state.player

    def planes(self, state, out):
        covered = state.covered[0] | state.covered[1]
        while covered:
            cell = np.int64(lowest_bit(covered))
            out[0, cell // self.width, cell % self.width] = 1.0
            covered = without_lowest(covered)
        out[1] = state.player

    def output(self, state, move):
        return np.int64(move.cell)

    def features(self, state, move):
        """Which of the six cells beside the domino are covered or off the board, as bits."""
        covered = state.covered[0] | state.covered[1]
        beside = self.around[move.lying, move.cell]
        found = 0
        for i in range(6):
            if beside[i] < 0 or covered & bit(beside[i]):
                found |= 1 << i
        return found

    def key(self, state):
        """Who covered a cell makes no difference."""
        return mix((state.covered[0] | state.covered[1]) ^ mix(np.uint64(state.player)))

    def decided(self, state):
        """Who has enough moves that the other cannot spoil, for the most that the other has."""
        free = self.full & ~(state.covered[0] | state.covered[1])
        width, one = np.uint64(self.width), np.uint64(1)
        upright = free & free >> width
        lying = free & free >> one & self.not_right
        # cells where only one player has room
        only_v = free & ~(lying | lying << one)
        only_h = free & ~(upright | upright << width)
        safe_v = only_v & only_v >> width
        safe_h = only_h & only_h >> one & self.not_right
        v_to_move = state.player == 0
        if self.misere:
            # who has few moves runs out of them while the other still must move
            if least_dominoes(safe_h, one) >= most_dominoes(upright, width) + (not v_to_move):
                return 1.0
            if least_dominoes(safe_v, width) >= most_dominoes(lying, one) + v_to_move:
                return 0.0
            return math.nan
        if most_dominoes(safe_v, width) >= most_dominoes(lying, one) + v_to_move:
            return 1.0
        if most_dominoes(safe_h, one) >= most_dominoes(upright, width) + (not v_to_move):
            return 0.0
        return math.nan

    def transform(self, state, symmetry, out):
        for player in range(2):
            out.covered[player] = moved_bits(self.turned, symmetry, state.covered[player])
        out.player = state.player

    def pack(self, state, symmetry, spare, out):
        """The covered cells: their number tells who is to move."""
        covered = state.covered[0] | state.covered[1]
        out[0] = moved_bits(self.turned, symmetry, covered) if symmetry else covered

    def transform_move(self, move, symmetry, out):
        cell = np.int64(move.cell)
        other = cell + (1 if move.lying else self.width)
        out.cell = min(self.moved[symmetry, cell], self.moved[symmetry, other])
        out.lying = move.lying

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """The two cells: a1-a2 stands upright, a1-b1 lies."""
        other = move.cell + (1 if move.lying else self.width)
        return f"{cell_name(move.cell, self.width)}-{cell_name(other, self.width)}"

    def position_text(self, state: Any) -> str:
        return position_line(self._cells(state), self.width, LETTERS[state.player])

    def read_position(self, text: str) -> np.ndarray:
        start = self.position_text(self.root()[0])
        cells, player = read_line(text, self.width, self.height, LETTERS, LETTERS, start)
        states = self.new_states(1)
        for number, letter in enumerate(LETTERS):
            covered = {i for i, found in enumerate(cells) if found == letter}
            states[0].covered[number] = sum(1 << i for i in covered)
            if _dominoes(covered, self.width, number) is None:
                which = "lying" if number else "upright"
                impossible(text, f"the cells of {letter} are not {which} dominoes", start)
        v, h = (cells.count(letter) // 2 for letter in LETTERS)
        if v - h != player:
            said = f"{v} upright and {h} lying with {LETTERS[player]} to move"
            impossible(text, f"{said}, but they move in turn and v begins", start)
        states[0].player = player
        return states

    def render(self, state: Any) -> str:
        return draw_text(self._cells(state), self.width, self._status(state))

    def svg(self, state: Any) -> str:
        shapes = []
        for player in range(2):
            covered = {i for i, c in enumerate(self._cells(state)) if c == LETTERS[player]}
            for cell in _dominoes(covered, self.width, player) or ():
                x, y = cell % self.width, self.height - 1 - cell // self.width
                wide, tall = (1.84, 0.84) if player else (0.84, 1.84)
                shapes.append(
                    f'<rect x="{x + 0.08:g}" y="{y + 0.08 - (0 if player else 1):g}" rx=".12" '
                    f'width="{wide}" height="{tall}" fill="{_COLOURS[player]}"/>'
                )
        board = self._cells(state)
        return draw_svg(board, self.width, {}, self._status(state), "".join(shapes))

    def _cells(self, state: Any) -> list[str]:
        v, h = (int(covered) for covered in state.covered)
        cells = range(self.width * self.height)
        return ["v" if v >> i & 1 else "h" if h >> i & 1 else "." for i in cells]

    def _status(self, state: Any) -> str:
        if self.moves(state, self.new_moves()):
            return f"{LETTERS[state.player]} to move"
        return f"{LETTERS[0 if self.reward(state, 0) else 1]} wins"


@helper
def most_dominoes(room, step):
    """How many dominoes fit side by side; `room` has the first cells of all that do.

    The other cell of each is `step` bits further.
    """
    n = 0
    while room:
        first = room & (~room + np.uint64(1))
        room &= ~(first | first << step)
        n += 1
    return n


@helper
def least_dominoes(room, step):
    """With how few dominoes no other has room any more: every third place in a row is enough."""
    n = 0
    while room:
        first = room & (~room + np.uint64(1))
        room &= ~(first | first << step | first << step + step)
        n += 1
    return n


def _dominoes(covered: set[int], width: int, lying: int) -> list[int] | None:
    """The lower or left cells of the dominoes that cover these cells; None if none do.

    There is only one way: the first cell begins a domino, and so on with the others.
    """
    left, found = set(covered), []
    for cell in sorted(covered):
        if cell in left:
            other = cell + (1 if lying else width)
            if other not in left or (lying and other % width == 0):
                return None
            left -= {cell, other}
            found.append(cell)
    return found


def _cells_around(width: int, height: int) -> np.ndarray:
    """The six cells beside each domino, -1 off the board: first upright ones, then lying."""
    table = np.full((2, width * height, 6), -1, np.int8)
    upright = ((0, -1), (0, 2), (-1, 0), (-1, 1), (1, 0), (1, 1))
    for cell in range(width * height):
        row, column = divmod(cell, width)
        for i, (along, up) in enumerate(upright):
            for lying, (x, y) in enumerate(
                ((column + along, row + up), (column + up, row + along))
            ):
                if 0 <= x < width and 0 <= y < height:
                    table[lying, cell, i] = y * width + x
    return table
