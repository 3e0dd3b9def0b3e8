"""NoGo, also Anti-Atari Go: stones that must leave every chain a liberty; black begins.

A move that takes stones and a suicide are both forbidden, so no stone ever leaves the board. Who
cannot move loses. There are no passes. C.-W. Chou, O. Teytaud and S.-J. Yen, Revisiting Monte-Carlo
Tree Search on a Normal Form Game: NoGo, EvoApplications 2011.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.contract import UNSURE
from playout.games.go.chains import EMPTY
from playout.games.go.stone_game import StonesOnly


class NoGo(StonesOnly):
    """NoGo.

    Parameters
    ----------
    width, height : int
        Columns and rows, from 1 to 19.
    """

    def moves(self, state, moves):
        return self._list_allowed(state, moves)

    def play(self, state, move):
        point = np.int64(move.point)
        player = np.int64(state.player)
        chain = self._join(state, point, player)
        self._settle(state, point, player, chain)
        state.player = 1 - state.player

    def _allowed(self, state, word):
        """The points of a word where a stone has a liberty and takes nothing."""
        return self._allowed_to(state, word, np.int64(state.player))

    def _allowed_to(self, state, word, player):
        may = self._open(state, word) | state.safe[player, word]
        return may & ~state.last[1 - player, word] & state.empty[word]

    def lateness(self, state, move):
        """The moves that the other would have, less one's own; on boards of up to 64 points."""
        if len(state.empty) > 1:
            return UNSURE
        point, player = np.int64(move.point), np.int64(state.player)
        other, mask, one = 1 - player, bit(point), np.uint64(1)
        empty = state.empty[0] & ~mask
        free = empty >> one & self.not_right[0] | empty << one & self.not_left[0]
        free |= empty >> self.row | empty << self.row
        chain, their_last = self.beside[point, 0] & empty, state.last[other, 0]
        for i in range(4):
            side = np.int64(self.around[point, i])
            liberties = state.free[np.int64(state.head[side]), 0] & ~mask
            if state.stone[side] == player + 1:
                chain |= liberties
            elif count_bits(liberties) == 1:
                their_last |= liberties
        safe, last = state.safe[player, 0], state.last[player, 0]
        if count_bits(chain) > 1:
            safe |= chain
        else:
            last |= chain
        mine = (free | safe) & ~their_last & empty
        theirs = (free | state.safe[other, 0]) & ~last & empty
        return UNSURE + self.points + count_bits(theirs) - count_bits(mine)

    def decided(self, state):
        """Who has more sure moves than the other has moves at all wins.

        What is forbidden stays so: a chain whose only liberty is a point can gain no other. So
        a player will never have more moves than points that he may play on now.
        """
        player = np.int64(state.player)
        own, others, both = 0, 0, 0
        for word in range(len(state.empty)):
            mine = self._allowed_to(state, word, player)
            theirs = self._allowed_to(state, word, 1 - player)
            own += count_bits(mine)
            others += count_bits(theirs)
            both += count_bits(mine & theirs)
        if own == 0:
            return 0.0 + player
        if others == 0 or (others == 1 and both == 1):  # he takes the last one
            return 1.0 - player
        if self._sure_moves(state, player) > others:
            return 1.0 - player
        if self._sure_moves(state, 1 - player) >= own:
            return 0.0 + player
        return math.nan

    def _sure_moves(self, state, player):
        """How many moves nobody can take from a player: of the eyes of a chain all but one.

        An eye is an empty point with nothing but own stones around. The other player may never
        play there, so that the one that is left is a liberty for all that are filled.
        """
        eyes, chains = 0, 0
        for word in range(len(state.empty)):
            other = 1 - player
            here = state.empty[word] & (state.safe[player, word] | state.last[player, word])
            here &= ~(self._open(state, word) | state.safe[other, word] | state.last[other, word])
            seen = np.uint64(0)
            while here:
                point = word * 64 + lowest_bit(here)
                here = without_lowest(here)
                eyes += 1
                chain = self.points
                for i in range(4):
                    side = np.int64(self.around[point, i])
                    chain = min(chain, np.int64(state.head[side]))
                # a chain in another word counts again: that makes less of it, not more
                mark = bit(chain & 63)
                if len(state.empty) > 1 or not seen & mark:
                    chains += 1
                seen |= mark
        return eyes - chains

    # what a person sees, in plain Python

    def why_not(self, state: Any, point: int) -> str:
        for side in map(int, self.around[point, :4]):
            if state.stone[point] == EMPTY and state.stone[side] == 2 - state.player:
                if self._liberties(state, state.head[side]) == 1:
                    return "it would take stones"
        return super().why_not(state, point)

    def read_position(self, text: str) -> np.ndarray:
        states = self.read_board(text)
        self.check_turns(text, self.cell_letters(states[0]), states[0].player)
        for head in self.breathless(states[0]):
            self.refuse_breathless(text, states[0], head)
        return states
