"""What Go, Atarigo and NoGo have in common for people: names of moves, positions, pictures.

A position in one line is as in `boards`, with b and w for the stones: `.b./.bw/... w`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from playout.compiled import record
from playout.contract.visible import Places
from playout.errors import DataError
from playout.games.boards import check_size
from playout.games.go.chains import Chains
from playout.games.go.goban import (
    LARGEST_SIZE,
    LETTERS,
    NAMES,
    crossing,
    draw_svg,
    draw_text,
    point_name,
)


class StoneGame(Chains):
    """A board of stones with its notation; a subclass has the rules."""

    def __init__(self, width: int, height: int) -> None:
        sides = (1, LARGEST_SIZE)
        check_size(type(self).__name__, width, height, sides, sides, LARGEST_SIZE * LARGEST_SIZE)
        super().__init__(int(width), int(height))
        self.names = [point_name(point, self.width) for point in range(self.points)] + ["pass"]

    def move_text(self, state: Any, move: Any) -> str:
        return self.names[move.point]

    def parse_move(self, state: Any, text: str) -> Any:
        try:
            return super().parse_move(state, text)
        except DataError as error:
            said, word = str(error), "".join(text.split()).upper()
            if word not in self.names[: self.points] or "is not a legal move here" not in said:
                raise
            reason = self.why_not(state, self.names.index(word))
            raise DataError(said.replace("here;", f"here: {reason};", 1)) from None

    def why_not(self, state: Any, point: int) -> str:
        """Why a point that is not legal is not."""
        return "it is taken" if state.stone[point] else "the stone would have no liberty"

    def read_board(self, text: str) -> np.ndarray:
        """The stones and the player of a position's line; chains may have no liberty."""
        return self.board_of(*self.read_cells(text))

    def board_of(self, cells: Sequence[str], player: int) -> np.ndarray:
        """A state with these stones and this player to move, as an array of one."""
        states = self.blank.copy()
        state = states[0]
        for point, letter in enumerate(cells):
            if letter != ".":
                self._join(state, point, LETTERS.index(letter))
        for point, letter in enumerate(cells):
            if letter == ".":
                for colour in range(2):
                    self._look_again(state, point, colour)
        state.player = player
        return states

    def breathless(self, state: Any) -> list[int]:
        """The heads of the chains that have no liberty."""
        heads = [i for i in range(self.points) if state.stone[i] and state.head[i] == i]
        return [head for head in heads if self._liberties(state, head) == 0]

    def refuse_breathless(self, text: str, state: Any, head: int) -> NoReturn:
        """Refuse a position because of a chain without liberties."""
        which = f"{NAMES[state.stone[head] - 1]} chain at {self.names[head]}"
        self.refuse(text, f"the {which} has no liberty")

    def cell_letters(self, state: Any) -> list[str]:
        return [("." + LETTERS)[stone] for stone in state.stone[: self.points]]

    def player_name(self, player: int) -> str:
        return NAMES[player]

    def render(self, state: Any) -> str:
        return draw_text(self.cell_letters(state), self.width, self.status(state))

    def where(self, state: Any, move: Any) -> Places:
        if int(move.point) >= self.points:
            return ()  # a pass
        return (crossing(move.point, self.width, self.height),)

    def svg(self, state: Any) -> str:
        return draw_svg(self.cell_letters(state), self.width, self.status(state))


class StonesOnly(StoneGame):
    """A game without passes, in which every move is a stone; who moved last wins."""

    outcomes = (0.0, 1.0)
    more_fields: Mapping[str, str] = {}  # of the state, besides those of the board

    def __init__(self, width: int = 9, height: int = 9) -> None:
        super().__init__(width, height)
        self.max_moves = self.max_length = self.points
        self.state_type = record(**self.board_fields(), **self.more_fields)
        self.move_type = record(point="i2")
        self.begin()
