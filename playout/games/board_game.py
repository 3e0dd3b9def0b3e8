"""What all games on a board of cells share: whose turn it is, positions in one line, pictures.

The rest of what people see of such a board is in `boards.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import lowest_bit, without_lowest
from playout.contract import Game
from playout.contract.visible import Places
from playout.games.boards import (
    Marks,
    cell_point,
    draw_svg,
    draw_text,
    impossible,
    position_line,
    read_line,
)


@helper
def list_cells(cells: np.uint64, moves: np.ndarray) -> int:
    """Write a move for each cell of a set, the lowest first; how many there are."""
    n = 0
    while cells:
        moves[n].cell = lowest_bit(cells)
        cells = without_lowest(cells)
        n += 1
    return n


class BoardGame(Game):
    """Players who move in turn on a board; the state has the `player` to move.

    A subclass sets `width` and `height`, and has `letters`, those of the players and of their
    pieces, `marks`, how these are drawn, and `cell_letters`. Unless it says otherwise, a move is a
    `cell`, and who moved last has won.
    """

    letters: str
    marks: Marks = {}
    top_down: bool = False  # whether row 1 is at the top
    width: int
    height: int

    def reset(self, state):
        state.player = 0

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if player != state.player else 0.0

    def code(self, state, move):
        return np.int64(move.cell) * 2 + state.player

    def output(self, state, move):
        return np.int64(move.cell)

    # what a person sees, in plain Python

    def cell_letters(self, state: Any) -> list[str]:
        """The letter of each cell, `.` for an empty one."""
        raise NotImplementedError

    def player_name(self, player: int) -> str:
        return self.letters[player]

    def status(self, state: Any) -> str:
        """The line below a picture."""
        if self.moves(state, self.new_moves()):
            return f"{self.player_name(state.player)} to move"
        reward = self.reward(state, 0)
        return "a draw" if reward == 0.5 else f"{self.player_name(0 if reward else 1)} wins"

    def position_text(self, state: Any) -> str:
        mover = self.letters[state.player]
        return position_line(self.cell_letters(state), self.width, mover, self.top_down)

    def read_cells(self, text: str) -> tuple[list[str], int]:
        """The letter of each cell, and the player to move, from a position's line."""
        start = self.position_text(self.root()[0])
        return read_line(text, self.width, self.height, self.letters, start, self.top_down)

    def check_turns(self, text: str, cells: Sequence[str], player: int) -> None:
        """Refuse a board on which the players cannot have moved in turn, each move a piece."""
        one, other = self.letters[0], self.letters[1]
        first, second = cells.count(one), cells.count(other)
        if first - second != player:
            said = f"{first} {one} and {second} {other} with {self.letters[player]} to move"
            self.refuse(text, f"{said}, but they move in turn and {one} begins")

    def refuse(self, text: str, reason: str) -> NoReturn:
        """Refuse a position."""
        impossible(text, reason, self.position_text(self.root()[0]))

    def render(self, state: Any) -> str:
        return draw_text(self.cell_letters(state), self.width, self.status(state), self.top_down)

    def svg(self, state: Any) -> str:
        return self.svg_with(state, "")

    def svg_with(self, state: Any, shapes: str) -> str:
        """The picture with shapes over it, in units of cells from the top left."""
        cells = self.cell_letters(state)
        return draw_svg(cells, self.width, self.marks, self.status(state), shapes, self.top_down)

    def point_of(self, cell: int) -> tuple[float, float]:
        """Where the middle of a cell is in the picture."""
        return cell_point(cell, self.width, self.height, self.top_down)

    def where(self, state: Any, move: Any) -> Places:
        return (self.point_of(move.cell),)
