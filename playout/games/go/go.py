"""Go by area scoring with positional superko; black begins.

A chain without liberties is taken off the board. Suicide is forbidden, and so is a move after which
the board is as it was at any time before (positional superko). A player may always pass; two
passes in a row end the game. Then a player's area is his stones and the empty regions that
only his stones surround, and black wins if his is larger by more than the komi; by exactly the
komi it is a draw (J. Tromp and W. Taylor's rules, but for suicide).

See `superko` for what the state remembers, and `position_lines` for positions in one line.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.errors import OptionError
from playout.games.go.chains import EMPTY
from playout.games.go.goban import NAMES
from playout.games.go.position_lines import position_with_past, read_with_past
from playout.games.go.superko import Superko

SCORED, CUT = 1, 2  # how a game ended: by two passes or by the limit
_LONGEST = 10_000


class Go(Superko):
    """Go.

    Parameters
    ----------
    width, height : int
        Columns and rows, from 1 to 19.
    komi : float
        What white's area gets in addition.
    length : int, optional
        The most moves that a game has, passes included; twice the number of points unless told,
        as in T. Cazenave, Monte Carlo Game Solver, MCS 2020. A position without a past begins
        to count anew.
    unfinished : {"score", "draw"}
        What a game that reaches `length` is worth: what the board is then, or a draw.
    keep_eyes : bool
        For fast playouts, not for play: players leave their own eyes of one point alone, and pass
        only when there is nothing else.
    exact_keys : bool
        Whether positions that differ in their past only, which superko may make
        different games, have different keys.
    """

    rule_fields = ("komi", "length", "cut_draws", "keep_eyes", "exact_keys")
    fields = (*Superko.fields, *rule_fields)

    def __init__(
        self,
        width: int = 9,
        height: int = 9,
        komi: float = 7.5,
        length: int | None = None,
        unfinished: Literal["score", "draw"] = "score",
        keep_eyes: bool = False,
        exact_keys: bool = False,
    ) -> None:
        super().__init__(width, height)
        if length is None:
            length = max(2, 2 * self.points)
        if not 1 <= length <= _LONGEST:
            raise OptionError(f"length is {length}; it should be from 1 to {_LONGEST} moves")
        if not math.isfinite(komi):
            raise OptionError(f"komi is {komi}; it should be a number such as 7.5")
        if unfinished not in ("score", "draw"):
            raise OptionError(f"unfinished is {unfinished!r}; it should be 'score' or 'draw'")
        self.komi, self.length = float(komi), int(length)
        self.cut_draws = unfinished == "draw"
        self.keep_eyes, self.exact_keys = bool(keep_eyes), bool(exact_keys)
        if not self.cut_draws and self.komi % 1:
            self.outcomes = (0.0, 1.0)
        self.packed = 2 * self._set_words() + 1
        self.prepare_past(self.length)
        self.max_moves, self.max_length = self.points + 1, self.length
        # the mover's stones, the other's, whether white moves, and whether the other has passed
        self.plane_shape = (4, self.height, self.width)
        self.state_type = record(
            **self.past_fields(self.length),
            **self.board_fields(),
            passes="i1",  # in a row
            over="i1",
            margin="i2",  # black's area less white's, when it is over
            count="i2",  # moves played
            **self.log_fields(self.length),
        )
        self.move_type = record(point="i2")
        self.begin()
        self._remember(self.blank[0], np.uint64(0), 0)

    def moves(self, state, moves):
        if state.over:
            return 0
        player = np.int64(state.player)
        n = 0
        for word in range(len(state.empty)):
            points = self._allowed(state, word)
            taken, closed = points & state.taken[player, word], np.uint64(0)
            if self.keep_eyes:
                closed = points & ~self._beside_others(state, word)
            sure, rest = points & ~(taken | closed), taken | closed
            while sure:
                moves[n].point = word * 64 + lowest_bit(sure)
                sure = without_lowest(sure)
                n += 1
            while rest:
                point = word * 64 + lowest_bit(rest)
                mask = bit(point & 63)
                rest ^= mask
                if closed & mask and self._is_eye(state, point, player):
                    continue
                if taken & mask and self._repeats(state, point, player):
                    continue
                moves[n].point = point
                n += 1
        if n == 0 or not self.keep_eyes:
            moves[n].point = self.points
            n += 1
        return n

    def play(self, state, move):
        if state.over:
            return
        point, player = np.int64(move.point), np.int64(state.player)
        state.log[state.logged] = point
        state.logged += 1
        if point == self.points:
            state.passes += 1
        else:
            state.passes = 0
            chain = self._join(state, point, player)
            if self._settle(state, point, player, chain):
                self._take_beside(state, point, player)
        state.player = 1 - player
        state.count += 1
        self._remember(state, state.board, state.count)
        if state.passes == 2:
            state.over = SCORED
        elif state.count == self.length:
            state.over = CUT
        if state.over:
            state.margin = self._margin(state)

    def _take_beside(self, state, point, player):
        """Take the enemy chains beside a point that have no liberty."""
        for i in range(4):
            side = np.int64(self.around[point, i])
            if state.stone[side] == 2 - player:
                chain = np.int64(state.head[side])
                if self._liberties(state, chain) == 0:
                    self._take(state, chain, player)

    def _take(self, state, chain, player):
        """Take an enemy chain off the board; this player's chains gain liberties."""
        stone, head = state.stone, state.head
        enemy = 1 - player
        for point in range(self.points):
            if head[point] != chain:
                continue
            stone[point] = EMPTY
            head[point] = self.points
            state.board ^= self.zobrist[enemy, point]
            state.log[state.logged] = -1 - point
            state.logged += 1
            here, mask = point >> 6, bit(point & 63)
            state.empty[here] |= mask
            state.black[here] &= ~mask
            state.taken[enemy, here] |= mask
            for i in range(4):
                side = np.int64(self.around[point, i])
                if stone[side] == player + 1:
                    self._relieve(state, np.int64(head[side]), point, player)

    def _relieve(self, state, chain, point, player):
        """Give a chain a liberty, which it may have already."""
        word, mask = point >> 6, bit(point & 63)
        if state.free[chain, word] & mask:
            return
        before = self._liberties(state, chain)
        old = self._liberty(state, chain) if before == 1 else -1
        state.free[chain, word] |= mask
        if before:
            state.safe[player, word] |= mask
        else:
            state.last[player, word] |= mask
        if old >= 0:
            self._look_again(state, old, player)

    def _beside_others(self, state, word):
        """The empty points of a word beside which not all is the player's own or the edge."""
        enemy = 1 - state.player
        return self._open(state, word) | state.safe[enemy, word] | state.last[enemy, word]

    def _is_eye(self, state, point, player):
        """Whether a point between own stones is an eye: few enemies diagonally make it false.

        That is two of four, or one at the edge.
        """
        enemies, edge = 0, 0
        for i in range(4, 8):
            side = np.int64(self.around[point, i])
            if side == self.points:
                edge = 1
            elif state.stone[side] == 2 - player:
                enemies += 1
        return enemies + edge < 2

    def _margin(self, state):
        """Black's area less white's.

        To and fro over the board, each empty point learns from those beside it which stones its
        region touches, until nothing new comes up. Its unused `head` holds that meanwhile.
        """
        stone, head = state.stone, state.head
        for point in range(self.points):
            if stone[point] == EMPTY:
                head[point] = 0
        forward, news = True, True
        while news:
            news = False
            for i in range(self.points):
                point = i if forward else self.points - 1 - i
                if stone[point] == EMPTY and head[point] < 3:
                    touches = np.int64(head[point])
                    for j in range(4):
                        side = np.int64(self.around[point, j])
                        if stone[side] != EMPTY:
                            touches |= np.int64(stone[side])
                        elif side < self.points:
                            touches |= np.int64(head[side])
                    news |= touches != head[point]
                    head[point] = touches
            forward = not forward
        total = 0
        for point in range(self.points):
            owner = np.int64(stone[point])
            if owner == EMPTY:
                owner = np.int64(head[point])
            if owner == 1:
                total += 1
            elif owner == 2:
                total -= 1
        for point in range(self.points):
            if stone[point] == EMPTY:
                head[point] = self.points
        return total

    def reward(self, state, player):
        lead = state.margin - self.komi
        if lead == 0.0 or (state.over == CUT and self.cut_draws):
            return 0.5
        return 1.0 if (lead > 0.0) == (player == 0) else 0.0

    def planes(self, state, out):
        self._stone_planes(state, out)
        out[2] = state.player
        out[3] = state.passes

    def key(self, state):
        """The board, the player, passes and the number of moves, on which the limit depends.

        The past, which superko looks at, is left out unless the game has `exact_keys`.
        """
        rest = (np.uint64(state.count) * np.uint64(4) + np.uint64(state.passes)) * np.uint64(2)
        key = mix(state.board ^ mix(rest + np.uint64(state.player)))
        if self.exact_keys:
            past = np.uint64(0)
            for i in range(state.count):
                if state.seen[i] != state.seen[i + 1]:  # a pass is no other board
                    past += mix(state.seen[i])
            key ^= mix(past)
        return key

    def forget(self, state):
        """Blank the past, so that states compare as their keys do; they are not to be played on.

        With `exact_keys` nothing is blanked.
        """
        if not self.exact_keys:
            self._forget_past(state)

    # for solvers

    def pack(self, state, symmetry, spare, out):
        """The stones, where which may bring back a board, and the numbers.

        The past itself is not there: `playout.solvers.path_dependence` looks after it.
        """
        self._pack_stones(state, symmetry, out)
        taken = state.taken
        for word in range(taken.shape[1]):
            self._pack_sets(taken[0, word], taken[1, word], word, symmetry, out, self._set_words())
        numbers = np.uint64(state.count) * np.uint64(4) + np.uint64(state.passes)
        out[len(out) - 1] = numbers * np.uint64(2) + np.uint64(state.player)

    def transform(self, state, symmetry, out):
        self._transform_board(state, symmetry, out)
        moved = self.moved[symmetry]
        for player in range(2):
            self._transform_bits(state.taken[player], moved, out.taken[player])
        out.passes = state.passes
        out.over = state.over
        out.margin = state.margin
        out.count = state.count
        self._transform_past(state, moved, out)

    # what a person sees, in plain Python

    def why_not(self, state: Any, point: int) -> str:
        player = int(state.player)
        if self._allowed(state, point >> 6) & bit(point & 63):
            if self._repeats(state, point, player):
                return "it would bring back an earlier board (superko)"
            return "it fills an eye (keep_eyes)"
        return super().why_not(state, point)

    def position_text(self, state: Any) -> str:
        return position_with_past(self, state)

    def read_position(self, text: str) -> np.ndarray:
        return read_with_past(self, text)

    def begin_at(self, line: str) -> np.ndarray:
        """The position of a board and a player, without a past, as an array of one."""
        states = self.read_board(line)
        state = states[0]
        for head in self.breathless(state):
            self.refuse_breathless(line, state, head)
        state.sieve[:] = 0
        self._remember(state, state.board, 0)
        return states

    def status(self, state: Any) -> str:
        if not state.over:
            passed = f", {NAMES[1 - state.player]} passed" if state.passes else ""
            return f"{NAMES[state.player]} to move{passed}"
        if state.over == CUT and self.cut_draws:
            return f"a draw after {state.count} moves"
        lead = state.margin - self.komi
        return f"{NAMES[0 if lead > 0 else 1]} wins by {abs(lead):g}" if lead else "a draw"
