"""What Breakthrough and Knightthrough have in common: the set-up, the goal, the notation.

Each player fills the two rows at his edge; pieces go forward only, w (the first player) up and b
down. Who reaches the far edge wins; so does who takes the last piece, or leaves no move. Under
misere rules whoever wins so loses. The pieces are the bits of a word for each player.
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
from playout.errors import DataError
from playout.games.board_game import BoardGame
from playout.games.board_symmetries import bit_symmetries, cell_symmetries, moved_bits
from playout.games.boards import cell_name, check_size, letters_of, word_of


class PawnRace(BoardGame):
    """Pieces that go forward; a subclass has `moves`, and `steps`, the most that a piece has.

    `shortest` and `longest` are the least and the most that the numbers of the two cells of a
    move differ by.
    """

    letters = "wb"
    marks = {"w": ("disc", "#fbfbf8"), "b": ("disc", "#3b3b3b")}
    shape_fields = ("width", "height", "full", "edges", "row", "turned")
    fields: tuple[str, ...] = (*shape_fields, "misere", "least", "span")
    symmetries = 2
    kinds = 2
    outcomes = (0.0, 1.0)
    steps: int

    def __init__(self, width: int, height: int, misere: bool, shortest: int, longest: int) -> None:
        check_size(type(self).__name__, width, height, columns=(2, 16), rows=(4, 32))
        self.width, self.height, self.misere = int(width), int(height), bool(misere)
        cells = self.width * self.height
        self.row = np.uint64((1 << self.width) - 1)  # the bottom row
        self.full = np.uint64((1 << cells) - 1)
        # the far edge of each player
        self.edges = np.array([self.row << np.uint64(cells - self.width), self.row])
        self.turned = bit_symmetries(cell_symmetries(self.width, self.height)[:2])
        self.packed = 1 if cells < 32 else 2 if cells < 64 else 3
        self.span = longest - shortest + 1
        self.least = np.array([shortest, -longest])  # target - source, for each player
        self.codes = 2 * self.span * cells
        self.plane_shape = (2, self.height, self.width)  # the mover's pieces and the other's
        self.outputs = self.span * cells
        self.max_moves = self.steps * 2 * self.width
        # every piece goes a row or more a move, and only the last move onto the far edge
        self.max_length = 2 * self.width * (2 * self.height - 5) + 1
        self.state_type = record(pieces=("u8", 2), player="i1", won="i1")
        self.move_type = record(source="i1", target="i1")

    def reset(self, state):
        state.pieces[0] = self.row | self.row << np.uint64(self.width)
        state.pieces[1] = self.full ^ self.full >> np.uint64(2 * self.width)

    def _steps_to(self, moves, n, targets, step):
        """Add the moves to these cells from those `step` below; the number of moves then."""
        while targets:
            target = lowest_bit(targets)
            targets = without_lowest(targets)
            moves[n].source = target - step
            moves[n].target = target
            n += 1
        return n

    def play(self, state, move):
        player = state.player
        target = bit(move.target)
        state.pieces[player] ^= bit(move.source) | target
        others = state.pieces[1 - player] & ~target
        state.pieces[1 - player] = others
        state.won = others == 0 or (target & self.edges[player]) != 0
        state.player = 1 - player

    def reward(self, state, player):
        """Who moved last wins: he got there, took the last piece or left no move."""
        return 1.0 if (player != state.player) != self.misere else 0.0

    def code(self, state, move):
        # source * span + step, where step = target - source - least
        number = np.int64(move.source) * (self.span - 1) + move.target - self.least[state.player]
        return 2 * number + state.player

    def features(self, state, move):
        """1 for a capture."""
        return np.int64(state.pieces[1 - state.player] >> np.uint64(move.target) & np.uint64(1))

    def key(self, state):
        return mix(mix(state.pieces[0] ^ mix(np.uint64(state.player))) ^ state.pieces[1])

    def planes(self, state, out):
        """The rows from the mover's own edge: both players go up."""
        for plane in range(2):
            pieces = state.pieces[state.player if plane == 0 else 1 - state.player]
            while pieces:
                cell = self._own_side(np.int64(lowest_bit(pieces)), state.player)
                out[plane, cell // self.width, cell % self.width] = 1.0
                pieces = without_lowest(pieces)

    def output(self, state, move):
        source = self._own_side(np.int64(move.source), state.player)
        target = self._own_side(np.int64(move.target), state.player)
        return source * self.span + target - source - self.least[0]

    def _own_side(self, cell, player):
        """A cell as a player counts it, with his own edge at the bottom."""
        if player == 0:
            return cell
        return (self.height - 1 - cell // self.width) * self.width + cell % self.width

    def transform(self, state, symmetry, out):
        for player in range(2):
            out.pieces[player] = moved_bits(self.turned, symmetry, state.pieces[player])
        out.player = state.player
        out.won = state.won

    def pack(self, state, symmetry, spare, out):
        """The pieces, and the player in the next bit where there is one."""
        w, b = state.pieces[0], state.pieces[1]
        if symmetry:
            w = moved_bits(self.turned, symmetry, w)
            b = moved_bits(self.turned, symmetry, b)
        player = np.uint64(state.player)
        if len(out) == 1:
            out[0] = w | player << np.uint64(31) | b << np.uint64(32)
        elif len(out) == 2:
            out[0] = w | player << np.uint64(63)
            out[1] = b
        else:
            out[0] = w
            out[1] = b
            out[2] = player

    def _mirror(self, cell):
        return cell + self.width - 1 - 2 * (cell % self.width)

    def transform_move(self, move, symmetry, out):
        out.source = self._mirror(np.int64(move.source)) if symmetry else move.source
        out.target = self._mirror(np.int64(move.target)) if symmetry else move.target

    # for solvers; a subclass has `_attacked` and `_winners`

    def decided(self, state):
        """Who can arrive with his next move wins, or after that if he cannot be stopped.

        Only taking a piece stops it, and only one can be taken at a time.
        """
        if self.misere or state.won:
            return math.nan
        player = np.int64(state.player)
        own, others = state.pieces[player], state.pieces[1 - player]
        if self._winners(own, player):
            return 1.0 - player
        threats = self._winners(others, 1 - player)
        if threats and (without_lowest(threats) or not threats & self._attacked(own, player)):
            # two at once, or one that cannot be taken; the last piece alone is always taken
            return 0.0 + player
        return math.nan

    def needed(self, state, moves, n):
        """Who is about to be beaten must take the piece that would arrive."""
        if self.misere:
            return n
        player = np.int64(state.player)
        threats = self._winners(state.pieces[1 - player], 1 - player)
        if not threats:
            return n
        cell, found = lowest_bit(threats), 0
        for i in range(n):
            if moves[i].target == cell:
                source = moves[found].source
                target = moves[found].target
                moves[found].source = moves[i].source
                moves[found].target = moves[i].target
                moves[i].source = source
                moves[i].target = target
                found += 1
        return found

    def lateness(self, state, move):
        """First moves that arrive, then those that stop the other from arriving."""
        if self.misere:
            return UNSURE
        player = np.int64(state.player)
        if bit(move.target) & self.edges[player]:
            return 0.0
        if bit(move.target) & self._winners(state.pieces[1 - player], 1 - player):
            return 1.0
        return UNSURE

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """From where to where: a2-b3, or a2xb3 for a capture."""
        source, target = cell_name(move.source, self.width), cell_name(move.target, self.width)
        return f"{source}{'x' if self.features(state, move) else '-'}{target}"

    def where(self, state: Any, move: Any) -> Places:
        return self.point_of(move.source), self.point_of(move.target)

    def parse_move(self, state: Any, text: str) -> Any:
        """As `move_text` writes it; `-`, `x` or nothing between the cells."""
        try:
            return super().parse_move(state, text)
        except DataError:
            legal = self.new_moves()
            word = "".join(text.split()).lower().replace("-", "").replace("x", "")
            for i in range(self.moves(state, legal)):
                cells = legal[i].source, legal[i].target
                if word == "".join(cell_name(cell, self.width) for cell in cells):
                    return legal[i].copy()
            raise

    def cell_letters(self, state: Any) -> list[str]:
        return letters_of(state.pieces, self.letters, self.width * self.height)

    def read_position(self, text: str) -> np.ndarray:
        cells, player = self.read_cells(text)
        states = self.new_states(1)
        state = states[0]
        for number, letter in enumerate(self.letters):
            state.pieces[number] = word_of(cells, letter)
            if cells.count(letter) > 2 * self.width:
                count = f"{cells.count(letter)} {letter}"
                self.refuse(text, f"{count}, but each begins with {2 * self.width}")
        mover, other = self.letters[player], self.letters[1 - player]
        if state.pieces[1 - player] == 0:
            self.refuse(text, f"{other} moved last, but has no piece")
        if state.pieces[player] & self.edges[player]:
            self.refuse(text, f"{mover} is at the far edge, but {other} moved last")
        arrived = count_bits(state.pieces[1 - player] & self.edges[1 - player])
        if arrived > 1:
            self.refuse(text, f"{arrived} {other} are at the far edge, but the first ends it")
        state.won = arrived == 1 or state.pieces[player] == 0
        state.player = player
        return states
