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
from itertools import product
from typing import Any

import numpy as np

from playout.compiled import record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError
from playout.games.boards import cell_name, cell_symmetries, impossible, label, svg_page

LETTERS = "rbgy"
_COLOURS = ("#c8453d", "#3b6fb6", "#4d9a4d", "#d6a72c")
_UPRIGHT = 64  # lying lines are numbered from 0, upright ones from here


class DotsAndBoxes(Game):
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

    fields = (
        "players",
        "width",
        "height",
        "all_lines",
        "sides",
        "beside",
        "line_moved",
        "box_moved",
    )
    kinds = 25

    def __init__(self, width: int = 3, height: int = 3, players: int = 2) -> None:
        lying, upright = width * (height + 1), (width + 1) * height
        if min(width, height) < 1 or max(lying, upright) > 64:
            raise OptionError(
                f"Dots-and-Boxes has no board of {width}x{height}: it takes 1 or more columns and "
                f"rows of boxes, at most 64 lying and 64 upright lines, as in 7x7"
            )
        if not 2 <= players <= len(LETTERS):
            raise OptionError(f"Dots-and-Boxes takes 2 to {len(LETTERS)} players, not {players}")
        self.width, self.height, self.players = int(width), int(height), int(players)
        self.boxes = self.width * self.height
        self.all_lines = np.array([(1 << lying) - 1, (1 << upright) - 1], np.uint64)
        self.sides = self._sides_of_boxes()
        self.beside = self._boxes_beside_lines()
        self.box_moved = cell_symmetries(self.width, self.height)
        self.symmetries = len(self.box_moved)
        self.line_moved = self._moved_lines()
        self.codes = (_UPRIGHT + upright) * self.players
        self.max_moves = self.max_length = lying + upright
        # lying and upright lines, and how many boxes more than the other the mover has
        self.plane_shape = (3, self.height + 1, self.width + 1)
        self.outputs = lying + upright
        self.state_type = record(lines=("u8", 2), boxes=("u8", self.players), player="i1")
        self.move_type = record(line="i1")

    def reset(self, state):
        state.player = 0

    def moves(self, state, moves):
        n = 0
        for word in range(2):
            lines = self.all_lines[word] & ~state.lines[word]
            while lines:
                moves[n].line = _UPRIGHT * word + lowest_bit(lines)
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

    def turn(self, state):
        return state.player

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
        return line if line < _UPRIGHT else line - _UPRIGHT + self.width * (self.height + 1)

    def transform(self, state, symmetry, out):
        lying, upright = np.uint64(0), np.uint64(0)
        for word in range(2):
            lines = state.lines[word]
            while lines:
                line = np.int64(self.line_moved[symmetry, _UPRIGHT * word + lowest_bit(lines)])
                lines = without_lowest(lines)
                if line < _UPRIGHT:
                    lying |= bit(line)
                else:
                    upright |= bit(line - _UPRIGHT)
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

    # tables, in plain Python

    def _dots(self, line: int) -> tuple[int, int]:
        """The left and right, or lower and upper, dot of a line."""
        if line < _UPRIGHT:
            row, column = divmod(line, self.width)
            first = row * (self.width + 1) + column
            return first, first + 1
        return line - _UPRIGHT, line - _UPRIGHT + self.width + 1

    def _line(self, dot: int, other: int) -> int:
        """The line between two dots."""
        dot, other = min(dot, other), max(dot, other)
        if other - dot == 1:
            return dot - dot // (self.width + 1)
        return _UPRIGHT + dot

    def _lines(self) -> list[int]:
        return [
            _UPRIGHT * word + i
            for word, lines in enumerate(self.all_lines)
            for i in range(count_bits(lines))
        ]

    def _box_lines(self, box: int) -> tuple[int, int, int, int]:
        """The lines below, above, left and right of a box."""
        left = _UPRIGHT + box + box // self.width
        return box, box + self.width, left, left + 1

    def _sides_of_boxes(self) -> np.ndarray:
        """The lines around each box: lying ones and upright ones, as words."""
        table = np.zeros((self.boxes, 2), np.uint64)
        for box in range(self.boxes):
            for line in self._box_lines(box):
                table[box, line // _UPRIGHT] |= bit(line % _UPRIGHT)
        return table

    def _boxes_beside_lines(self) -> np.ndarray:
        """The one or two boxes beside each line, -1 where there is none."""
        table = np.full((2 * _UPRIGHT, 2), -1, np.int8)
        for box in range(self.boxes):
            for line in self._box_lines(box):
                table[line, 0 if table[line, 0] < 0 else 1] = box
        return table

    def _moved_lines(self) -> np.ndarray:
        """Where each line goes under each symmetry."""
        dots = cell_symmetries(self.width + 1, self.height + 1)
        table = np.zeros((len(dots), 2 * _UPRIGHT), np.int16)
        for symmetry, line in product(range(len(dots)), self._lines()):
            one, other = (int(dots[symmetry, dot]) for dot in self._dots(line))
            table[symmetry, line] = self._line(one, other)
        return table

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        """The two dots: a1-b1 lies, a1-a2 is upright."""
        one, other = self._dots(int(move.line))
        return f"{cell_name(one, self.width + 1)}-{cell_name(other, self.width + 1)}"

    def parse_move(self, state: Any, text: str) -> Any:
        """The two dots in either order, with or without a dash."""
        if two := re.fullmatch(r"\s*([a-z]\d{1,2})\s*-?\s*([a-z]\d{1,2})\s*", text.lower()):
            one, other = sorted(two.groups(), key=lambda name: (int(name[1:]), name[0]))
            text = f"{one}-{other}"
        return super().parse_move(state, text)

    def position_text(self, state: Any) -> str:
        return "/".join(self._rows(state)) + " " + LETTERS[state.player]

    def read_position(self, text: str) -> np.ndarray:
        start = self.position_text(self.root()[0])
        letters = LETTERS[: self.players]
        rows, player = self._read_rows(text, letters, start)
        states = self.new_states(1)
        state = states[0]
        for number, row in enumerate(reversed(rows)):
            y, between = divmod(number, 2)
            for x, found in enumerate(row):
                if between and x % 2:
                    if found != ".":
                        state.boxes[letters.index(found)] |= bit(y * self.width + x // 2)
                elif found != ".":
                    place = y * (self.width + 1) + x // 2 if between else y * self.width + x
                    state.lines[between] |= bit(place)
        state.player = player
        self._check_boxes(text, state, start)
        self._check_turn(text, state, start)
        return states

    def _read_rows(self, text: str, letters: str, start: str) -> tuple[list[str], int]:
        """The rows of a position's line from the top down, and who is to move."""
        words = text.lower().split()
        if len(words) != 2:
            said = f"it has {len(words)} words, not 2: the board and who is to move"
            impossible(text, said, start)
        rows, player = words[0].split("/"), words[1]
        if len(rows) != 2 * self.height + 1:
            impossible(text, f"it has {len(rows)} rows, not {2 * self.height + 1}", start)
        for number, row in enumerate(rows, 1):
            long = self.width if number % 2 else 2 * self.width + 1
            if len(row) != long:
                impossible(text, f"row {number} has {len(row)} signs, not {long}", start)
            for place, sign in enumerate(row):
                known = "-" if number % 2 else letters if place % 2 else "|"
                if sign not in known + ".":
                    said = " or ".join(known + ".")
                    impossible(text, f"row {number} has {sign!r} where {said} goes", start)
        if player not in letters:
            said = f"the player to move is {' or '.join(letters)}, not {player[:10]!r}"
            impossible(text, said, start)
        return rows, letters.index(player)

    def _check_boxes(self, text: str, state: Any, start: str) -> None:
        """A box has an owner if its four sides are drawn, and only then."""
        owners = self._owners(state)
        for box in range(self.boxes):
            closed = self._drawn(state, box) == 4
            if closed != (owners[box] != "."):
                at = cell_name(self._dots(self._box_lines(box)[0])[0], self.width + 1)
                what = "is closed, but has no owner" if closed else "is open, but has an owner"
                impossible(text, f"the box right and up of {at} {what}", start)

    def _check_turn(self, text: str, state: Any, start: str) -> None:
        """Each line passes the turn on unless it closes a box; some may close two."""
        drawn = sum(count_bits(lines) for lines in state.lines)
        owners = self._owners(state)
        closed = self.boxes - owners.count(".")
        could = {(drawn - closed + n) % self.players for n in range(self._pairs(owners) + 1)}
        if state.player not in could:
            said = f"{drawn} lines and {closed} boxes with {LETTERS[state.player]} to move"
            impossible(text, f"{said}, but each line without a box passes the turn on", start)
        if drawn == self.max_moves and not state.boxes[state.player]:
            mover = LETTERS[state.player]
            impossible(text, f"{mover} drew the last line, but has no box", start)

    def _pairs(self, owners: list[str]) -> int:
        """At most so many pairs of boxes of one owner side by side, no box in two of them."""
        seen: set[int] = set()
        pairs = 0
        for box in range(self.boxes):
            if box in seen or owners[box] == ".":
                continue
            group, new = {box}, [box]
            while new:
                for line in self._box_lines(new.pop()):
                    for other in self.beside[line]:
                        if other >= 0 and other not in group and owners[other] == owners[box]:
                            group.add(int(other))
                            new.append(int(other))
            seen |= group
            pairs += len(group) // 2
        return pairs

    def _owners(self, state: Any) -> list[str]:
        """The letter of each box, `.` for none."""
        held = [int(boxes) for boxes in state.boxes]
        return [
            next((LETTERS[i] for i, boxes in enumerate(held) if boxes >> box & 1), ".")
            for box in range(self.boxes)
        ]

    def _rows(self, state: Any) -> list[str]:
        """The rows of the position's line, from the top down."""
        lying, upright = (int(lines) for lines in state.lines)
        owners, rows = self._owners(state), []
        for y in range(self.height + 1):
            row = range(y * self.width, (y + 1) * self.width)
            rows.append("".join("-" if lying >> i & 1 else "." for i in row))
            if y < self.height:
                first = y * (self.width + 1)
                signs = ["|" if upright >> (first + i) & 1 else "." for i in range(self.width + 1)]
                boxes = [owners[i] for i in row]
                rows.append("".join(a + b for a, b in zip(signs, [*boxes, ""], strict=True)))
        return rows[::-1]

    def render(self, state: Any) -> str:
        margin = len(str(self.height + 1))
        lines = []
        for number, row in enumerate(self._rows(state)):
            if number % 2:
                signs = [c if i % 2 == 0 else f" {c} " for i, c in enumerate(row)]
                lines.append(" " * (margin + 1) + "".join(signs).replace(".", " ").rstrip())
            else:
                name = self.height + 1 - number // 2
                line = "+" + "".join("---+" if sign == "-" else "   +" for sign in row)
                lines.append(f"{name:>{margin}} {line}")
        names = "   ".join(chr(ord("a") + i) for i in range(self.width + 1))
        return "\n".join([*lines, " " * (margin + 1) + names, self._status(state)])

    def svg(self, state: Any) -> str:
        step, margin = 40, 30
        owners, parts = self._owners(state), []

        def point(dot: int) -> tuple[int, int]:
            row, column = divmod(dot, self.width + 1)
            return margin + step * column, margin + step * (self.height - row)

        for box, owner in enumerate(owners):
            if owner != ".":
                x, y = point(self._dots(self._box_lines(box)[1])[0])
                colour = _COLOURS[LETTERS.index(owner)]
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{step}" height="{step}" fill="{colour}" '
                    'fill-opacity=".55"/>'
                )
        for line in self._lines():
            (x, y), (to_x, to_y) = (point(dot) for dot in self._dots(line))
            drawn = int(state.lines[line // _UPRIGHT]) >> line % _UPRIGHT & 1
            stroke = 'stroke="#333" stroke-width="4"' if drawn else 'stroke="#d8d2c4"'
            parts.append(f'<path d="M{x} {y}L{to_x} {to_y}" {stroke}/>')
        for dot in range((self.width + 1) * (self.height + 1)):
            x, y = point(dot)
            parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#333"/>')
        across, down = 2 * margin + step * self.width, 2 * margin + step * self.height
        for column in range(self.width + 1):
            parts.append(label(margin + step * column, down - 12, chr(ord("a") + column)))
        for row in range(self.height + 1):
            parts.append(label(12, point(row * (self.width + 1))[1], str(row + 1)))
        return svg_page(across, down, parts, self._status(state))

    def _status(self, state: Any) -> str:
        counts = [count_bits(boxes) for boxes in state.boxes]
        said = ", ".join(f"{letter} {n}" for letter, n in zip(LETTERS, counts, strict=False))
        if sum(counts) < self.boxes:
            return f"{said}; {LETTERS[state.player]} to move"
        winners = [letter for letter, n in zip(LETTERS, counts, strict=False) if n == max(counts)]
        if len(winners) == 1:
            return f"{said}; {winners[0]} wins"
        if len(winners) == self.players:
            return f"{said}; a draw"
        return f"{said}; {' and '.join(winners)} share the win"
