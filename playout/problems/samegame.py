"""SameGame: remove groups of equal tiles; large groups score more, a cleared board most.

A move removes a group of n >= 2 tiles of one colour that touch along edges, and scores
(n - 2)^2; tiles fall down and columns close up to the left. A cleared board scores 1000.

From the papers: Zobrist codes (one random number for each cell and colour, combined over the
tiles of the move), the tabu-colour selective policy and the bias are those of T. Cazenave,
Generalized NRPA, section 6.1; the penalty for tiles left over is that of A. Seify and M. Buro,
Single-Agent Optimization Through Policy Iteration Using MCTS.

There a tile counts by the cell where it lies. Here it counts by the cell where it began: a group
keeps its code when it falls, and what was learned of it still holds. `codes="cells"` is the
paper's way.

The state carries the list of its groups. A move can only change groups near the columns that
it touches, at or above its lowest row, so `play` looks for groups again in that zone alone.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.problems.samegame_files import (
    MOST_COLOURS,
    board_text,
    cell_point,
    checked_rows,
    draw_svg,
    draw_text,
    parse_boards,
    random_rows,
)
from playout.problems.samegame_planes import SameGamePlanes
from playout.problems.samegame_referee import verified_score
from playout.text.input_files import read_text

CLEARED = 1000.0
DEFAULT_SEED = 1


class SameGame(SameGamePlanes):
    """A SameGame board.

    Parameters
    ----------
    board : array of rows, top row first
        Colours from 0; every cell is filled.
    tabu : bool
        Selective policy: leave moves of the most frequent colour out, except one that takes
        all its tiles, and those of two tiles after `tabu_pairs_after` moves.
    tabu_pairs_after : int
        Number of moves after which pairs of the tabu colour are let in.
    bias_limit : float
        The bias is min(n - 2 - t, bias_limit), t = 1 for a pair of the tabu colour.
    codes : "tiles" or "cells"
        What a move is to a policy: the tiles that it takes, or the cells where they lie.
    penalty : bool
        Subtract (n - 2)^2 for each colour that has n > 0 tiles left at the end.
    colours : int
        How many colours there are, if not all of them are on the board.
    """

    collections = {"standard": "samegame/boards.txt", "simple": "samegame/simple_boards.txt"}

    board_fields = ("board", "heights", "counts", "zobrist", "row_of", "stride", "width", "colours")
    option_fields = ("tabu", "tabu_colour", "tabu_pairs_after", "bias_limit", "penalty", "follow")
    fields = (*board_fields, *option_fields)

    def __init__(
        self,
        board: Any,
        *,
        tabu: bool = True,
        tabu_pairs_after: int = 10,
        bias_limit: float = 8.0,
        codes: str = "tiles",
        penalty: bool = False,
        colours: int = 0,
    ) -> None:
        rows = self.rows = checked_rows(board)
        height, width = rows.shape
        self.stride = height + 2
        self.width = width
        # columns from left to right, each from the bottom up, with a border of zeros
        padded = np.zeros((width + 2, self.stride), np.int8)
        padded[1:-1, 1:-1] = self.rows[::-1].T + 1
        self.board = padded.ravel()
        self.heights = np.zeros(width + 2, np.int16)
        self.heights[1:-1] = height
        if not 0 <= colours <= MOST_COLOURS:
            raise OptionError(f"colours={colours}: a whole number from 0 to {MOST_COLOURS}")
        if codes not in ("tiles", "cells"):
            raise OptionError(f'codes={codes!r}: is "tiles" or "cells"')
        tiles = self.board[self.board > 0]
        self.counts = np.bincount(tiles, minlength=colours + 1).astype(np.int16)
        self.colours = len(self.counts) - 1
        numbers = np.arange(1, self.board.size * len(self.counts) + 1, dtype=np.uint64)
        words = mix(numbers * np.uint64(0x9E3779B97F4A7C15))
        self.zobrist = words.reshape(self.board.size, len(self.counts))
        self.row_of = np.arange(self.board.size, dtype=np.uint64) % np.uint64(self.stride)
        self.tabu = bool(tabu)
        self.tabu_colour = int(np.argmax(self.counts))
        self.tabu_pairs_after = int(tabu_pairs_after)
        self.bias_limit = float(bias_limit)
        self.follow = codes == "tiles"
        self.penalty = bool(penalty)
        self.max_moves = self.max_length = max(1, rows.size // 2)
        self.plane_shape = (self.colours + 1, height, width)
        self.outputs = height * width
        self.equal_planes = (1, self.colours + 1)
        self.move_type = record(code="u8", cell="i2", row="i2", tiles="i2", colour="i2")
        self.state_type = record(
            groups=(self.move_type, 2 * self.max_moves),  # the second half is room for `play`
            total="f8",
            count="i8",
            columns="i8",
            played="i8",
            heights=("i2", width + 2),
            counts=("i2", len(self.counts)),
            board=("i1", self.board.size),
            tile=("i2", self.board.size),  # which tile a cell's is in codes: where it began
            queue=("i2", rows.size),  # working space of the flood fill
        )

    def reset(self, state):
        state.board[:] = self.board
        self._number_tiles(state)
        state.heights[:] = self.heights
        state.counts[:] = self.counts
        state.columns = self.width
        self._find_groups(state, 1, self.width, 1)

    def _number_tiles(self, state):
        for p in range(len(state.tile)):
            state.tile[p] = p

    def moves(self, state, moves):
        count = state.count
        n = 0
        if self.tabu:
            tabu = self.tabu_colour
            for i in range(count):
                group = state.groups[i]
                if (
                    group.colour != tabu
                    or (group.tiles == 2 and state.played > self.tabu_pairs_after)
                    or group.tiles == state.counts[tabu]
                ):
                    moves[n] = group
                    n += 1
        if n == 0:
            for i in range(count):
                moves[i] = state.groups[i]
            n = count
        return n

    # Indices are unsigned here: a signed one costs a test for Python's negative indices.

    def play(self, state, move):
        board, tile, queue, heights = state.board, state.tile, state.queue, state.heights
        stride, one = np.uint64(self.stride), np.uint64(1)
        colour = move.colour
        # take the tiles away, noting the columns and the lowest row
        queue[0] = move.cell
        board[move.cell] = -1
        done, end = np.uint64(0), one
        first, last, low = np.uint64(move.cell), np.uint64(move.cell), np.uint64(move.row)
        while done < end:
            p = np.uint64(queue[done])
            done += one
            first, last, low = min(first, p), max(last, p), min(low, self.row_of[p])
            for q in (p - one, p + one, p - stride, p + stride):
                if board[q] == colour:
                    board[q] = -1
                    queue[end] = q
                    end += one
        tiles = np.int64(end)
        state.counts[colour] -= tiles
        state.total += (tiles - 2) * (tiles - 2)
        state.played += 1
        # let the tiles above fall
        left, right = np.int64(first // stride), np.int64(last // stride)
        emptied = False
        for column in range(left, right + 1):
            base = np.uint64(column) * stride
            beyond = base + np.uint64(heights[column]) + one
            to = base + low
            for p in range(base + low, beyond):
                board[to] = board[p]
                if self.follow:
                    tile[to] = tile[p]
                to += np.uint64(board[p] >= 0)
            for p in range(to, beyond):
                board[p] = 0
            heights[column] = np.int64(to - base) - 1
            emptied |= to == base + one
        bottom = np.int64(low)
        if emptied:
            self._close_columns(state, left)
            right, bottom = state.columns, 1
        self._find_groups(
            state, max(left - 1, 1), min(right + 1, state.columns), max(bottom - 1, 1)
        )

    def _close_columns(self, state, left):
        """Move columns left over the empty ones, from column `left` on."""
        board, tile, stride = state.board, state.tile, self.stride
        to = left
        for column in range(left, state.columns + 1):
            height = state.heights[column]
            if height > 0:
                if to != column:
                    for row in range(1, stride - 1):
                        board[to * stride + row] = board[column * stride + row]
                        if self.follow:
                            tile[to * stride + row] = tile[column * stride + row]
                    state.heights[to] = height
                to += 1
        for column in range(to, state.columns + 1):
            for row in range(1, stride - 1):
                board[column * stride + row] = 0
            state.heights[column] = 0
        state.columns = to - 1

    def _find_groups(self, state, left, right, low):
        """Renew the groups in columns left to right, rows low and up; keep the others."""
        board, tile, queue, groups = state.board, state.tile, state.queue, state.groups
        stride, one = np.uint64(self.stride), np.uint64(1)
        count = np.uint64(state.count)
        fresh = count
        done, end = np.uint64(0), np.uint64(0)
        for column in range(left, right + 1):
            base = np.uint64(column) * stride
            for p in range(base + np.uint64(low), base + np.uint64(state.heights[column]) + one):
                p = np.uint64(p)
                colour = board[p]
                beside = (
                    (board[p + one] == colour)
                    | (board[p + stride] == colour)
                    | (board[p - one] == colour)
                    | (board[p - stride] == colour)
                )
                if beside & (colour > 0):
                    start = done
                    code = np.uint64(0)
                    cell = p  # the lowest of the leftmost, however the group came about
                    queue[end] = p
                    end += one
                    board[p] = -colour
                    while done < end:
                        q = np.uint64(queue[done])
                        done += one
                        cell = min(cell, q)
                        code ^= self.zobrist[np.uint64(tile[q]), colour]
                        for other in (q - one, q + one, q - stride, q + stride):
                            if board[other] == colour:
                                board[other] = -colour
                                queue[end] = other
                                end += one
                    group = groups[fresh]
                    fresh += one
                    group.code = code
                    group.cell = cell
                    group.row = self.row_of[cell]
                    group.tiles = end - start
                    group.colour = colour
        # An old group stays if its first cell is outside the zone and was not reached from it:
        # whatever a move changes has a cell in the zone.
        kept = np.uint64(0)
        begin, beyond = np.uint64(left) * stride, np.uint64(right + 1) * stride
        for i in range(count):
            cell = np.uint64(groups[i].cell)
            outside = (cell < begin) | (cell >= beyond) | (groups[i].row < low)
            groups[kept] = groups[i]
            kept += np.uint64((board[cell] > 0) & outside)
        for i in range(count, fresh):
            groups[kept] = groups[i]
            kept += one
        state.count = np.int64(kept)
        for i in range(end):
            cell = np.uint64(queue[i])
            board[cell] = -board[cell]

    def score(self, state):
        total = state.total
        if state.columns == 0:
            return total + CLEARED
        if self.penalty:
            for colour in range(1, len(state.counts)):
                left = state.counts[colour]
                if left > 0:
                    total -= (left - 2) * (left - 2)
        return total

    def code(self, state, move):
        return move.code

    def bias(self, state, move):
        n = move.tiles - 2.0
        if n == 0.0 and move.colour == self.tabu_colour:
            n = -1.0
        return min(n, self.bias_limit)

    def key(self, state):
        key = np.uint64(0)
        for p in range(len(state.board)):
            if state.board[p] > 0:
                key ^= self.zobrist[state.tile[p], state.board[p]]
        return key

    # what a person sees, in plain Python

    def render(self, state: Any) -> str:
        return draw_text(self._rows_of(state))

    def svg(self, state: Any) -> str:
        left = int(np.count_nonzero(state.board > 0))
        tiles = "cleared" if left == 0 else f"{left} tile{'s' if left > 1 else ''} left"
        moves = f"{state.played} move{'s' if state.played != 1 else ''}"
        return draw_svg(self._rows_of(state), f"{moves}, {state.total:.0f} points, {tiles}")

    def where(self, state: Any, move: Any) -> Places:
        """One cell of the group."""
        column, row = self._cell_of(move)
        height = self.stride - 2
        return (cell_point(column, height - 1 - row, height, self.width),)

    def move_text(self, state: Any, move: Any) -> str:
        """Column and row of one cell of the group, 0,0 at bottom left."""
        return "{},{}".format(*self._cell_of(move))

    def verify(self, moves: Any) -> float:
        """The score of a finished game by a referee that shares no code with `play`."""
        cells = [*map(self._cell_of, self.as_moves(moves))]
        return verified_score(self.rows.tolist(), cells, self.penalty)

    def _cell_of(self, move: Any) -> tuple[int, int]:
        column, row = divmod(int(move.cell), self.stride)
        return column - 1, row - 1

    def _rows_of(self, state: Any) -> np.ndarray:
        """The board as rows, top row first, -1 where there is no tile."""
        padded = state.board.reshape(self.width + 2, self.stride)
        return np.asarray(padded[1:-1, 1:-1].T[::-1]) - 1

    # where boards come from

    @classmethod
    def default(
        cls, *, rows: int = 15, columns: int = 15, colours: int = 5, **options: Any
    ) -> SameGame:
        """A random board that is always the same, as large as the standard ones."""
        return cls.random(DEFAULT_SEED, rows=rows, columns=columns, colours=colours, **options)

    @classmethod
    def training(cls, **options: Any) -> SameGame:
        """As the paper on policies has it: every move is allowed, and tiles left over cost."""
        return cls.default(**{"tabu": False, "penalty": True, **options})

    @classmethod
    def random(
        cls, seed: int = 0, *, rows: int = 15, columns: int = 15, colours: int = 5, **options: Any
    ) -> SameGame:
        """A board of this size with every tile of a colour drawn at random."""
        return cls(random_rows(seed, rows, columns, colours), colours=colours, **options)

    @classmethod
    def read(cls, path: str | PathLike[str], **options: Any) -> list[SameGame]:
        """All boards in a file: see `samegame_files` for its form."""
        return cls.parse(read_text(path), str(path), **options)

    @classmethod
    def parse(cls, text: str, source: str, **options: Any) -> list[SameGame]:
        """All boards in the text of a file; `source` is its name for error messages."""
        return [cls(board, **options) for board in parse_boards(text, source)]

    def write(self) -> str:
        return board_text(self.rows)
