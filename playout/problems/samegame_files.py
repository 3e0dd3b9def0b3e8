"""SameGame boards as data, files and pictures: checked, drawn at random, read, written, shown.

A file has one board or several, separated by blank lines; a line is a row, the top row first,
its colours whole numbers from 0 separated by blanks. What follows a `#` is a comment.
"""

from __future__ import annotations

import string
from random import Random
from typing import Any

import numpy as np

from playout.errors import DataError, OptionError
from playout.text.input_files import Line, lines_of

MOST_COLOURS = 100
# Cells are numbered by 16-bit integers in the state, border included.
MOST_CELLS = 32_000

_LETTERS = string.digits + string.ascii_letters + "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩБДЖЗ"
WHITE, DARK = "#ffffff", "#23272d"
# A tile's colour, and a sign that tells it from the others without colour: its own colour, and a
# path from the middle of a tile that is 1 large. Further colours are told by their letters.
_TILES = (
    ("#4c78a8", WHITE, "m-.2 0a.2 .2 0 1 0 .4 0a.2 .2 0 1 0-.4 0z"),  # disc
    ("#d94a49", WHITE, "m0-.22l.24 .42h-.48z"),  # triangle
    ("#4f9446", WHITE, "m-.07-.24h.14v.17h.17v.14h-.17v.17h-.14v-.17h-.17v-.14h.17z"),  # plus
    ("#f2b134", DARK, "m0-.25l.25 .25l-.25 .25l-.25-.25z"),  # diamond
    ("#8e6bb0", WHITE, "m-.26-.07h.52v.14h-.52z"),  # bar
    ("#72b7b2", DARK, "m-.18-.18h.36v.36h-.36z"),  # square
    ("#ff9da6", DARK, "m0 .22l.24-.42h-.48z"),  # triangle, upside down
    ("#9c755f", WHITE, "m-.07-.26h.14v.52h-.14z"),  # post
    ("#bab0ac", DARK, "m-.2-.2h.12v.4h-.12zm.28 0h.12v.4h-.12z"),  # two posts
    ("#2f4b7c", WHITE, "m-.2-.2h.4v.12h-.4zm0 .28h.4v.12h-.4z"),  # two bars
)


def size_fault(height: int, width: int) -> str:
    """What is wrong with a board of this size; empty if nothing is."""
    if height < 1 or width < 1:
        return "a board has at least one row and one column"
    if (height + 2) * (width + 2) > MOST_CELLS:
        return (
            f"a board of {height} rows and {width} columns is too large: with a border of one "
            f"cell around it, at most {MOST_CELLS} cells are handled"
        )
    return ""


def checked_rows(board: Any) -> np.ndarray:
    """A board as an array of rows; DataError if it is none."""
    try:
        rows = np.asarray(board)
    except ValueError:
        raise DataError("the rows of a SameGame board are of equal length") from None
    if rows.ndim != 2 or rows.size == 0 or rows.dtype.kind not in "iu":
        raise DataError("a SameGame board is a table of whole numbers")
    fault = size_fault(*rows.shape)
    if fault:
        raise DataError(fault)
    if rows.min() < 0 or rows.max() >= MOST_COLOURS:
        raise DataError(f"colours are whole numbers from 0 to {MOST_COLOURS - 1}")
    return rows.astype(np.int64)


def random_rows(seed: int, rows: int, columns: int, colours: int) -> list[list[int]]:
    """A board with every tile of a colour drawn at random."""
    fault = size_fault(rows, columns)
    if fault:
        raise OptionError(fault)
    if not 1 <= colours <= MOST_COLOURS:
        raise OptionError(f"colours={colours}: a whole number from 1 to {MOST_COLOURS}")
    rng = Random(seed)  # its random() is promised to stay the same for ever
    return [[int(rng.random() * colours) for _ in range(columns)] for _ in range(rows)]


