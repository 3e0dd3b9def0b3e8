"""Boards of square cells for people: names of cells, one-line positions, text, SVG.

Cells are numbered along the rows from the bottom left corner, a1: cell = row * width + column. In
the games that number their rows from the top, a1 is the top left corner (`top_down`).
A position in one line is its rows from the top down, separated by `/`, a letter for each cell
and `.` for an empty one (or a number for so many), then a blank and the player to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from playout.errors import DataError, OptionError

MOST_COLUMNS = 26


def check_size(
    game: str,
    width: int,
    height: int,
    columns: tuple[int, int] = (1, MOST_COLUMNS),
    rows: tuple[int, int] = (1, 64),
    cells: int = 64,
) -> None:
    """Refuse a size that a game does not have."""
    inside = columns[0] <= width <= columns[1] and rows[0] <= height <= rows[1]
    if not inside or width * height > cells:
        raise OptionError(
            f"{game} has no board of {width}x{height}: it takes {columns[0]} to {columns[1]} "
            f"columns and {rows[0]} to {rows[1]} rows, at most {cells} cells"
        )


def cell_name(cell: int, width: int) -> str:
    """A cell's column as a letter and its row as a number, a1 at the bottom left."""
    row, column = divmod(int(cell), width)
    return f"{chr(ord('a') + column)}{row + 1}"


def letters_of(words: Iterable[Any], letters: str, cells: int) -> list[str]:
    """The letter of each cell, whose bit one of the words has or none, from a letter a word."""
    sets = [int(word) for word in words]
    return [
        next((letter for word, letter in zip(sets, letters, strict=False) if word >> i & 1), ".")
        for i in range(cells)
    ]


def word_of(cells: Sequence[str], letter: str) -> int:
    """The cells that have a letter, as bits."""
    return sum(1 << i for i, found in enumerate(cells) if found == letter)


# positions in one line


def position_line(cells: Sequence[str], width: int, player: str, top_down: bool = False) -> str:
    """A position in one line from the letter of each cell and that of the player to move."""
    rows = ["".join(cells[i : i + width]) for i in range(0, len(cells), width)]
    return "/".join(rows if top_down else reversed(rows)) + " " + player


def read_line(
    text: str,
    width: int,
    height: int,
    letters: str,
    example: str,
    top_down: bool = False,
) -> tuple[list[str], int]:
    """The letter of each cell, and the number of the player to move, from a position's line.

    `letters` are those of the players and of their pieces; `example` is shown to someone whose
    line is refused.
    """
    words = text.split()
    if len(words) != 2:
        impossible(text, f"it has {len(words)} words, not 2: the board and who is to move", example)
    board, player = words
    spelt_out = re.sub(r"[0-9]{1,2}", lambda found: "." * int(found[0]), board.lower())
    rows = spelt_out.split("/")
    if len(rows) != height:
        impossible(text, f"it has {len(rows)} rows, not {height}", example)
    for number, row in enumerate(rows, 1):
        for letter in row:
            if letter not in letters + ".":
                known = " and ".join(letters)
                impossible(text, f"{letter!r} is no piece; there are {known}", example)
        if len(row) != width:
            impossible(text, f"row {number} has {len(row)} cells, not {width}", example)
    if player.lower() not in letters:
        known = " or ".join(letters)
        impossible(text, f"the player to move is {known}, not {player[:10]!r}", example)
    upward = rows if top_down else reversed(rows)
    return list("".join(upward)), letters.index(player.lower())


def impossible(text: str, reason: str, example: str) -> NoReturn:
    """Refuse a position."""
    shown = text if len(text) <= 90 else text[:87] + "..."
    raise DataError(f"{shown!r} is no position: {reason}; the start is {example!r}")


# pictures


