"""Atarigo, also Capture Go: who first takes stones wins; black begins.

A chain without liberties is taken, which ends the game; so the stones stay on the board, and a
finished position shows what was taken. Suicide is forbidden and there are no passes: who has no
legal move loses. See section 3.2 of T. Cazenave, Monte Carlo Game Solver, MCS 2020.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled.bits import bit, count_bits, lowest_bit
from playout.contract import UNSURE
from playout.games.go.chains import EMPTY
from playout.games.go.goban import LETTERS, NAMES
from playout.games.go.stone_game import StonesOnly

TAKES, ESCAPES = 8.0, 6.0  # log-weights above those of all other moves


class Atarigo(StonesOnly):
    """Atarigo.

    Parameters
    ----------
    width, height : int
        Columns and rows, from 1 to 19.
    """

    more_fields = {"won": "i1"}

    def moves(self, state, moves):
        return 0 if state.won else self._list_allowed(state, moves)

    def play(self, state, move):
        point, player = np.int64(move.point), np.int64(state.player)
        chain = self._join(state, point, player)
        state.won = self._settle(state, point, player, chain)
        state.player = 1 - state.player

    def bias(self, state, move):
        """The order of moves of Algorithm 4 in the paper, as log-weights: a quarter of it."""
        late = self.lateness(state, move)
        if late >= UNSURE:
            return 0.25 * (UNSURE - late)
        return -0.25 * late

    def lateness(self, state, move):
        """Algorithm 4 in the paper.

        First what takes stones, then what saves an own chain in atari. Then moves beside enemies,
        n - 4 e: better the more empty points e are beside the move and the fewer liberties n the
        enemy has. Last the others, by e.
        """
        point = np.int64(move.point)
        own = state.player + 1
        empty, fewest, saves = 0, 361, False
        for i in range(4):
            side = np.int64(self.around[point, i])
            stone = np.int64(state.stone[side])
            liberties = self._liberties(state, np.int64(state.head[side]))
            if stone == own:
                saves |= liberties == 1
            elif stone != EMPTY:
                if liberties == 1:
                    return -4.0 * TAKES
                fewest = min(fewest, liberties)
            elif side < self.points:
                empty += 1
        if saves and self._liberties_after(state, point) > 1:
            return -4.0 * ESCAPES
        if fewest < 361:
            return fewest - 4.0 * empty
        return UNSURE + 20.0 - empty

    def decided(self, state):
        """Who can take wins; who has chains in atari and cannot save them all with a move loses."""
        if state.won:
            return math.nan
        player = np.int64(state.player)
        own, point = 0, 0
        for word in range(len(state.empty)):
            if state.last[1 - player, word]:
                return 1.0 - player
            own += count_bits(state.last[player, word])
            if state.last[player, word]:
                point = word * 64 + lowest_bit(state.last[player, word])
        if own > 1 or (own == 1 and self._liberties_after(state, point) < 2):
            return 0.0 + player
        return math.nan

    def needed(self, state, moves, n):
        """Who has a chain in atari must save it: by a stone on its only liberty."""
        player = np.int64(state.player)
        for i in range(n):
            point = np.int64(moves[i].point)
            if state.last[player, point >> 6] & bit(point & 63):
                moves[i].point = moves[0].point
                moves[0].point = point
                return 1
        return n

    def _liberties_after(self, state, point):
        """How many liberties the chain of an own stone on an empty point would have."""
        found = 0
        for word in range(len(state.empty)):
            free = self.beside[point, word] & state.empty[word]
            for i in range(4):
                side = np.int64(self.around[point, i])
                if state.stone[side] == state.player + 1:
                    free |= state.free[np.int64(state.head[side]), word]
            if word == point >> 6:
                free &= ~(np.uint64(1) << np.uint64(point & 63))
            found += count_bits(free)
        return found

    def transform(self, state, symmetry, out):
        self._transform_board(state, symmetry, out)
        out.won = state.won

    # what a person sees, in plain Python

    def read_position(self, text: str) -> np.ndarray:
        states = self.read_board(text)
        state = states[0]
        self.check_turns(text, self.cell_letters(state), state.player)
        taken = self.breathless(state)
        # the stone that takes needs no liberty itself
        if taken and not any(state.stone[head] == state.player + 1 for head in taken):
            self.refuse_breathless(text, state, taken[0])
        if taken and not self._one_stone_took(state):
            self.refuse(text, f"{NAMES[1 - state.player]} had taken stones before the last move")
        state.won = bool(taken)
        return states

    def _one_stone_took(self, state: Any) -> bool:
        """Whether every chain has a liberty without one of the last player's stones."""
        letter, cells = LETTERS[1 - state.player], self.cell_letters(state)
        for point, found in enumerate(cells):
            if found == letter:
                before = self.board_of([*cells[:point], ".", *cells[point + 1 :]], state.player)
                if not self.breathless(before[0]):
                    return True
        return False
