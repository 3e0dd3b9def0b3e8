"""Domineering (G. Andersson): dominoes on a board, upright for v, who begins, lying for h.

Who has no room for another domino loses; under misere rules, wins. The covered cells are the
bits of a word for each player, so that shifting the free ones onto themselves finds the room.

What solvers are told rests on `_simplify`, under both rules:

- Cells that no domino can cover any more make no difference.
- A strip of two or three cells on its own is one move for one player, whichever he makes. A move
  of v and one of h like that cancel: who would win without the pair answers the one with the
  other. He may be out of moves otherwise, and to move: under normal rules he has not won then.
  Under misere rules he makes his move of the pair, never has another, and the other player still
  has his own to make. So only their difference counts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.contract import UNSURE
from playout.contract.visible import Places
from playout.games.board_game import BoardGame
from playout.games.board_parts import (
    SMALL_SIDE,
    first_part,
    in_corner,
    insert_number,
    small_cells,
    small_parts,
)
from playout.games.board_symmetries import bit_symmetries, cell_symmetries, mark_cells, moved_bits
from playout.games.boards import cell_name, check_size, halfway, letters_of, word_of
from playout.games.domino_counts import (
    cells_around,
    dominoes_of,
    least_dominoes,
    more_than_seen,
    most_dominoes,
    single_strips,
)

_COLOURS = ("#4c78a8", "#d98841")


class Domineering(BoardGame):
    """Domineering.

    Parameters
    ----------
    width, height : int
        Columns and rows, from 1; at most 64 cells in all.
    misere : bool
        Whether the player who cannot move wins.
    """

    letters = "vh"
    shape_fields = ("width", "full", "not_left", "not_right", "moved", "turned")
    feature_fields = ("around", "at_edge")
    small_part_fields = ("window", "numbers", "row_starts", "unseen")
    fields = (*shape_fields, *feature_fields, *small_part_fields, "misere")
    symmetries = 4
    kinds = 64
    outcomes = (0.0, 1.0)

    def __init__(self, width: int = 8, height: int = 8, misere: bool = False) -> None:
        check_size("Domineering", width, height)
        self.width, self.height, self.misere = int(width), int(height), bool(misere)
        cells = self.width * self.height
        self.full = np.uint64((1 << cells) - 1)
        left = sum(1 << row * self.width for row in range(self.height))
        self.not_left = self.full & ~np.uint64(left)
        self.not_right = self.full & ~np.uint64(left << (self.width - 1))
        self.moved = cell_symmetries(self.width, self.height, turned=False)
        self.turned = bit_symmetries(self.moved)
        around = cells_around(self.width, self.height)
        # any cell stands for one off the board: that there is none is in `at_edge`, as bits
        self.around = np.maximum(around, 0).astype(np.uint8)
        self.at_edge = ((around < 0) << np.arange(6)).sum(axis=2).astype(np.uint8)
        upright, lying = self.width * (self.height - 1), (self.width - 1) * self.height
        self.codes = 2 * cells
        self.window = np.uint64(
            sum(1 << i for i in range(cells) if max(i % self.width, i // self.width) < SMALL_SIDE)
        )
        self.numbers = small_parts()
        self.unseen = more_than_seen()
        self.row_starts = np.arange(cells, dtype=np.uint8) // self.width * self.width
        self.packed = 2
        self.plane_shape = (2, self.height, self.width)  # what is covered, and all ones for h
        self.outputs = cells
        self.max_moves = max(1, upright, lying)
        self.max_length = max(1, cells // 2)
        # the last two are for solvers, what `_simplify` makes of the free cells
        self.state_type = record(covered=("u8", 2), player="i1", strips="i1", rest="u8")
        # the lower or left cell of the domino, and whether it lies
        self.move_type = record(cell="i1", lying="i1")

    def reset(self, state):
        state.player = 0
        self._simplify(state)

    def moves(self, state, moves):
        upright, lying = self._room(self.full & ~(state.covered[0] | state.covered[1]))
        room = upright if state.player == 0 else lying
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
        self._simplify(state)

    def reward(self, state, player):
        return 1.0 if (player != state.player) != self.misere else 0.0

    def planes(self, state, out):
        mark_cells(state.covered[0] | state.covered[1], out[0], self.width)
        out[1] = state.player

    def features(self, state, move):
        """Which of the six cells beside the domino are covered or off the board, as bits."""
        covered = state.covered[0] | state.covered[1]
        beside = self.around[move.lying, move.cell]
        found = np.uint64(self.at_edge[move.lying, move.cell])
        for i in range(6):
            found |= (covered >> np.uint64(beside[i]) & np.uint64(1)) << np.uint64(i)
        return np.int64(found)

    def key(self, state):
        """Who covered a cell makes no difference."""
        return mix((state.covered[0] | state.covered[1]) ^ mix(np.uint64(state.player)))

    # for solvers

    def _simplify(self, state):
        """Write the free cells that matter, and how many more single strips v has than h."""
        state.rest, state.strips = self._simplified(
            self.full & ~(state.covered[0] | state.covered[1])
        )

    def _simplified(self, free):
        upright, lying = self._room(free)
        width, one = np.uint64(self.width), np.uint64(1)
        for_v, for_h = upright | upright << width, lying | lying << one
        free = for_v | for_h
        strips_v = single_strips(free & ~for_h, free, width, self.full, self.full)
        strips_h = single_strips(free & ~for_v, free, one, self.not_left, self.not_right)
        more = count_bits(strips_v) - count_bits(strips_h)
        strips_v |= strips_v << width | strips_v << width + width
        strips_h |= strips_h << one | strips_h << one + one & self.not_left
        return free & ~(strips_v | strips_h), more

    def _room(self, free):
        """The lower or left cells of the upright and of the lying dominoes that have room."""
        upright = free & free >> np.uint64(self.width)
        return upright, free & free >> np.uint64(1) & self.not_right

    def _safe(self, free, upright, lying):
        """Of this room, what the other player cannot spoil."""
        width, one = np.uint64(self.width), np.uint64(1)
        only_v = free & ~(lying | lying << one)
        only_h = free & ~(upright | upright << width)
        return only_v & only_v >> width, only_h & only_h >> one & self.not_right

    def decided(self, state):
        """Who has enough moves that the other cannot spoil, for the most that the other needs."""
        if self.misere:
            return self._through_first(state, 0, 0)
        free, more, v_to_move = state.rest, np.int64(state.strips), state.player == 0
        upright, lying = self._room(free)
        safe_v, safe_h = self._safe(free, upright, lying)
        width, one = np.uint64(self.width), np.uint64(1)
        # Counting places shows soon where it is not so: a domino takes one or two.
        ahead = v_to_move - more
        if 2 * (count_bits(safe_v) - ahead) >= count_bits(lying) and (
            most_dominoes(safe_v, width) >= most_dominoes(lying, one) + ahead
        ):
            return 1.0
        ahead = more + (not v_to_move)
        if 2 * (count_bits(safe_h) - ahead) >= count_bits(upright) and (
            most_dominoes(safe_h, one) >= most_dominoes(upright, width) + ahead
        ):
            return 0.0
        return math.nan

    def _through_first(self, state, unseen_v, unseen_h):
        """Under misere rules: who can be through with few moves, while the other still must move.

        The other cannot make them more: a run of places that he breaks needs no more than before.
        What small parts have for each besides is given.
        """
        free, more, v_to_move = state.rest, np.int64(state.strips), state.player == 0
        upright, lying = self._room(free)
        safe_v, safe_h = self._safe(free, upright, lying)
        width, one = np.uint64(self.width), np.uint64(1)
        # Counting places shows soon where it is not so: a domino takes one to three.
        ahead = more + (not v_to_move) - unseen_v
        if 3 * (count_bits(safe_h) - ahead) >= count_bits(upright) and (
            least_dominoes(safe_h, one, self.not_left)
            >= least_dominoes(upright, width, self.full) + ahead
        ):
            return 1.0
        ahead = v_to_move - more - unseen_h
        if 3 * (count_bits(safe_v) - ahead) >= count_bits(lying) and (
            least_dominoes(safe_v, width, self.full)
            >= least_dominoes(lying, one, self.not_left) + ahead
        ):
            return 0.0
        return math.nan

    def decided_packed(self, state, words):
        """Under misere rules small parts have more than `decided` sees."""
        v, h = 0, 0
        if self.misere:
            numbers = words[1] >> np.uint64(8)
            while numbers:
                number = np.int64(numbers & np.uint64(4095))
                v += self.unseen[number, 0]
                h += self.unseen[number, 1]
                numbers >>= np.uint64(12)
        return self._through_first(state, v, h) if v | h else math.nan

    def left(self, state):
        """A domino takes two cells, and as a rule another is of no use then."""
        return count_bits(state.rest) // 3

    def needed(self, state, moves, n):
        """Of the player's single strips one, and only if he has more of them than the other."""
        free = state.rest
        singles = state.strips if state.player == 0 else -state.strips
        found = 0
        for i in range(n):
            cell = moves[i].cell
            if not free & bit(cell):
                if singles <= 0:
                    continue
                singles = 0
            moves[i].cell = moves[found].cell
            moves[found].cell = cell
            found += 1
        return found

    def lateness(self, state, move):
        """Under misere rules, first what leaves little room but own that nobody can spoil.

        The weights were found by trial, as those with which 6x6, 7x6 and 6x7 are solved soonest.
        """
        if not self.misere:
            return UNSURE
        lower = bit(move.cell)
        upper = lower << np.uint64(1 if move.lying else self.width)
        free, strips = self._simplified(state.rest & ~(lower | upper))
        more = strips + np.int64(state.strips)
        if not state.rest & lower:  # a single strip is used up
            more -= 1 if state.player == 0 else -1
        upright, lying = self._room(free)
        safe_v, safe_h = self._safe(free, upright, lying)
        width, one = np.uint64(self.width), np.uint64(1)
        contested = (upright | upright << width) & (lying | lying << one)
        v, h = count_bits(upright), count_bits(lying)
        sure_v, sure_h = count_bits(safe_v), count_bits(safe_h)
        if state.player == 0:
            room = 4 * h + v - 2 * sure_h - 5 * sure_v + 2 * more
        else:
            room = 4 * v + h - 2 * sure_v - 5 * sure_h - 2 * more
        return UNSURE + 1000 + room - 2 * count_bits(contested)

    def transform(self, state, symmetry, out):
        for player in range(2):
            out.covered[player] = moved_bits(self.turned, symmetry, state.covered[player])
        out.player = state.player
        out.rest = moved_bits(self.turned, symmetry, state.rest)
        out.strips = state.strips

    def pack(self, state, symmetry, spare, out):
        """The free cells that matter; what single strips come to, and who is to move."""
        out[0] = moved_bits(self.turned, symmetry, state.rest) if symmetry else state.rest
        out[1] = np.uint64(2 * (np.int64(state.strips) + 64) + np.int64(state.player))

    def pack_least(self, state, symmetries, spare, out, other):
        """Parts that lie or are mirrored otherwise are the same: small ones have numbers.

        There is room for four of these. The others together are moved to the corner.
        """
        rest, large, numbers = state.rest, np.uint64(0), np.uint64(0)
        while rest:
            part = first_part(rest, self.width, self.not_left, self.not_right)
            rest &= ~part
            corner = in_corner(part, self.width, self.row_starts)
            if numbers >> np.uint64(36) or corner & ~self.window:
                large |= part
            else:
                number = self.numbers[small_cells(corner, self.width)]
                numbers = insert_number(numbers, np.uint64(number))
        least = large
        if large:
            least = in_corner(large, self.width, self.row_starts)
            for symmetry in range(1, symmetries):
                cells = moved_bits(self.turned, symmetry, large)
                least = min(least, in_corner(cells, self.width, self.row_starts))
        self.pack(state, 0, spare, out)
        out[0] = least
        out[1] |= numbers << np.uint64(8)
        return 0

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

    def where(self, state: Any, move: Any) -> Places:
        """The middle of the domino."""
        other = move.cell + (1 if move.lying else self.width)
        return (halfway(self.point_of(move.cell), self.point_of(other)),)

    def cell_letters(self, state: Any) -> list[str]:
        return letters_of(state.covered, self.letters, self.width * self.height)

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        states = self.new_states(1)
        for number, letter in enumerate(self.letters):
            states[0].covered[number] = word_of(cells, letter)
            if self._dominoes(cells, number) is None:
                which = "lying" if number else "upright"
                self.refuse(text, f"the cells of {letter} are not {which} dominoes")
        v, h = (cells.count(letter) // 2 for letter in self.letters)
        if v - h != player:
            said = f"{v} upright and {h} lying with {self.letters[player]} to move"
            self.refuse(text, f"{said}, but they move in turn and v begins")
        states[0].player = player
        self._simplify(states[0])
        return states

    def svg(self, state: Any) -> str:
        cells, shapes = self.cell_letters(state), []
        for player in range(2):
            for cell in self._dominoes(cells, player) or ():
                x, y = cell % self.width, self.height - 1 - cell // self.width
                wide, tall = (1.84, 0.84) if player else (0.84, 1.84)
                shapes.append(
                    f'<rect x="{x + 0.08:g}" y="{y + 0.08 - (0 if player else 1):g}" rx=".12" '
                    f'width="{wide}" height="{tall}" fill="{_COLOURS[player]}"/>'
                )
        return self.svg_with(state, "".join(shapes))

    def _dominoes(self, cells: list[str], player: int) -> list[int] | None:
        """The lower or left cells of a player's dominoes; None if his cells are no dominoes."""
        covered = {i for i, letter in enumerate(cells) if letter == self.letters[player]}
        return dominoes_of(covered, self.width, player)
