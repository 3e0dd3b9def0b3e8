"""NoGo, also Anti-Atari Go: stones that must leave every chain a liberty; black begins.

A move that takes stones and a suicide are both forbidden, so no stone ever leaves the board. Who
cannot move loses. There are no passes. C.-W. Chou, O. Teytaud and S.-J. Yen, Revisiting Monte-Carlo
Tree Search on a Normal Form Game: NoGo, EvoApplications 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import record
from playout.games.chains import EMPTY
from playout.games.stones import Stones


class NoGo(Stones):
    """NoGo.

    Parameters
    ----------
    width : int
        Columns, from 1 to 19.
    height : int
        Rows, from 1 to 19.
    """

    outcomes = (0.0, 1.0)

    def __init__(self, width: int = 9, height: int = 9) -> None:
        super().__init__(width, height)
        self.max_moves = self.max_length = self.points
        self.state_type = record(**self.board_fields())
        self.move_type = record(point="i2")
        self.begin()

    def moves(self, state, moves):
        return self._list_allowed(state, moves)

    def play(self, state, move):
        point = np.int64(move.point)
        player = np.int64(state.player)
        chain = self._join(state, point, player)
        self._settle(state, point, player, chain)
        state.player = 1 - state.player

    def reward(self, state, player):
        return 1.0 if player != state.player else 0.0

    def _allowed(self, state, word):
        """The points of a word where a stone has a liberty and takes nothing."""
        player = state.player
        may = self._open(state, word) | state.safe[player, word]
        return may & ~state.last[1 - player, word] & state.empty[word]

    # what a person sees, in plain Python

    def why_not(self, state: Any, point: int) -> str:
        for side in map(int, self.around[point, :4]):
            if state.stone[point] == EMPTY and state.stone[side] == 2 - state.player:
                if self._liberties(state, state.head[side]) == 1:
                    return "it would take stones"
        return super().why_not(state, point)

    def read_position(self, text: str) -> np.ndarray:
        states = self.read_board(text)
        self.check_turns(text, states[0])
        for head in self.breathless(states[0]):
            self.refuse_breathless(text, states[0], head)
        return states
