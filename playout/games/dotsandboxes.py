"""Dots-and-Boxes (E. Lucas): lines between dots; who closes a box takes it and moves again.

When all lines are drawn, most boxes win. E. Berlekamp, The Dots and Boxes Game, 2000, has the
theory. The lying lines are the bits of one word, the upright lines those of another, the boxes of
each player those of a third.

A line is named by its two dots, a1-b1 for the lowest on the left; a1 is the dot at the bottom
left. A position in one line has rows from the top down: lying lines as `-`, then the upright ones
as `|` with the owner of the box between each two of them; `.` is what is not there.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.games.board_game import BoardGame
from playout.games.board_symmetries import cell_symmetries
from playout.games.boards import letters_of
from playout.games.box_grid import UPRIGHT, BoxGrid

_COLOURS = {"r": "#c8453d", "b": "#3b6fb6", "g": "#4d9a4d", "y": "#d6a72c"}


class DotsAndBoxes(BoardGame):
    """Dots-and-Boxes.

    Parameters
    ----------
    width : int
        Columns of boxes, from 1.
    height : int
        Rows of boxes, from 1; at most 64 lying and 64 upright lines, as in 7x7.
    players : int
        How many play, from 2 to 4, in turn. Those who share the most boxes share the win.
    """

    letters = "rbgy"
    tables = ("all_lines", "sides", "beside", "line_moved", "box_moved")
    fields = ("players", "width", "height", *tables)
    kinds = 25

    def __init__(self, width: int = 3, height: int = 3, players: int = 2) -> None:
        grid = BoxGrid(int(width), int(height))
        lying, upright = grid.lying, grid.upright
        if min(width, height) < 1 or max(lying, upright) > 64:
            raise OptionError(
                f"Dots-and-Boxes has no board of {width}x{height}: it takes 1 or more columns and "
                f"rows of boxes, at most 64 lying and 64 upright lines, as in 7x7"
            )
        if not 2 <= players <= len(self.letters):
            most = len(self.letters)
            raise OptionError(f"Dots-and-Boxes takes 2 to {most} players, not {players}")
        self.grid, self.players = grid, int(players)
        self.width, self.height, self.boxes = grid.width, grid.height, grid.boxes
        self.all_lines = np.array([(1 << lying) - 1, (1 << upright) - 1], np.uint64)
        self.sides = grid.sides_of_boxes()
        self.beside = grid.boxes_beside_lines()
        self.box_moved = cell_symmetries(self.width, self.height)
        self.symmetries = len(self.box_moved)
        self.line_moved = grid.moved_lines()
        self.codes = (UPRIGHT + upright) * self.players
        self.max_moves = self.max_length = lying + upright
        # lying and upright lines, and how many boxes more than the other the mover has
        self.plane_shape = (3, self.height + 1, self.width + 1)
        self.outputs = lying + upright
        self.state_type = record(lines=("u8", 2), boxes=("u8", self.players), player="i1")
        self.move_type = record(line="i1")

    def moves(self, state, moves):
        n = 0
        for word in range(2):
            lines = self.all_lines[word] & ~state.lines[word]
            while lines:
                moves[n].line = UPRIGHT * word + lowest_bit(lines)
                lines = without_lowest(lines)
                n += 1
        return n

    def play(self, state, move):
        line, player = np.int64(move.line), np.int64(state.player)
        state.lines[line >> 6] |= bit(line & 63)
        again = False
        for i in range(2):
            box = np.int64(self.beside[line, i])
            if box >= 0 and self._drawn(state, box) == 4:
                state.boxes[player] |= bit(box)
                again = True
        if not again:
            state.player = player + 1 if player + 1 < self.players else 0

    def _drawn(self, state, box):
        """How many sides of a box are drawn."""
        lying, upright = state.lines[0] & self.sides[box, 0], state.lines[1] & self.sides[box, 1]
        return count_bits(lying) + count_bits(upright)

    def reward(self, state, player):
        own, sharing = count_bits(state.boxes[player]), 0
        for other in range(self.players):
            boxes = count_bits(state.boxes[other])
            if boxes > own:
                return 0.0
            sharing += boxes == own
        return 1.0 / sharing

    def code(self, state, move):
        return np.int64(move.line) * self.players + state.player

    def features(self, state, move):
        """How many sides the two boxes beside the line have: the more times 5, plus the fewer.

        A line on the rim has one box, and the missing one counts as 4.
        """
        most, fewest = 0, 4
        for i in range(2):
            box = np.int64(self.beside[move.line, i])
            drawn = self._drawn(state, box) if box >= 0 else 4
            most, fewest = max(most, drawn), min(fewest, drawn)
        return 5 * most + fewest

    def key(self, state):
        """How many boxes each player has makes a difference, which ones does not."""
        rest = np.uint64(state.player)
        for player in range(self.players):
            rest = rest << np.uint64(7) | np.uint64(count_bits(state.boxes[player]))
        return mix(mix(mix(state.lines[0]) ^ state.lines[1]) ^ rest)

    def planes(self, state, out):
        for word in range(2):
            lines, wide = state.lines[word], self.width + word
            while lines:
                line = np.int64(lowest_bit(lines))
                out[word, line // wide, line % wide] = 1.0
                lines = without_lowest(lines)
        lead = count_bits(state.boxes[state.player])
        for other in range(self.players):
            if other != state.player:
                lead -= count_bits(state.boxes[other])
        out[2] = lead / (self.width * self.height)

    def output(self, state, move):
        line = np.int64(move.line)
        return line if line < UPRIGHT else line - UPRIGHT + self.width * (self.height + 1)

    def transform(self, state, symmetry, out):
        lying, upright = np.uint64(0), np.uint64(0)
        for word in range(2):
            lines = state.lines[word]
            while lines:
                line = np.int64(self.line_moved[symmetry, UPRIGHT * word + lowest_bit(lines)])
                lines = without_lowest(lines)
                if line < UPRIGHT:
                    lying |= bit(line)
                else:
                    upright |= bit(line - UPRIGHT)
        out.lines[0] = lying
        out.lines[1] = upright
        for player in range(self.players):
            boxes, there = state.boxes[player], np.uint64(0)
            while boxes:
                there |= bit(self.box_moved[symmetry, lowest_bit(boxes)])
                boxes = without_lowest(boxes)
            out.boxes[player] = there
        out.player = state.player

    def transform_move(self, move, symmetry, out):
        out.line = self.line_moved[symmetry, move.line]

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        return self.grid.line_name(int(move.line))

    def parse_move(self, state: Any, text: str) -> Any:
        """The two dots in either order, with or without a dash."""
        if two := re.fullmatch(r"\s*([a-z]\d{1,2})\s*-?\s*([a-z]\d{1,2})\s*", text.lower()):
            one, other = sorted(two.groups(), key=lambda name: (int(name[1:]), name[0]))
            text = f"{one}-{other}"
        return super().parse_move(state, text)

    def position_text(self, state: Any) -> str:
        return "/".join(self._rows(state)) + " " + self.letters[state.player]

    def read_position(self, text: str) -> np.ndarray:
        letters = self.letters[: self.players]
        rows, player = self._read_rows(text, letters)
        states = self.new_states(1)
        state = states[0]
        for number, row in enumerate(reversed(rows)):
            y, between = divmod(number, 2)
            for x, found in enumerate(row):
                if between and x % 2:
                    if found != ".":
                        state.boxes[letters.index(found)] |= bit(y * self.width + x // 2)
                elif found != ".":
                    line = y * (self.width + 1) + x // 2 if between else y * self.width + x
                    state.lines[between] |= bit(line)
        state.player = player
        self._check_boxes(text, state)
        self._check_turn(text, state)
        return states

    def _read_rows(self, text: str, letters: str) -> tuple[list[str], int]:
        """The rows of a position's line from the top down, and who is to move."""
        words = text.lower().split()
        if len(words) != 2:
            said = f"it has {len(words)} words, not 2: the board and who is to move"
            self.refuse(text, said)
        rows, player = words[0].split("/"), words[1]
        if len(rows) != 2 * self.height + 1:
            self.refuse(text, f"it has {len(rows)} rows, not {2 * self.height + 1}")
        for number, row in enumerate(rows, 1):
            long = self.width if number % 2 else 2 * self.width + 1
            if len(row) != long:
                self.refuse(text, f"row {number} has {len(row)} signs, not {long}")
            for i, sign in enumerate(row):
                known = "-" if number % 2 else letters if i % 2 else "|"
                if sign not in known + ".":
                    said = " or ".join(known + ".")
                    self.refuse(text, f"row {number} has {sign!r} where {said} goes")
        if player not in letters:
            said = f"the player to move is {' or '.join(letters)}, not {player[:10]!r}"
            self.refuse(text, said)
        return rows, letters.index(player)

    def _check_boxes(self, text: str, state: Any) -> None:
        """A box has an owner if its four sides are drawn, and only then."""
        owners = self._owners(state)
        for box in range(self.boxes):
            closed = self._drawn(state, box) == 4
            if closed != (owners[box] != "."):
                at = self.grid.dot_name(self.grid.dots(self.grid.box_lines(box)[0])[0])
                what = "is closed, but has no owner" if closed else "is open, but has an owner"
                self.refuse(text, f"the box right and up of {at} {what}")

    def _check_turn(self, text: str, state: Any) -> None:
        """Each line passes the turn on unless it closes a box; some may close two."""
        drawn = sum(count_bits(lines) for lines in state.lines)
        owners = self._owners(state)
        closed = self.boxes - owners.count(".")
        could = {(drawn - closed + n) % self.players for n in range(self._pairs(owners) + 1)}
        if state.player not in could:
            said = f"{drawn} lines and {closed} boxes with {self.letters[state.player]} to move"
            self.refuse(text, f"{said}, but each line without a box passes the turn on")
        if drawn == self.max_moves and not state.boxes[state.player]:
            mover = self.letters[state.player]
            self.refuse(text, f"{mover} drew the last line, but has no box")

    def _pairs(self, owners: list[str]) -> int:
        """At most so many pairs of boxes of one owner side by side, no box in two of them."""
        seen: set[int] = set()
        pairs = 0
        for box in range(self.boxes):
            if box in seen or owners[box] == ".":
                continue
            group, new = {box}, [box]
            while new:
                for line in self.grid.box_lines(new.pop()):
                    for other in self.beside[line]:
                        if other >= 0 and other not in group and owners[other] == owners[box]:
                            group.add(int(other))
                            new.append(int(other))
            seen |= group
            pairs += len(group) // 2
        return pairs

    def _owners(self, state: Any) -> list[str]:
        """The letter of each box, `.` for none."""
        return letters_of(state.boxes, self.letters, self.boxes)

    def _rows(self, state: Any) -> list[str]:
        return self.grid.rows(self._drawn_lines(state), self._owners(state))

    def _drawn_lines(self, state: Any) -> tuple[int, int]:
        """The lying and the upright lines that are drawn."""
        return int(state.lines[0]), int(state.lines[1])

    def render(self, state: Any) -> str:
        return self.grid.draw_text(self._rows(state), self.status(state))

    def where(self, state: Any, move: Any) -> Places:
        return (self.grid.middle(int(move.line)),)

    def svg(self, state: Any) -> str:
        fills = [_COLOURS.get(owner, "") for owner in self._owners(state)]
        return self.grid.draw_svg(self._drawn_lines(state), fills, self.status(state))

    def status(self, state: Any) -> str:
        counts = [count_bits(boxes) for boxes in state.boxes]
        said = ", ".join(f"{letter} {n}" for letter, n in zip(self.letters, counts, strict=False))
        if sum(counts) < self.boxes:
            return f"{said}; {self.letters[state.player]} to move"
        winners = [
            letter for letter, n in zip(self.letters, counts, strict=False) if n == max(counts)
        ]
        if len(winners) == 1:
            return f"{said}; {winners[0]} wins"
        if len(winners) == self.players:
            return f"{said}; a draw"
        return f"{said}; {' and '.join(winners)} share the win"
