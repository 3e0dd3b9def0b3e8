"""The Go board for people: names of points, text and SVG pictures.

Points are numbered along the rows from the bottom left corner. They are named as in the Go Text
Protocol (GTP): a letter for the column, I left out, and a number for the row from the bottom, so
that A1 is the bottom left corner.
"""

from __future__ import annotations

from collections.abc import Sequence

from playout.games.boards import label, svg_page

COLUMNS = "ABCDEFGHJKLMNOPQRST"
LARGEST_SIZE = len(COLUMNS)
LETTERS = "bw"  # of the players and their stones in one-line positions
NAMES = ("black", "white")
_DRAWN = {"b": "X", "w": "O"}  # as GTP programs draw them
_FILLS = {"b": "#1d1d1d", "w": "#fbfbf8"}
_CELL = 30
_MARGIN = 36


def point_name(point: int, width: int) -> str:
    """The name of a point."""
    row, column = divmod(int(point), width)
    return f"{COLUMNS[column]}{row + 1}"


def draw_text(cells: Sequence[str], width: int, status: str) -> str:
    """A board with the names of its rows and columns, and a line below it."""
    height = len(cells) // width
    margin = len(str(height))
    lines = [
        f"{row + 1:>{margin}} "
        + " ".join(_DRAWN.get(cell, cell) for cell in cells[row * width : (row + 1) * width])
        for row in reversed(range(height))
    ]
    lines.append(" " * (margin + 1) + " ".join(COLUMNS[:width]))
    return "\n".join([*lines, status])


def draw_svg(cells: Sequence[str], width: int, caption: str) -> str:
    """A board of lines with stones on their crossings."""
    height = len(cells) // width
    right, bottom = width - 1, height - 1
    lines = [f"M0 {y}h{right}" for y in range(height)] + [f"M{x} 0v{bottom}" for x in range(width)]
    parts = [
        f'<g transform="translate({_MARGIN} {_MARGIN}) scale({_CELL})">',
        f'<rect x="-.6" y="-.6" width="{right + 1.2:g}" height="{bottom + 1.2:g}" fill="#dcb36b"/>',
        f'<path d="{"".join(lines)}" stroke="#5b4a2c" stroke-width=".04" fill="none"/>',
    ]
    dots = [(x, y) for x in _dotted(width) for y in _dotted(height)]
    parts += [f'<circle cx="{x}" cy="{y}" r=".1" fill="#5b4a2c"/>' for x, y in dots]
    for point, letter in enumerate(cells):
        if letter in _FILLS:
            x, y = point % width, bottom - point // width
            parts.append(
                f'<circle cx="{x}" cy="{y}" r=".46" fill="{_FILLS[letter]}" '
                'stroke="#333" stroke-width=".04"/>'
            )
    parts.append("</g>")
    across, down = right * _CELL + 2 * _MARGIN, bottom * _CELL + 2 * _MARGIN
    for column in range(width):
        parts.append(label(_MARGIN + column * _CELL, down - 9, COLUMNS[column]))
    for row in range(height):
        parts.append(label(9, _MARGIN + (bottom - row) * _CELL, str(row + 1)))
    return svg_page(across, down, parts, caption)


def crossing(point: int, width: int, height: int) -> tuple[float, float]:
    """Where a point is in the picture."""
    row, column = divmod(int(point), width)
    return _MARGIN + column * _CELL, _MARGIN + (height - 1 - row) * _CELL


def _dotted(lines: int) -> list[int]:
    """Which of so many lines have the dots that boards are marked with."""
    if lines < 9:
        return []
    edge = 2 if lines < 13 else 3
    return [edge, *([lines // 2] if lines % 2 else []), lines - 1 - edge]
