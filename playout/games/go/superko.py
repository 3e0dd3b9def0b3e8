"""What Go's positions remember: all boards since the start, for positional superko.

Boards are kept as Zobrist hashes. A stone can only bring back an earlier board if one of its colour
was taken on its point before, so that few moves have to be compared with them, and a bit for each
hash (`sieve`) answers most of these at once. Solvers ask what of the past a result depends on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.games.go.stone_game import StoneGame


class Superko(StoneGame):
    """Stones on a board that may not be as it was before.

    `log` has each move's point, followed by -1 - point for each stone that it took. Whoever plays
    writes it, counts moves in `count` and says which board they made (`_remember`).
    """

    fields = (*StoneGame.fields, "shift", "orbit_keys")

    def prepare_past(self, length: int) -> None:
        """Set what the compiled code needs for games of so many moves."""
        orbits = self.moved[:, :-1].min(axis=0)  # the same for points that symmetries exchange
        with wrapping():
            self.orbit_keys = np.array([mix(self.zobrist[i, orbits]) for i in range(2)])
        bits = max(6, (8 * length).bit_length())  # of the sieve
        self.shift = np.uint64(64 - bits)

    def past_fields(self, length: int) -> dict[str, Any]:
        """The fields of a state for the boards of the past, which are large."""
        return {
            "seen": ("u8", length + 1),  # the hash of the board before each move, and now
            "sieve": ("u8", (1 << (64 - int(self.shift))) // 64),
            "taken": ("u8", (2, self.words)),  # where a player has lost stones
        }

    def log_fields(self, length: int) -> dict[str, Any]:
        """The fields of a state for the log, which are small."""
        return {
            "logged": "i2",
            "log": ("i1" if self.points < 127 else "i2", 2 * length + self.points),
        }

    def _remember(self, state, board, count):
        """Add a board, that after so many moves, to those that must not come back."""
        state.seen[count] = board
        slot = board >> self.shift
        state.sieve[np.int64(slot) >> 6] |= bit(slot & np.uint64(63))

    def _repeats(self, state, point, player):
        """Whether a stone on an empty point would bring back an earlier board."""
        return self._repeated(state, point, player) >= 0

    def _repeated(self, state, point, player):
        """After how many moves the board was last as a stone would make it; -1 if it never was."""
        after = state.board ^ self.zobrist[player, point]
        enemy = 1 - player
        for i in range(4):
            side = np.int64(self.around[point, i])
            chain = np.int64(state.head[side])
            if state.stone[side] != enemy + 1 or self._liberties(state, chain) > 1:
                continue
            known = False
            for j in range(i):
                known |= chain == state.head[self.around[point, j]]
            if not known:
                for at in range(self.points):
                    if state.head[at] == chain:
                        after ^= self.zobrist[enemy, at]
        slot = after >> self.shift
        if state.sieve[np.int64(slot) >> 6] & bit(slot & np.uint64(63)):
            for i in range(state.count, -1, -1):
                if state.seen[i] == after:
                    return i
        return -1

    def _forget_past(self, state):
        """Blank the past; the state is not to be played on."""
        for i in range(len(state.seen)):
            state.seen[i] = 0
        for i in range(len(state.sieve)):
            state.sieve[i] = 0
        for i in range(len(state.log)):
            state.log[i] = 0
        for player in range(2):
            for word in range(len(state.empty)):
                state.taken[player, word] = 0
        state.logged = 0

    def _transform_past(self, state, moved, out):
        """Turn the boards of the past, back from the one that `out` has."""
        out.logged = state.logged
        for i in range(len(out.sieve)):
            out.sieve[i] = 0
        board, count, player = out.board, np.int64(state.count), 1 - np.int64(state.player)
        self._remember(out, board, count)
        for i in range(np.int64(state.logged) - 1, -1, -1):
            entry = np.int64(state.log[i])
            if entry < 0:
                there = np.int64(moved[-1 - entry])
                out.log[i] = -1 - there
                board ^= self.zobrist[1 - player, there]
                continue
            out.log[i] = moved[entry]
            if entry < self.points:
                board ^= self.zobrist[player, moved[entry]]
            count -= 1
            player = 1 - player
            self._remember(out, board, count)

    # for solvers

    def remembers(self):
        return True

    def moment(self, state):
        return state.count

    def forbidden_by(self, state):
        """Of each move that would bring a board back its last time, the earliest of these."""
        player = np.int64(state.player)
        earliest = 1 << 40
        for word in range(len(state.empty)):
            points = self._allowed(state, word) & state.taken[player, word]
            while points:
                number = self._repeated(state, word * 64 + lowest_bit(points), player)
                points = without_lowest(points)
                if number >= 0:
                    earliest = min(earliest, number)
        return earliest

    def may_return(self, state, move):
        point = np.int64(move.point)
        if point == self.points:
            return False
        return (state.taken[np.int64(state.player), point >> 6] & bit(point & 63)) != 0

    def mark(self, state):
        return self._mark_of(self._sum(state))

    def past_marks(self, state):
        total = self._sum(state)
        marks = self._mark_of(total)
        player = 1 - np.int64(state.player)
        for i in range(np.int64(state.logged) - 1, -1, -1):
            entry = np.int64(state.log[i])
            if entry < 0:
                total += self.orbit_keys[1 - player, -1 - entry]
                continue
            if entry < self.points:
                total -= self.orbit_keys[player, entry]
            player = 1 - player
            marks |= self._mark_of(total)
        return marks

    def _sum(self, state):
        """A hash of the stones that symmetries do not change."""
        total = np.uint64(0)
        for point in range(self.points):
            stone = np.int64(state.stone[point])
            if stone:
                total += self.orbit_keys[stone - 1, point]
        return total

    def _mark_of(self, total):
        return np.uint64(1) << (mix(total) >> np.uint64(58))