def parse_boards(text: str, source: str) -> list[np.ndarray]:
    """All boards in the text of a file, each an array of rows, top row first."""
    boards: list[np.ndarray] = []
    rows: list[list[int]] = []
    start: Line | None = None

    def finish() -> None:
        if start is not None:
            fault = size_fault(len(rows), len(rows[0]))
            if fault:
                start.fail(f"{fault} (the board starts here)")
            boards.append(np.array(rows, np.int64))

    for line in lines_of(text, source, keep_blank=True):
        if not line.words:
            finish()
            rows, start = [], None
            continue
        row = line.whole_numbers()
        for colour in row:
            if not 0 <= colour < MOST_COLOURS:
                line.fail(f"colour {colour}, but colours are 0 to {MOST_COLOURS - 1}")
        if rows and len(row) != len(rows[0]):
            numbers = "1 number" if len(row) == 1 else f"{len(row)} numbers"
            line.fail(f"{numbers}, but the rows above have {len(rows[0])}")
        start = start or line
        rows.append(row)
    finish()
    if not boards:
        raise DataError(f"{source}: has no board, only comments")
    return boards


def board_text(rows: np.ndarray) -> str:
    """A full board as the text of a file."""
    return "".join(" ".join(str(colour) for colour in row) + "\n" for row in rows.tolist())


def draw_text(rows: np.ndarray) -> str:
    """A board with one character a tile, `.` where there is none (-1)."""
    return "\n".join(
        "".join(_LETTERS[colour] if colour >= 0 else "." for colour in row) for row in rows.tolist()
    )


def draw_svg(rows: np.ndarray, caption: str) -> str:
    """A board as an SVG picture, with a line of text below it."""
    height, width = rows.shape
    cell = _side(height, width)
    across, down = width * cell + 16, height * cell + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(across, 260)} {down + 20}" '
        f'width="{max(across, 260)}" height="{down + 20}" font-family="sans-serif">',
        f'<rect width="{across}" height="{down}" rx="6" fill="#f3f1ec"/>',
    ]
    parts.append(f'<g transform="translate(8 8) scale({cell})">')
    for colour in sorted({int(colour) for colour in rows.flat if colour >= 0}):
        parts += _tiles(colour, np.argwhere(rows == colour).tolist())
    parts.append("</g>")
    parts.append(f'<text x="8" y="{down + 15}" font-size="13" fill="#333">{caption}</text></svg>')
    return "\n".join(parts)


def _tiles(colour: int, places: list[list[int]]) -> list[str]:
    """The tiles of a colour, all in one path, and their signs in another."""
    squares = "".join(f"M{j}.14 {i}.14h.72v.72h-.72z" for i, j in places)
    if colour < len(_TILES):
        fill, ink, sign = _TILES[colour]
        signs = "".join(f"M{j}.5 {i}.5{sign}" for i, j in places)
        over = f'<path fill="{ink}" fill-opacity=".8" d="{signs}"/>'
    else:
        fill = f"hsl({colour * 137 % 360}, 55%, {45 + colour % 3 * 10}%)"
        letter = f">{_LETTERS[colour]}</text>"
        signs = "".join(f'<text x="{j}.5" y="{i}.72"{letter}' for i, j in places)
        over = f'<g fill="{WHITE}" font-size=".6" text-anchor="middle">{signs}</g>'
    # a stroke with round corners makes round tiles
    look = f'fill="{fill}" stroke="{fill}" stroke-width=".2" stroke-linejoin="round"'
    return [f'<path {look} d="{squares}"/>', over]


def cell_point(column: int, row: int, height: int, width: int) -> tuple[float, float]:
    """Where the middle of a cell is in the picture, in a row counted from the top."""
    cell = _side(height, width)
    return 8 + (column + 0.5) * cell, 8 + (row + 0.5) * cell


def _side(height: int, width: int) -> int:
    """The side of a tile in the picture."""
    return 24 if max(height, width) <= 40 else 10
