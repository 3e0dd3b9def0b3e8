"""Connected parts of a board whose cells are the bits of a word, for games that fall into parts.

Where the parts of a position do not touch each other's moves, it makes no difference where each
lies, nor whether it is mirrored by itself. `small_parts` gives those of at most 4x4 cells numbers
that are the same for all such forms.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import lowest_bit

SMALL_SIDE = 4  # of the small ones


@cache
def small_parts() -> np.ndarray:
    """The number of each part that fits in 4x4 cells, from 1; 0 for what is not one part.

    The index is its cells as bits, row by row, lowest row and column in use.
    """
    cells = np.arange(1 << SMALL_SIDE * SMALL_SIDE, dtype=np.int64)
    least = _cornered(cells)
    for across, up in ((True, False), (False, True), (True, True)):
        least = np.minimum(least, _cornered(_mirrored(cells, across, up)))
    whole = _connected(cells)
    numbers = np.zeros(len(cells), np.int16)
    numbers[whole] = 1 + np.unique(least[whole], return_inverse=True)[1]
    return numbers


def _mirrored(cells: np.ndarray, across: bool, up: bool) -> np.ndarray:
    found = np.zeros_like(cells)
    for row in range(SMALL_SIDE):
        for column in range(SMALL_SIDE):
            x = SMALL_SIDE - 1 - column if across else column
            y = SMALL_SIDE - 1 - row if up else row
            found |= (cells >> SMALL_SIDE * row + column & 1) << SMALL_SIDE * y + x
    return found


def _cornered(cells: np.ndarray) -> np.ndarray:
    row, column = (1 << SMALL_SIDE) - 1, sum(1 << SMALL_SIDE * i for i in range(SMALL_SIDE))
    for _ in range(SMALL_SIDE - 1):
        cells = np.where(cells & row, cells, cells >> SMALL_SIDE)
        cells = np.where(cells & column, cells, cells >> 1)
    return cells


def _connected(cells: np.ndarray) -> np.ndarray:
    left = sum(1 << SMALL_SIDE * i for i in range(SMALL_SIDE))
    right = left << SMALL_SIDE - 1
    part = cells & -cells
    for _ in range(SMALL_SIDE * SMALL_SIDE):
        part |= (part & ~right) << 1 | (part & ~left) >> 1 | part << SMALL_SIDE | part >> SMALL_SIDE
        part &= cells
    return (part == cells) & (cells > 0)


@helper
def first_part(cells, width, not_left, not_right):
    """The connected part that the lowest of the cells belongs to.

    `not_left` and `not_right` are the cells of the board but for its first or last column.
    """
    step, one = np.uint64(width), np.uint64(1)
    part = cells & (~cells + one)
    before = np.uint64(0)
    while part != before:
        before = part
        part |= (part << one & not_left | part >> one & not_right) & cells
        part |= (part << step | part >> step) & cells
    return part


@helper
def in_corner(part, width, row_starts):
    """The part with its lowest row and column moved to those of the board.

    `row_starts` has for every cell the first one of its row.
    """
    part >>= np.uint64(row_starts[lowest_bit(part)])
    columns, step = part, width
    while step < 64:
        columns |= columns >> np.uint64(step)
        step *= 2
    return part >> np.uint64(lowest_bit(columns))


@helper
def small_cells(part, width):
    """The cells of a part in the corner as `small_parts` has them, of its first four rows."""
    across = np.uint64(min(width, SMALL_SIDE))
    row = (np.uint64(1) << across) - np.uint64(1)
    found = np.uint64(0)
    for i in range(SMALL_SIDE):
        if i * width < 64:
            found |= (part >> np.uint64(i * width) & row) << np.uint64(SMALL_SIDE * i)
    return np.int64(found)


@helper
def insert_number(numbers, number):
    """The numbers of small parts, 12 bits each, the highest lowest, with another."""
    shift = np.uint64(0)
    while numbers >> shift & np.uint64(4095) > number:
        shift += np.uint64(12)
    below = (np.uint64(1) << shift) - np.uint64(1)
    return numbers & below | number << shift | (numbers & ~below) << np.uint64(12)