def draw_text(cells: Sequence[str], width: int, status: str = "", top_down: bool = False) -> str:
    """A board with the names of its rows and columns, and a line below it."""
    height = len(cells) // width
    margin = len(str(height))
    lines = [
        f"{row + 1:>{margin}} " + " ".join(cells[row * width : (row + 1) * width])
        for row in range(height)
    ]
    if not top_down:
        lines.reverse()
    lines.append(" " * (margin + 1) + " ".join(chr(ord("a") + column) for column in range(width)))
    return "\n".join(lines + ([status] if status else []))


# how a letter is drawn: shape and colour
Marks = Mapping[str, tuple[str, str]]
_CELL = 36
_MARGIN = 24


def draw_svg(
    cells: Sequence[str],
    width: int,
    marks: Marks,
    caption: str,
    extra: str = "",
    top_down: bool = False,
) -> str:
    """A board as an SVG picture; `extra` is drawn over it in units of cells from the top left."""
    height = len(cells) // width
    across, down = width * _CELL + 2 * _MARGIN, height * _CELL + 2 * _MARGIN
    parts = [f'<g transform="translate({_MARGIN} {_MARGIN}) scale({_CELL})">']
    for cell, letter in enumerate(cells):
        x, y = cell % width, cell // width if top_down else height - 1 - cell // width
        shade = "#e3d9c6" if (x + y + height) % 2 else "#d3c4a8"
        parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="{shade}"/>')
        if letter in marks:
            parts.append(_shape(*marks[letter], x, y))
    parts.append(f"{extra}</g>")
    for column in range(width):
        parts.append(label(_MARGIN + (column + 0.5) * _CELL, down - 12, chr(ord("a") + column)))
    for row in range(height):
        y = row if top_down else height - 1 - row
        parts.append(label(_MARGIN / 2, _MARGIN + (y + 0.5) * _CELL, str(row + 1)))
    mark = caption.partition(" ")[0]
    if mark in marks and caption in (
        f"{mark} to move",
        f"{mark} wins",
    ):  # the letters of the text are not in the picture: the stone is
        parts.append(
            f'<g transform="translate(6 {down + 1:g}) scale(18)">{_shape(*marks[mark], 0, 0)}</g>'
        )
        caption = f'<tspan dx="18">{caption}</tspan>'
    return svg_page(across, down, parts, caption)


def cell_point(cell: int, width: int, height: int, top_down: bool = False) -> tuple[float, float]:
    """Where the middle of a cell is in the picture that `draw_svg` makes of a board."""
    row, column = divmod(int(cell), width)
    y = row if top_down else height - 1 - row
    return _MARGIN + (column + 0.5) * _CELL, _MARGIN + (y + 0.5) * _CELL


def halfway(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """The point between two."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def svg_page(across: float, down: float, parts: Sequence[str], caption: str) -> str:
    """An SVG picture of these parts, `across` and `down` large, with a line of text below it."""
    page = max(across, 180)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page:g} {down + 20:g}" '
            f'width="{page:g}" height="{down + 20:g}" font-family="sans-serif" font-size="12">',
            f'<rect width="{across:g}" height="{down:g}" rx="6" fill="#f3f1ec"/>',
            *parts,
            f'<text x="8" y="{down + 14:g}" fill="#333">{caption}</text></svg>',
        ]
    )


def label(x: float, y: float, text: str) -> str:
    """The name of a row or column, its middle at a point of an SVG picture."""
    return f'<text x="{x:g}" y="{y + 4:g}" text-anchor="middle" fill="#777">{text}</text>'


def _shape(shape: str, colour: str, x: int, y: int) -> str:
    if shape == "cross":
        line = f"M{x + 0.25} {y + 0.25}l.5 .5m0 -.5l-.5 .5"
        return f'<path d="{line}" stroke="{colour}" stroke-width=".1" fill="none"/>'
    centre = f'cx="{x + 0.5}" cy="{y + 0.5}"'
    if shape == "ring":
        return f'<circle {centre} r=".28" stroke="{colour}" stroke-width=".1" fill="none"/>'
    return f'<circle {centre} r=".36" fill="{colour}" stroke="#333" stroke-width=".04"/>'
