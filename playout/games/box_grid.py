"""Boards of dots, lines and boxes: how they are numbered, and their pictures.

Dots and boxes are numbered along the rows from the bottom left. So are the lines, the lying ones
from 0 and the upright ones from `UPRIGHT`: each kind are the bits of a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from playout.compiled.bits import bit
from playout.games.board_symmetries import cell_symmetries
from playout.games.boards import cell_name, halfway, label, svg_page

UPRIGHT = 64  # lying lines are numbered from 0, upright ones from here
_STEP, _MARGIN = 40, 30  # of pictures


class BoxGrid:
    """A board of so many columns and rows of boxes."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.boxes = width * height
        self.lying, self.upright = width * (height + 1), (width + 1) * height
        self.lines = [*range(self.lying), *range(UPRIGHT, UPRIGHT + self.upright)]

    def dots(self, line: int) -> tuple[int, int]:
        """The left and right, or lower and upper, dot of a line."""
        if line < UPRIGHT:
            row, column = divmod(line, self.width)
            first = row * (self.width + 1) + column
            return first, first + 1
        return line - UPRIGHT, line - UPRIGHT + self.width + 1

    def line(self, dot: int, other: int) -> int:
        """The line between two dots."""
        dot, other = min(dot, other), max(dot, other)
        if other - dot == 1:
            return dot - dot // (self.width + 1)
        return UPRIGHT + dot

    def dot_name(self, dot: int) -> str:
        return cell_name(dot, self.width + 1)

    def line_name(self, line: int) -> str:
        """The two dots: a1-b1 lies, a1-a2 is upright."""
        return "-".join(self.dot_name(dot) for dot in self.dots(line))

    def box_lines(self, box: int) -> tuple[int, int, int, int]:
        """The lines below, above, left and right of a box."""
        left = UPRIGHT + box + box // self.width
        return box, box + self.width, left, left + 1

    # tables

    def sides_of_boxes(self) -> np.ndarray:
        """The lines around each box: lying ones and upright ones, as words."""
        table = np.zeros((self.boxes, 2), np.uint64)
        for box in range(self.boxes):
            for line in self.box_lines(box):
                table[box, line // UPRIGHT] |= bit(line % UPRIGHT)
        return table

    def boxes_beside_lines(self) -> np.ndarray:
        """The one or two boxes beside each line, -1 where there is none."""
        table = np.full((2 * UPRIGHT, 2), -1, np.int8)
        for box in range(self.boxes):
            for line in self.box_lines(box):
                table[line, 0 if table[line, 0] < 0 else 1] = box
        return table

    def moved_lines(self) -> np.ndarray:
        """Where each line goes under each symmetry."""
        dots = cell_symmetries(self.width + 1, self.height + 1)
        table = np.zeros((len(dots), 2 * UPRIGHT), np.int16)
        for symmetry, line in product(range(len(dots)), self.lines):
            one, other = (int(dots[symmetry, dot]) for dot in self.dots(line))
            table[symmetry, line] = self.line(one, other)
        return table

    # text and pictures

    def rows(self, drawn: tuple[int, int], owners: Sequence[str]) -> list[str]:
        """The rows of a position's line, from the top down.

        `drawn` are the lying and the upright lines as words, `owners` the letters of the boxes.
        """
        lying, upright = drawn
        rows = []
        for y in range(self.height + 1):
            row = range(y * self.width, (y + 1) * self.width)
            rows.append("".join("-" if lying >> i & 1 else "." for i in row))
            if y < self.height:
                first = y * (self.width + 1)
                signs = ["|" if upright >> (first + i) & 1 else "." for i in range(self.width + 1)]
                boxes = [owners[i] for i in row]
                rows.append("".join(a + b for a, b in zip(signs, [*boxes, ""], strict=True)))
        return rows[::-1]

    def draw_text(self, rows: Sequence[str], status: str) -> str:
        """The board from the rows of a position's line, with the names of its dots."""
        margin = len(str(self.height + 1))
        lines = []
        for number, row in enumerate(rows):
            if number % 2:
                signs = [c if i % 2 == 0 else f" {c} " for i, c in enumerate(row)]
                lines.append(" " * (margin + 1) + "".join(signs).replace(".", " ").rstrip())
            else:
                name = self.height + 1 - number // 2
                line = "+" + "".join("---+" if sign == "-" else "   +" for sign in row)
                lines.append(f"{name:>{margin}} {line}")
        names = "   ".join(chr(ord("a") + i) for i in range(self.width + 1))
        return "\n".join([*lines, " " * (margin + 1) + names, status])

    def draw_svg(self, drawn: tuple[int, int], fills: Sequence[str], caption: str) -> str:
        """The board as an SVG picture, from the drawn lines and each box's colour or nothing."""
        parts = []
        for box, colour in enumerate(fills):
            if colour:
                x, y = self._point(self.dots(self.box_lines(box)[1])[0])
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_STEP}" height="{_STEP}" fill="{colour}" '
                    'fill-opacity=".55"/>'
                )
        for line in self.lines:
            (x, y), (to_x, to_y) = (self._point(dot) for dot in self.dots(line))
            there = drawn[line // UPRIGHT] >> line % UPRIGHT & 1
            stroke = 'stroke="#333" stroke-width="4"' if there else 'stroke="#d8d2c4"'
            parts.append(f'<path d="M{x} {y}L{to_x} {to_y}" {stroke}/>')
        for dot in range((self.width + 1) * (self.height + 1)):
            x, y = self._point(dot)
            parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#333"/>')
        across, down = 2 * _MARGIN + _STEP * self.width, 2 * _MARGIN + _STEP * self.height
        for column in range(self.width + 1):
            parts.append(label(_MARGIN + _STEP * column, down - 12, chr(ord("a") + column)))
        for row in range(self.height + 1):
            parts.append(label(12, self._point(row * (self.width + 1))[1], str(row + 1)))
        return svg_page(across, down, parts, caption)

    def middle(self, line: int) -> tuple[float, float]:
        """Where the middle of a line is in a picture."""
        one, other = self.dots(line)
        return halfway(self._point(one), self._point(other))

    def _point(self, dot: int) -> tuple[int, int]:
        """Where a dot is in a picture."""
        row, column = divmod(dot, self.width + 1)
        return _MARGIN + _STEP * column, _MARGIN + _STEP * (self.height - row)
