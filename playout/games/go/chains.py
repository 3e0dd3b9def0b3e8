"""Chains of stones and their liberties: the board of Go, Atarigo and NoGo, compiled.

Stones of one colour that are next to each other are a chain; the empty points next to a chain are
its liberties. The state keeps them up to date move by move. A chain is known by its lowest point,
its head: `head` has it for each stone, and `free[head]` has a bit for each liberty. What is no
stone, the edge included, has a head beyond the board whose chain has no liberty, which saves
asking. For each player, `safe` are the liberties of the chains that have two or more, and `last`
the only liberties of the others, which are in atari: with the empty points beside empty ones they
tell where a stone may be put. All this depends on the stones alone, not on the order of the moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import copy_record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.games.board_game import BoardGame
from playout.games.board_symmetries import bit_symmetries, cell_symmetries, moved_bits
from playout.games.go.goban import LETTERS

EMPTY = 0  # the edge too; 1 and 2 are the players' stones

_AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


class Chains(BoardGame):
    """Players who put stones on a board in turn; a subclass says where, and how it ends.

    A subclass makes `state_type` of `board_fields()` and what else it needs, then calls `begin`.
    A move is a `point`; the number of points stands for a pass, where there are passes.
    """

    letters = LETTERS
    shape_fields = ("points", "row", "around", "beside", "not_left", "not_right", "all_points")
    symmetry_fields = ("moved", "source", "turned")
    fields: tuple[str, ...] = (*shape_fields, *symmetry_fields, "zobrist", "blank")
    kinds = 1024

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = int(width), int(height)
        self.points = self.width * self.height
        self.codes = 2 * (self.points + 1)
        self.plane_shape = (2, self.height, self.width)  # the mover's stones and the other's
        self.outputs = self.points + 1
        self.around = _points_around(self.width, self.height)
        self.words = (self.points + 63) // 64
        self.beside = np.zeros((self.points, self.words), np.uint64)  # the first four as bits
        for point in range(self.points):
            for side in self.around[point, :4]:
                if side < self.points:
                    self.beside[point, side >> 6] |= bit(side & 63)
        symmetries = cell_symmetries(self.width, self.height)
        self.symmetries = len(symmetries)
        passes = np.full((self.symmetries, 1), self.points)
        self.moved = np.hstack([symmetries, passes]).astype(np.int16)
        self.source = np.argsort(self.moved, axis=1).astype(np.int16)  # which point came there
        # of at most 64 points, the way of their bits
        self.turned = bit_symmetries(symmetries if self.words == 1 else symmetries[:, :0])
        self.all_points = np.zeros(self.words, np.uint64)
        for point in range(self.points):
            self.all_points[point >> 6] |= bit(point & 63)
        self.packed = self._set_words()
        self.row = np.uint64(self.width)
        self.not_left, self.not_right = (~np.zeros(self.words, np.uint64) for _ in range(2))
        for left in range(0, self.points, self.width):
            right = left + self.width - 1
            self.not_left[left >> 6] &= ~bit(left & 63)
            self.not_right[right >> 6] &= ~bit(right & 63)
        numbers = np.arange(1, 2 * self.points + 1, dtype=np.uint64)
        self.zobrist = mix(numbers * np.uint64(0x9E3779B97F4A7C15)).reshape(2, self.points)

    def board_fields(self) -> dict[str, Any]:
        """The fields of the state that have to do with the stones."""
        small = "u1" if self.points < 256 else "u2"
        return {
            "board": "u8",  # the Zobrist hash of the stones
            "empty": ("u8", self.words),
            "black": ("u8", self.words),
            "safe": ("u8", (2, self.words)),
            "last": ("u8", (2, self.words)),
            "free": ("u8", (self.points + 1, self.words)),
            "head": (small, self.points + 1),
            "stone": ("u1", self.points + 1),
            "player": "i1",
        }

    def begin(self) -> None:
        """Make `blank`, the start, which `reset` copies."""
        self.blank = self.new_states(1)
        state = self.blank[0]
        state.head[:] = self.points
        state.empty[:] = self.all_points

    def reset(self, state):
        copy_record(self.blank[0], state)

    def code(self, state, move):
        return np.int64(move.point) * 2 + state.player

    def features(self, state, move):
        """What lies beside the point, two bits for each side, and whether there is an atari.

        For the right, upper, left and lower side: 0 for an empty point, 1 for an own stone, 2
        for an enemy's, 3 for the edge. Then a bit, 256, if the move takes stones, and one, 512, if
        an own chain beside it has one liberty only. 0 for a pass.
        """
        point = np.int64(move.point)
        if point == self.points:
            return 0
        own = state.player + 1
        found = 0
        for i in range(4):
            side = np.int64(self.around[point, i])
            stone = np.int64(state.stone[side])
            atari = self._liberties(state, np.int64(state.head[side])) == 1
            if side == self.points:
                found |= 3 << 2 * i
            elif stone == own:
                found |= 1 << 2 * i | atari << 9
            elif stone != EMPTY:
                found |= 2 << 2 * i | atari << 8
        return found

    def key(self, state):
        return mix(state.board ^ np.uint64(state.player))

    def planes(self, state, out):
        self._stone_planes(state, out)

    def _stone_planes(self, state, out):
        width = np.int64(self.row)
        for point in range(self.points):
            stone = np.int64(state.stone[point])
            if stone != EMPTY:
                plane = 0 if stone - 1 == state.player else 1
                out[plane, point // width, point % width] = 1.0

    def output(self, state, move):
        return np.int64(move.point)

    # chains

    def _liberties(self, state, head):
        """How many liberties the chain of a head has; 0 for the head of what is no stone."""
        free = state.free
        found = 0
        for word in range(free.shape[1]):
            found += count_bits(free[head, word])
        return found

    def _liberty(self, state, head):
        """The first liberty of a chain, which must have one."""
        free = state.free
        word = 0
        while not free[head, word]:
            word += 1
        return word * 64 + lowest_bit(free[head, word])

    def _open(self, state, word):
        """The points of a word that have an empty point beside them, or are no points."""
        empty = state.empty
        one, width, most = np.uint64(1), self.row, np.uint64(64)
        here = empty[word]
        right, above, left, below = here >> one, here >> width, here << one, here << width
        if word + 1 < len(empty):
            right |= empty[word + 1] << (most - one)
            above |= empty[word + 1] << (most - width)
        if word > 0:
            left |= empty[word - 1] >> (most - one)
            below |= empty[word - 1] >> (most - width)
        return right & self.not_right[word] | left & self.not_left[word] | above | below

    def _allowed(self, state, word):
        """The points of a word where the player may put a stone, but for repetitions.

        A stone needs a liberty: an empty point beside it, an own chain with another liberty, or
        enemies that it takes.
        """
        player = state.player
        may = self._open(state, word) | state.safe[player, word] | state.last[1 - player, word]
        return may & state.empty[word]

    def _list_allowed(self, state, moves):
        """Fill `moves` with the allowed points; how many they are."""
        n = 0
        for word in range(len(state.empty)):
            points = self._allowed(state, word)
            while points:
                moves[n].point = word * 64 + lowest_bit(points)
                points = without_lowest(points)
                n += 1
        return n

    def _join(self, state, point, player):
        """Put a stone on an empty point and join the chains beside it; the head of the new one.

        The other player's chains beside it lose a liberty, and may have none left.
        """
        stone, head, free = state.stone, state.head, state.free
        own = player + 1
        stone[point] = own
        state.board ^= self.zobrist[player, point]
        here, mask = point >> 6, bit(point & 63)
        state.empty[here] ^= mask
        if player == 0:
            state.black[here] |= mask
        for i in range(2):
            state.safe[i, here] &= ~mask
            state.last[i, here] &= ~mask
        chain = point
        for i in range(4):
            side = np.int64(self.around[point, i])
            other = np.int64(head[side])
            free[other, here] &= ~mask
            if stone[side] == own:
                chain = min(chain, other)
        head[point] = chain
        for i in range(4):
            side = np.int64(self.around[point, i])
            if stone[side] == own and head[side] != chain:
                self._merge(state, chain, head[side])
        for word in range(free.shape[1]):
            free[chain, word] |= self.beside[point, word] & state.empty[word]
        return chain

    def _merge(self, state, chain, other):
        """Make another chain part of a chain."""
        head, free = state.head, state.free
        for point in range(self.points):
            head[point] = chain if head[point] == other else head[point]
        for word in range(free.shape[1]):
            free[chain, word] |= free[other, word]
            free[other, word] = 0

    def _settle(self, state, point, player, chain):
        """Bring `safe` and `last` up to date after a stone, whose chain this is.

        Returns whether an enemy chain beside it has no liberty left.
        """
        free = state.free
        liberties = self._liberties(state, chain)
        if liberties > 1:
            for word in range(free.shape[1]):
                state.safe[player, word] |= free[chain, word]
        elif liberties == 1:
            self._look_again(state, self._liberty(state, chain), player)
        takes = False
        for i in range(4):
            side = np.int64(self.around[point, i])
            other = np.int64(state.head[side])
            liberties = self._liberties(state, other)
            takes |= (liberties == 0) & (state.stone[side] == 2 - player)
            if liberties == 1:
                self._look_again(state, self._liberty(state, other), 1 - player)
        return takes

    def _look_again(self, state, point, player):
        """Find out anew whether an empty point is `safe` and `last` for a player's chains."""
        safe, last = 0, 0
        for i in range(4):
            side = np.int64(self.around[point, i])
            if state.stone[side] == player + 1:
                if self._liberties(state, np.int64(state.head[side])) == 1:
                    last = 1
                else:
                    safe = 1
        word, shift = point >> 6, np.uint64(point & 63)
        others = ~(np.uint64(1) << shift)
        state.safe[player, word] = state.safe[player, word] & others | np.uint64(safe) << shift
        state.last[player, word] = state.last[player, word] & others | np.uint64(last) << shift

    # symmetries

    def transform(self, state, symmetry, out):
        self._transform_board(state, symmetry, out)

    def _transform_board(self, state, symmetry, out):
        copy_record(self.blank[0], out)
        moved, source = self.moved[symmetry], self.source[symmetry]
        for point in range(self.points):
            stone = state.stone[source[point]]
            if stone:
                out.stone[point] = stone
                out.board ^= self.zobrist[stone - 1, point]
                head = state.head[source[point]]
                old = moved[head]
                if out.head[old] == self.points:  # the first point of its chain is the lowest
                    out.head[old] = point
                    self._transform_bits(state.free[head], moved, out.free[point])
                out.head[point] = out.head[old]
        self._transform_bits(state.empty, moved, out.empty)
        self._transform_bits(state.black, moved, out.black)
        for player in range(2):
            self._transform_bits(state.safe[player], moved, out.safe[player])
            self._transform_bits(state.last[player], moved, out.last[player])
        out.player = state.player

    def _transform_bits(self, bits, moved, out):
        for word in range(len(out)):
            out[word] = 0
        for word in range(len(bits)):
            rest = bits[word]
            while rest:
                there = np.int64(moved[word * 64 + lowest_bit(rest)])
                out[there >> 6] |= bit(there & 63)
                rest = without_lowest(rest)

    def _set_words(self):
        """How many words two sets of points take."""
        return 1 if self.points <= 32 else 2 * len(self.all_points)

    def pack(self, state, symmetry, spare, out):
        """The stones: their number tells who is to move."""
        self._pack_stones(state, symmetry, out)

    def _pack_stones(self, state, symmetry, out):
        black = state.black
        for word in range(len(black)):
            white = self.all_points[word] ^ state.empty[word] ^ black[word]
            self._pack_sets(black[word], white, word, symmetry, out, 0)

    def _pack_sets(self, one, other, word, symmetry, out, first):
        """Write a word of two sets of points, as a symmetry shows it, from `out[first]` on.

        One set has the lower half of a word, or the first words, and the other what follows.
        """
        words = len(self.all_points)
        if words == 1:
            if symmetry:
                one = moved_bits(self.turned, symmetry, one)
                other = moved_bits(self.turned, symmetry, other)
            if self.points <= 32:
                out[first] = one | other << np.uint64(32)
            else:
                out[first] = one
                out[first + 1] = other
            return
        if word == 0:
            for i in range(first, first + 2 * words):
                out[i] = 0
        self._pack_points(one, word, symmetry, out[first : first + words])
        self._pack_points(other, word, symmetry, out[first + words : first + 2 * words])

    def _pack_points(self, bits, word, symmetry, out):
        while bits:
            there = np.int64(self.moved[symmetry, word * 64 + lowest_bit(bits)])
            out[there >> 6] |= bit(there & 63)
            bits = without_lowest(bits)

    def transform_move(self, move, symmetry, out):
        out.point = self.moved[symmetry, move.point]


def _points_around(width: int, height: int) -> np.ndarray:
    """The points right, above, left and below of each, then those diagonally, or the edge."""
    table = np.full((width * height, len(_AROUND)), width * height, np.uint16)
    for point in range(width * height):
        row, column = divmod(point, width)
        for i, (x, y) in enumerate(_AROUND):
            if 0 <= column + x < width and 0 <= row + y < height:
                table[point, i] = (row + y) * width + column + x
    return table
